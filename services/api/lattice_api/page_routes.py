"""The addresses of the page. What answers there is the same for every app of a process, and made once."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Mapping

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from lattice_api.access import is_own_path
from lattice_api.page import OPS, UI, VIEWS, needed_by
from lattice_api.page_files import PageFiles, compressed

NO_PAGES = ("/api/", "/ui/", "/calendar/", "/metrics", "/openapi", "/health", "/ready")


@functools.cache
def page_files() -> PageFiles:
    """Return the files of the page, which take a fifth of a second to make."""
    return PageFiles(UI)


@functools.cache
def not_here() -> HTMLResponse:
    """Return the answer to a browser that asks for a page at an address that nothing has: the page, which says so."""
    return HTMLResponse(page_files().html("index.html"), status_code=404)


def wants_page(method: str, path: str, headers: Mapping[str, str]) -> bool:
    """Return whether a browser asks for a page to show, and not for what a program is told."""
    return method == "GET" and "text/html" in headers.get("accept", "") and not path.startswith(NO_PAGES)


@functools.cache
def page_router() -> APIRouter:
    """Return the routes of the views, of the operator's page, of the login and of the service worker."""
    router, ui = APIRouter(include_in_schema=False), page_files()
    login_html, ops_html, service_worker = ui.html("login.html"), ui.html("ops.html"), ui.worker()
    for view in VIEWS:
        router.add_api_route(view, _page(ui.html("index.html", needed_by(view))), methods=["GET"])

    @router.get(OPS)
    async def ops_page() -> HTMLResponse:
        return HTMLResponse(ops_html)

    @router.get("/login")
    async def login_page(next: str | None = None) -> Response:  # noqa: A002 - the word in the address
        return HTMLResponse(login_html) if next is None or is_own_path(next) else RedirectResponse("/login", 303)

    @router.get("/sw.js")
    async def worker() -> Response:
        return Response(service_worker, media_type="text/javascript")

    return router


def _page(html: str) -> Callable[[Request], Awaitable[Response]]:
    smaller = compressed(html.encode())

    async def page(request: Request) -> Response:
        headers = {"Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return HTMLResponse(smaller, headers=headers | {"Content-Encoding": "gzip"})
        return HTMLResponse(html, headers=headers)

    return page
