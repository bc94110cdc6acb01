"""A session belongs to the page that was signed in, and to no other program on the same host."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest
from browsing import open_page, sign_in_by_link
from playwright.sync_api import Browser, Page
from product import Product

pytestmark = pytest.mark.browser

FORGED = (
    "(url) => fetch(url + '/api/tokens', {method: 'POST', credentials: 'include', body: '{}'}).then((r) => r.status, () => 0)"
)
OWN = "() => fetch('/api/status', {headers: {'lattice-page-key': localStorage['lattice-page-key']}}).then((r) => r.status)"


@contextmanager
def neighbour() -> Iterator[tuple[str, list[str]]]:
    """Another program that listens on a port of this host: its address, and the cookies that it was sent."""
    cookies: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            cookies.append(self.headers.get("cookie") or "")
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><link rel=icon href=data:,><p>Another program")

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the base class has it
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", cookies
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_one_time_link_signs_in_and_leaves_no_code_in_the_address(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product)
    sign_in_by_link(page, product)
    assert page.evaluate(OWN) == 200
    page.go_back()
    assert "code=" not in page.url
    page.context.close()
    assert problems == []


def test_a_program_on_another_port_gets_the_cookie_and_can_do_nothing_with_it(page: Page, product: Product) -> None:
    other = page.context.new_page()  # whose console may complain of what is refused
    with neighbour() as (address, cookies):
        other.goto(address)
        assert other.evaluate("localStorage.length") == 0
        assert other.evaluate(FORGED, product.url) == 0
    assert "lattice_session=" in cookies[0]
    with httpx2.Client(base_url=product.url, headers={"cookie": cookies[0]}) as thief:
        for headers in ({}, {"origin": product.url}):
            assert thief.get("/api/status", headers=headers).status_code == 401
            new = {"name": "thief", "scopes": ["admin"]}
            assert thief.post("/api/tokens", json=new, headers=headers).status_code in (401, 403)
    assert page.evaluate(OWN) == 200
