"""Other sites in the owner's browser, other names, other pages: none gets in (S5, S6, S8 and S9 of docs/security-checks.md)."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_api.guard import HEADERS

from tests.services.door import URL, Door, address, opened, routes_of, sign_in


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


NAS = {"allowed_hosts": "nas.local", "host": "192.168.1.4"}


def taken_from(root: Path, origin: str, asked: str, *, forwarded: str = "", **settings: str) -> int:
    """The status of what a page of that origin sends, signed in or not, to a Lattice with these settings."""
    with opened(root, start=False, **settings) as door:
        headers = {"origin": origin, "host": asked, **({"x-forwarded-proto": forwarded} if forwarded else {})}
        response = door.http.post("/api/ingest", json={"text": "I live in Lisbon."}, headers=headers)
        assert response.status_code in (202, 403), response.text
        return response.status_code


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://nas.local:8080", "nas.local:7337"),
        ("http://nas.local", "nas.local:7337"),
        ("https://nas.local:7337", "nas.local:7337"),
        ("https://nas.local", "nas.local"),
        ("http://nas.local:7337", "localhost:7337"),
        ("http://192.168.1.4:8080", "192.168.1.4:7337"),
        ("https://192.168.1.4:7337", "192.168.1.4:7337"),
        ("http://localhost:7337", "nas.local:7337"),
    ],
)
def test_another_port_or_scheme_of_a_name_that_is_allowed_is_another_site(tmp_path: Path, origin: str, host: str) -> None:
    assert taken_from(tmp_path, origin, host, **NAS) == 403


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://nas.local:7337", "nas.local:7337"),
        ("http://NAS.local:7337", "nas.local:7337"),
        ("http://192.168.1.4:7337", "192.168.1.4:7337"),
        ("http://nas.local", "nas.local:80"),
        ("http://[::1]:7337", "[::1]:7337"),
    ],
)
def test_the_page_of_the_very_address_that_is_asked_is_ours(tmp_path: Path, origin: str, host: str) -> None:
    assert taken_from(tmp_path, origin, host, **NAS) == 202


def test_behind_a_proxy_the_page_is_the_address_that_is_set_however_the_proxy_rewrites_the_host(tmp_path: Path) -> None:
    at = {"public_url": "https://memory.example/"}
    for number, (origin, host, status) in enumerate(
        [
            ("https://memory.example", "memory.example", 202),
            ("https://memory.example", "localhost:7337", 202),
            ("https://memory.example:8443", "memory.example", 403),
            ("http://memory.example", "memory.example", 403),
            ("http://memory.example:7337", "memory.example:7337", 403),
        ]
    ):
        assert taken_from(tmp_path / str(number), origin, host, **at) == status, (origin, host)


def test_an_origin_among_the_allowed_names_is_a_page_of_ours_and_its_name_one_of_ours(tmp_path: Path) -> None:
    at = {"allowed_hosts": "api, https://memory.example:8443"}
    assert taken_from(tmp_path / "own", "https://memory.example:8443", "memory.example:8443", **at) == 202
    assert taken_from(tmp_path / "other", "https://memory.example", "memory.example", **at) == 403


def test_a_proxy_says_that_it_was_https(tmp_path: Path) -> None:
    at = {"allowed_hosts": "memory.example"}
    page = "https://memory.example"
    assert taken_from(tmp_path / "said", page, "memory.example", forwarded="https", **at) == 202
    assert taken_from(tmp_path / "unsaid", page, "memory.example", **at) == 403
    assert taken_from(tmp_path / "plain", "http://memory.example", "memory.example", forwarded="https", **at) == 403


def test_who_is_refused_behind_a_proxy_is_told_the_line_to_set(tmp_path: Path) -> None:
    with opened(tmp_path, start=False, allowed_hosts="memory.example") as door:
        sent = {"origin": "https://memory.example", "host": "memory.example"}
        refused = door.http.post("/api/ingest", json={"text": "x"}, headers=sent)
    assert "LATTICE_PUBLIC_URL=https://memory.example" in refused.json()["detail"]


def test_the_cookie_is_secure_where_a_proxy_says_that_it_was_https(tmp_path: Path) -> None:
    with opened(tmp_path, start=False) as door:
        said = {"x-forwarded-proto": "https", "origin": "https://localhost:7337"}
        cookie = door.anybody.post("/api/login", json={"token": door.token}, headers=said).headers["set-cookie"]
    assert cookie.startswith("__Host-")
    assert "; Secure" in cookie


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
    sign_in(door.anybody, token=door.token)
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
    door.app.state.ending.set()  # or the changes would be told for ever
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
