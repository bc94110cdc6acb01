"""What is made of the page once for a process."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from lattice_api.page import OPS, VIEWS
from starlette.routing import Route

from tests.services.door import opened

PAGES = {*VIEWS, OPS, "/login", "/sw.js"}


def pages(app: FastAPI) -> dict[str, Route]:
    return {route.path: route for route in app.routes if isinstance(route, Route) and route.path in PAGES}


def test_all_apps_of_a_process_have_the_same_pages(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as one, opened(tmp_path / "other") as other:
        assert pages(one.app).keys() == PAGES
        assert all(route is pages(other.app)[path] for path, route in pages(one.app).items())
        assert {path: one.http.get(path).status_code for path in PAGES} == dict.fromkeys(PAGES, 200)
