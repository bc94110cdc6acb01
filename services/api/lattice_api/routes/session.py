"""Signing a browser in and out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from lattice_common.api_schema.server import LoginLinkReply, NewSessionReply, SignedInReply
from lattice_common.errors import InvalidInput, NotAllowed
from lattice_common.origins import scheme_asked

from lattice_api.access import CODE_SECONDS, COOKIE, SECURE_COOKIE, Holder, bearer_in, sessions_in
from lattice_api.deps import Gate
from lattice_api.json_route import JsonRoute
from lattice_api.limits import address_of
from lattice_api.openapi import refusals
from lattice_api.shapes import Json, LoginBody
from lattice_api.token_file import SCOPES, SESSION_SECONDS

router = APIRouter(prefix="/api", tags=["session"], route_class=JsonRoute)


@router.post("/login", response_model=NewSessionReply, responses=refusals(401, 403, 429))
def login(body: LoginBody, request: Request, response: Response, gate: Gate) -> Json:
    """Open a session for a token, or for the code of a one-time link: a cookie, and a key for the page. Five wrong tries a
    minute."""
    if (body.token is None) == (body.code is None):
        raise InvalidInput("Send either a `token` or a `code`.", field="token")
    new, of = gate.login(address_of(request.scope), token=body.token, code=body.code)
    # For the audit log, of the space that was signed in to: nobody was known before.
    request.scope["holder"], request.scope["audit"] = Holder(new.name, SCOPES), of.audit
    gate.logout(request.headers)  # the session that this browser had ends with the new one's beginning
    secure = scheme_asked(request.url.scheme, request.headers) == "https"
    response.set_cookie(
        SECURE_COOKIE if secure else COOKIE,
        new.cookie,
        max_age=SESSION_SECONDS,
        path="/",
        httponly=True,
        samesite="strict",
        secure=secure,
    )
    return {"signed_in": True, "page_key": new.page_key}


@router.post("/login/link", status_code=201, response_model=LoginLinkReply, responses=refusals(403))
def link(request: Request, gate: Gate) -> Json:
    """Return a code for `/login?code=…`, which signs a browser in once, within ten minutes, as with the token of this request."""
    token = bearer_in(request.headers)
    if gate.enabled and token is None:
        raise NotAllowed("A link is made for a token: send it as `Authorization: Bearer TOKEN`.", status=403)
    return {"code": gate.make_login_code(token if gate.enabled else None), "seconds": int(CODE_SECONDS)}


@router.post("/logout", response_model=SignedInReply)
def logout(request: Request, response: Response, gate: Gate) -> Json:
    """End the session of this browser."""
    gate.logout(request.headers)
    if sessions_in(request.headers.get("cookie", "")):
        for name in (COOKIE, SECURE_COOKIE):
            response.delete_cookie(name, path="/", httponly=True, samesite="strict", secure=name == SECURE_COOKIE)
    return {"signed_in": False}
