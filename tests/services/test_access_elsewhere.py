"""Other sites in the owner's browser, other names, other pages: none of them gets in (S5, S6, S8 and S9 of RELIABILITY.md)."""

from __future__ import annotations

import pytest
from lattice_api.guard import HEADERS

from tests.services.door import URL, Door, address, routes_of


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "https://evil.example",
        "http://localhost:3000",
        "http://localhost:7337.evil.example",
        "https://localhost:7337@evil.example",
        "http://localhost:99999",
        "file://",
    ],
)
def test_other_sites_get_nothing_and_change_nothing(door: Door, origin: str) -> None:
    for method, path in (
        ("GET", "/api/status"),
        ("GET", "/api/captures/x/events"),
        ("POST", "/api/ingest"),
        ("DELETE", "/api/atoms/x"),
        ("POST", "/api/login"),
        ("OPTIONS", "/api/ingest"),
    ):
        response = door.http.request(method, path, headers={"origin": origin})
        assert response.status_code == 403, (method, path)
        assert not [name for name in response.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "forged",
    [
        {"content-type": "application/x-www-form-urlencoded", "origin": "https://evil.example"},
        {"content-type": "text/plain", "sec-fetch-site": "cross-site"},
        {"content-type": "application/json", "sec-fetch-site": "same-site"},
        {"content-type": "text/plain"},
        {"content-type": "application/json"},
    ],
)
def test_a_signed_in_browser_cannot_be_made_to_act_for_another_site(door: Door, forged: dict[str, str]) -> None:
    door.anybody.post("/api/login", json={"token": door.token})
    response = door.anybody.post("/api/ingest", content=b'{"text": "I live in Lisbon."}', headers=forged)
    assert response.status_code == 403
    own = {"content-type": "application/json", "origin": URL, "sec-fetch-site": "same-origin"}
    assert door.anybody.post("/api/ingest", content=b'{"text": "I live in Lisbon."}', headers=own).status_code == 202


def test_with_a_token_too_only_json_is_taken(door: Door) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        assert door.http.post("/api/ingest", content=b'{"text": "x"}', headers={"content-type": kind}).status_code == 415


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:7337", "localhost.evil.example", "127.0.0.1.nip.io", "", "[::1].evil", "169.254.169.254"],
)
def test_a_name_that_is_not_ours_is_refused_whoever_asks(door: Door, host: str) -> None:
    assert door.http.get("/api/status", headers={"host": host}).status_code == 400
    assert door.anybody.get("/health", headers={"host": host}).status_code == 400


@pytest.mark.parametrize("host", ["localhost:7337", "127.0.0.1:7337", "[::1]:7337", "LOCALHOST"])
def test_this_machines_own_names_are_taken(door: Door, host: str) -> None:
    assert door.http.get("/api/status", headers={"host": host}).status_code == 200


def test_every_answer_carries_the_headers_that_keep_a_page_to_itself(door: Door) -> None:
    asked = [("GET", address(path), door.http) for method, path in routes_of(door.app) if method == "GET"]
    asked += [
        ("GET", "/", door.http),
        ("GET", "/login", door.anybody),
        ("GET", "/ui/app.js", door.anybody),
        ("GET", "/openapi.json", door.http),
    ]
    asked += [
        ("GET", "/nothing", door.http),
        ("PUT", "/api/status", door.http),
        ("GET", "/api/status", door.anybody),
        ("POST", "/api/ingest", door.http),
    ]
    for method, path, http in asked:
        response = http.request(method, path)
        assert response.headers["x-trace-id"]
        for name, value in HEADERS.items():
            assert response.headers[name] == value, (path, name)
        assert response.headers["cache-control"] == ("no-cache" if path.startswith("/ui/") else "no-store"), path
    assert "frame-ancestors 'none'" in HEADERS["Content-Security-Policy"]
