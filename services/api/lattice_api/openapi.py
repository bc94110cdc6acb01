"""The OpenAPI document, made to say all that is true: who may call, what comes back, and how it is refused."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from lattice_common.api_schema.replies import Problem

from lattice_api.access import COOKIE, PAGE_KEY_HEADER, scope_for

Responses = dict[int | str, dict[str, Any]]

EVERYWHERE = (400, 500)
"""A host that is not ours, and a defect, may meet any request."""

KNOWN_CALLERS = (401, 403)
BODIES = (408, 413, 415, 422, 503)
_PROBLEM = {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
_WHY = {
    400: "The Host is not ours, or the body is not JSON",
    401: "Nobody is known by this token or session",
    403: "The scope does not allow it, or another site asks",
    404: "There is no such thing",
    405: "The method does not go with the address",
    408: "The body did not come to its end in time",
    409: "It has changed, or was done already",
    412: "It is not as it was when it was read",
    413: "The body is too large",
    415: "The body is not JSON",
    422: "A field cannot be taken: `errors` says which",
    428: "`If-Match` is missing",
    429: "Too many requests: wait as long as `Retry-After` says",
    500: "A defect; the log has the details under the trace id",
    501: "A setting is missing",
    503: "Not now: wait as long as `Retry-After` says",
    507: "The disk is full",
}


def refusals(*statuses: int) -> Responses:
    """Return the problems that a route may answer with, beside those that every route shares."""
    return {status: {"description": _WHY[status], "model": Problem} for status in statuses}


def install(app: FastAPI) -> None:
    """Replace the app's document by the completed one; it is made once, when it is first asked for."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _completed(
                get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            )
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign] # how FastAPI wants it done


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "The token that was shown at the first start."},
        "session": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "From `POST /api/login`."},
        "page_key": {"type": "apiKey", "in": "header", "name": PAGE_KEY_HEADER, "description": "From `POST /api/login`, too."},
    }
    document["security"] = [{"token": []}, {"session": [], "page_key": []}]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _complete(operation, path, method.upper())
    return document


def _complete(operation: dict[str, Any], path: str, method: str) -> None:
    responses = operation["responses"]
    scope = scope_for(method, path)
    shared = [*EVERYWHERE]
    if scope is None:
        operation["security"] = []
    else:
        operation["description"] = f"{operation.get('description', '')}\n\nScope: `{scope}`.".strip()
        shared += KNOWN_CALLERS
    if "parameters" in operation:
        shared.append(422)
        if "428" in responses:  # without it nothing is changed, which is an answer of its own
            for each in operation["parameters"]:
                if each["name"] == "if-match":
                    each |= {"required": True, "schema": {"type": "string"}}
    if method != "GET":
        shared += BODIES if "requestBody" in operation else (403, 408, 413, 415)
    for status in shared:
        responses.setdefault(str(status), {"description": _WHY[status], **_PROBLEM})
    for status, response in responses.items():
        # FastAPI documents a model as application/json; problems have a media type of their own.
        if status >= "4" and "application/problem+json" not in response.get("content", {}):
            documented = response.get("content", {}).get("application/json")
            if documented is None or documented.get("schema", {}).get("$ref", "").endswith(("Problem", "HTTPValidationError")):
                responses[status] = {"description": _WHY[int(status)], **_PROBLEM}
    operation["responses"] = dict(sorted(responses.items()))
