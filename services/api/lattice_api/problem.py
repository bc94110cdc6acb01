"""Errors as `application/problem+json` (RFC 9457): the thing, the cause and the next step, and never a stack trace or a path."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from lattice_common.errors import (
    Conflict,
    Corrupt,
    InvalidInput,
    LatticeError,
    NotAllowed,
    NotConfigured,
    NotFound,
    Unavailable,
)
from lattice_common.logs import failure_of, logger
from starlette.exceptions import HTTPException
from starlette.responses import Response

from lattice_api.page_routes import not_here, wants_page

log = logger(__name__)


class ProblemResponse(Response):
    """A problem as a response."""

    media_type = "application/problem+json"


def problem(
    status: int,
    detail: str,
    *,
    trace_id: str | None = None,
    errors: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> ProblemResponse:
    """Return the answer to a request that is refused. `detail` names the thing, the cause and the next step; `errors` are the
    fields of a 422."""
    body: dict[str, Any] = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    if trace_id:
        body["instance"] = f"urn:trace:{trace_id}"
    if errors or status == HTTPStatus.UNPROCESSABLE_ENTITY:
        body["errors"] = list(errors)
    return ProblemResponse(orjson.dumps(body), status_code=status, headers=dict(headers or {}))


def problem_of(error: LatticeError, trace_id: str | None = None) -> ProblemResponse:
    """Return the problem that an error of the product is, in HTTP's words."""
    detail = str(error)
    match error:
        case InvalidInput(status=status, field=field):
            errors = [{"field": field, "message": detail}] if field else []
            return problem(status, detail, trace_id=trace_id, errors=errors)
        case NotAllowed(status=401):
            return problem(401, detail, trace_id=trace_id, headers={"WWW-Authenticate": "Bearer"})
        case NotAllowed(status=429):
            return problem(429, detail, trace_id=trace_id, headers={"Retry-After": "60"})
        case NotAllowed(status=status):
            return problem(status, detail, trace_id=trace_id)
        case NotFound():
            return problem(404, detail, trace_id=trace_id)
        case Conflict(status=status):
            return problem(status, detail, trace_id=trace_id)
        case NotConfigured():
            return problem(501, detail, trace_id=trace_id)
        case Unavailable(status=status, retry_after=retry_after):
            return problem(
                status, without_folders(detail), trace_id=trace_id, headers={"Retry-After": str(round(retry_after or 5))}
            )
        case Corrupt():
            _log_failure(error, trace_id)
            return problem(500, "Something on disk is not what was written: `lattice doctor` says what.", trace_id=trace_id)
    return defect(error, trace_id)


def without_folders(sentence: str) -> str:
    """Return a sentence for a client, with only the last name of each local path: the folders are in the log."""
    return _FOLDERS.sub("", sentence)


_FOLDERS = re.compile(r"(?<![\w/:.])/(?:[^\s/'\"()]+/)+")
"""All of an absolute path but the last name. A URL has a scheme before it."""


def defect(error: Exception, trace_id: str | None) -> ProblemResponse:
    """Return the answer to what nobody expected, and its line in the log."""
    _log_failure(error, trace_id)
    return problem(500, "Lattice has a defect here: the log has the details under this trace id.", trace_id=trace_id)


def _log_failure(error: Exception, trace_id: str | None) -> None:
    """Log where an error happened, and nothing of its content."""
    log.warning("request_failed", trace_id=trace_id, **failure_of(error))


def install(app: FastAPI) -> None:
    """Make every error of the app a problem."""
    app.add_exception_handler(LatticeError, _of_product)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_routing)


def trace_id_of(request: Request) -> str | None:
    """Return the id that `guard` gave to this request."""
    trace_id = request.scope.get("trace_id")
    return trace_id if isinstance(trace_id, str) else None


async def _of_product(request: Request, error: Exception) -> Response:
    if not isinstance(error, LatticeError):
        raise error
    return problem_of(error, trace_id_of(request))


async def _of_validation(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    found = error.errors()
    trace_id = trace_id_of(request)
    if (unreadable := next((each for each in found if each["type"] == "json_invalid"), None)) is not None:
        return _of_json(str(unreadable["ctx"]["error"]), int(unreadable["loc"][-1]), trace_id)
    fields = [{"field": ".".join(str(part) for part in each["loc"][1:]), "message": each["msg"]} for each in found]
    first = fields[0]
    detail = f"`{first['field'] or 'body'}`: {first['message']}. See `errors` for each field, and /openapi.json for the shapes."
    return problem(422, detail, trace_id=trace_id, errors=fields)


def _of_json(message: str, position: int, trace_id: str | None) -> ProblemResponse:
    """Return the answer to JSON that cannot be read. `message` is orjson's: a lone surrogate and bytes that are no UTF-8 are the
    text's fault, the rest is the JSON's."""
    if "surrogate" in message:
        detail = f"The text is not Unicode at character {position} (a lone surrogate, or no UTF-8). Send valid UTF-8."
        return problem(422, detail, trace_id=trace_id, errors=[{"field": "body", "message": detail}])
    if "Recursion" in message:
        return problem(400, "The JSON is nested too deeply. Send it flat.", trace_id=trace_id)
    return problem(400, f"The body is not JSON (at character {position}). Send a JSON object.", trace_id=trace_id)


async def _of_routing(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == HTTPStatus.NOT_FOUND and wants_page(request.method, request.url.path, request.headers):
        return not_here()
    details = {
        404: f"There is no {request.url.path[:200]} here. See /openapi.json for what there is.",
        405: f"{request.method} does not go with {request.url.path[:200]}. See /openapi.json for what does.",
    }
    detail = details.get(error.status_code, str(error.detail))
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and (methods := _methods_at(request.app, request.url.path)):
        headers["Allow"] = ", ".join(methods)
    return problem(error.status_code, detail, trace_id=trace_id_of(request), headers=headers)


def _methods_at(app: FastAPI, path: str) -> list[str]:
    """Return the methods of a path in the OpenAPI document: of several routes the framework names those of the first only. The
    document itself takes half a second to make."""
    described = [route for route in app.routes if isinstance(route, APIRoute) and route.include_in_schema]
    exactly = [route for route in described if route.path == path]
    found = exactly or [route for route in described if route.path_regex.match(path)]
    return sorted({method for route in found for method in route.methods or ()})
