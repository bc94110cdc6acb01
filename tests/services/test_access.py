"""Who may do what (S2 to S9, S19, S35, S38 and S40 of RELIABILITY.md)."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_api.access import (
    BEARERS_PER_MINUTE,
    CODE_SECONDS,
    COOKIE,
    PAGE_KEY_HEADER,
    SECURE_COOKIE,
    Access,
    is_own_path,
    scope_for,
)
from lattice_api.app import refuse_open_door, serve
from lattice_api.token_file import SCOPES as SESSION
from lattice_api.token_file import Scope, TokenFile
from lattice_common.errors import NotConfigured
from lattice_common.settings import Settings
from lattice_common.wrong_tries import ADDRESSES_COUNTED, WrongTries
from starlette.testclient import TestClient

from tests.services.door import URL, Door, address, client, opened, routes_of, sign_in

OPEN = {("GET", "/health"), ("GET", "/ready"), ("POST", "/api/login")}

FOR_ALL_WHO_ARE_KNOWN = {("POST", "/api/logout")}

SCOPES: dict[tuple[str, str], Scope] = {
    ("POST", "/api/ingest"): "capture",
    ("POST", "/api/ingest-file"): "capture",
    ("GET", "/api/captures"): "read",
    ("GET", "/api/captures/{capture_id}/original"): "read",
    ("GET", "/api/captures/{capture_id}"): "read",
    ("GET", "/api/captures/{capture_id}/events"): "read",
    ("POST", "/api/captures/{capture_id}/retry"): "capture",
    ("POST", "/api/select"): "read",
    ("POST", "/api/answer"): "read",
    ("POST", "/api/intent"): "read",
    ("POST", "/api/do"): "admin",
    ("GET", "/api/atoms/recent"): "read",
    ("GET", "/api/atoms/related"): "read",
    ("GET", "/api/atoms/{atom_id}"): "read",
    ("PATCH", "/api/atoms/{atom_id}"): "admin",
    ("DELETE", "/api/atoms/{atom_id}"): "admin",
    ("DELETE", "/api/sources/{source_id:path}"): "admin",
    ("POST", "/api/undo/{change_id}"): "admin",
    ("POST", "/api/atoms/{atom_id}/prefer"): "admin",
    ("GET", "/api/conflicts"): "read",
    ("GET", "/api/review"): "read",
    ("GET", "/api/learn/export"): "read",
    ("POST", "/api/review"): "admin",
    ("GET", "/api/rejected"): "read",
    ("POST", "/api/rejected/{rejected_id}/keep"): "admin",
    ("GET", "/api/graph/subgraph"): "read",
    ("GET", "/api/export"): "read",
    ("GET", "/api/chat/recent"): "read",
    ("GET", "/api/chat/today"): "read",
    ("POST", "/api/chat/clear-today"): "admin",
    ("POST", "/api/capture-log"): "capture",
    ("GET", "/api/topic/depth"): "read",
    ("POST", "/api/feedback"): "capture",
    ("GET", "/api/feedback"): "read",
    ("GET", "/api/usage/summary"): "read",
    ("GET", "/api/usage/weekly"): "read",
    ("GET", "/api/auto-save/status"): "read",
    ("GET", "/api/trace/{trace_id}"): "read",
    ("GET", "/api/timeline"): "read",
    ("GET", "/api/profile"): "read",
    ("GET", "/metrics"): "read",
    ("GET", "/api/status"): "read",
    ("GET", "/api/tokens"): "admin",
    ("POST", "/api/tokens"): "admin",
    ("DELETE", "/api/tokens/{name}"): "admin",
}
"""Every route that is not open, and the one scope that it asks for; `admin` may do everything. `POST /api/query` reads, and
captures where something is told: it has a test of its own."""


@pytest.fixture
def scoped(door: Door) -> Iterator[dict[str, TestClient]]:
    """A client for each scope."""
    clients = {scope: client(door.app, door.access.store.add_token(scope, [scope])) for scope in ("read", "capture", "admin")}  # type: ignore[list-item]
    yield clients
    for each in clients.values():
        each.close()


def test_every_route_without_a_token_is_refused_or_leads_to_the_login_page(door: Door) -> None:
    routes = routes_of(door.app)
    assert {("GET", "/api/export"), ("POST", "/api/query"), ("GET", "/metrics")} <= routes
    for method, path in routes - OPEN:
        response = door.anybody.request(method, address(path))
        assert response.status_code == 401, (method, path)
        assert response.headers["www-authenticate"] == "Bearer"
    assert door.anybody.get("/openapi.json").status_code == 401
    assert door.anybody.get("/no/such/thing").status_code == 401
    page = door.anybody.get("/", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/login")


def test_what_is_open_is_open(door: Door) -> None:
    for path in ("/health", "/ready", "/login", "/ui/app.js"):
        assert door.anybody.get(path).status_code == 200


def test_the_table_of_scopes_has_every_route(door: Door) -> None:
    assert set(SCOPES) == routes_of(door.app) - OPEN - {("POST", "/api/query")} - FOR_ALL_WHO_ARE_KNOWN


def test_no_token_does_more_than_its_scope(scoped: dict[str, TestClient]) -> None:
    for (method, path), needed in SCOPES.items():
        for scope, http in scoped.items():
            status = http.request(method, address(path)).status_code
            may = scope in (needed, "admin")
            assert (status not in (401, 403)) == may, (method, path, scope, status)


def test_a_token_that_reads_asks_and_does_not_tell(scoped: dict[str, TestClient]) -> None:
    told = {"question": "I live in Lisbon.", "intent": "tell"}
    asked = {"question": "Where do I live?", "intent": "ask"}
    assert scoped["read"].post("/api/query", json=asked).status_code == 200
    assert scoped["read"].post("/api/query", json=told).status_code == 403
    assert scoped["admin"].post("/api/query", json=told).status_code == 200
    assert scoped["capture"].post("/api/query", json=asked).status_code == 403


@pytest.mark.parametrize("change", ["{}\n", "{}x", "", "A" * 1_000_000, "ünï"])
def test_a_token_that_is_nearly_right_is_wrong(door: Door, change: str) -> None:
    wrong = change.format(door.token)
    assert door.access.scopes_of({"authorization": f"Bearer {wrong}"}) == ()
    assert door.access.scopes_of({"authorization": f"Bearer {door.token.swapcase()}"}) == ()
    assert door.access.scopes_of({"authorization": f"Basic {door.token}"}) == ()


def test_tokens_are_kept_hashed_and_for_their_owner_only(door: Door) -> None:
    door.tell("The gas meter is behind the green door.")
    kept = (door.root / "access.json").read_bytes()
    assert door.token.encode() not in kept
    for path in (door.root, *door.root.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode & 0o077 == 0, (path, oct(mode))


def test_a_first_token_is_made_once(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path)  # type: ignore[call-arg]
    assert settings.auth
    first = Access(TokenFile(tmp_path), settings).make_first_token()
    assert first is not None
    assert len(first) > 43  # 256 bits in base64
    assert Access(TokenFile(tmp_path), settings).make_first_token() is None
    assert Access(TokenFile(tmp_path), settings).scopes_of({"authorization": f"Bearer {first}"})


OWN = "Tr0ub4dor&3-and-more"
"""A token of the owner's own choice, short enough to be worth guessing."""

GUESSABLE = [
    "changeme",
    "changemechangeme",
    "changeme-changeme-changeme",
    "short",
    "a" * 40,
    "my-password-is-long-enough",
    "12345678901234567890",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjkl",
    "98765432109876543210",
    "hunter2!hunter2!hunter2!",
]


@pytest.mark.parametrize("token", GUESSABLE)
def test_a_placeholder_for_a_token_is_refused_with_the_line_to_use(tmp_path: Path, token: str) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, api_token=token)  # type: ignore[call-arg]
    with pytest.raises(NotConfigured) as refused:
        Access(TokenFile(tmp_path), settings)
    assert refused.value.env_line.startswith("LATTICE_API_TOKEN=")
    assert token not in str(refused.value).replace(refused.value.env_line, "")


@pytest.mark.parametrize(
    "token", [OWN, "b7c1-9e4f-22d0-77aa", "correct horse battery staple", "Yby2ofITIytHhBtt3UmqtHc8uJ-j3qK1PEg2pVMQF5Q"]
)
def test_a_token_that_was_thought_about_is_taken(tmp_path: Path, token: str) -> None:
    access = Access(TokenFile(tmp_path), Settings(_env_file=None, data_dir=tmp_path, api_token=token))  # type: ignore[call-arg]
    assert access.scopes_of({"authorization": f"Bearer {token}"}) == SESSION


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "example.org"])
def test_an_address_that_others_reach_needs_authentication(tmp_path: Path, host: str) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, host=host, auth=False)  # type: ignore[call-arg]
    with pytest.raises(NotConfigured) as refused:
        serve(settings, on_ready=lambda _: None, on_progress=lambda *_: None)
    assert refused.value.env_line == "LATTICE_AUTH=true"
    assert list(tmp_path.iterdir()) == []
    refuse_open_door(Settings(_env_file=None, data_dir=tmp_path, host=host, auth=True))  # type: ignore[call-arg]


# Signing in


def test_a_session_cookie_is_for_this_site_only(door: Door) -> None:
    cookie = door.anybody.post("/api/login", json={"token": door.token}).headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {part.strip().lower() for part in cookie.split(";")[1:]} >= {"httponly", "samesite=strict", "path=/"}
    assert "domain" not in cookie.lower()


def test_over_tls_the_cookie_is_secure_and_bound_to_the_host(door: Door) -> None:
    with TestClient(door.app, base_url="https://localhost") as http:
        cookie = http.post("/api/login", json={"token": door.token}).headers["set-cookie"]
    assert cookie.startswith(f"{SECURE_COOKIE}=")
    assert "; Secure" in cookie


def test_a_one_time_link_signs_in_once(door: Door) -> None:
    code = door.access.make_login_code()
    sign_in(door.anybody, code=code)
    assert door.anybody.get("/api/status").status_code == 200
    door.anybody.cookies.clear()
    assert door.anybody.post("/api/login", json={"code": code}).status_code == 401


def test_a_one_time_link_gets_too_old(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    access = Access(TokenFile(door.root), Settings(_env_file=None, data_dir=door.root), now=lambda: now[0])  # type: ignore[call-arg]
    fresh, stale = access.make_login_code(), access.make_login_code()
    now[0] += CODE_SECONDS - 1
    assert access.login("here", token=None, code=fresh)
    now[0] += 2
    with pytest.raises(Exception, match="too old"):
        access.login("here", token=None, code=stale)


def test_signing_in_again_ends_the_session_before(door: Door) -> None:
    key = sign_in(door.anybody, token=door.token).json()["page_key"]
    before = {"cookie": f"{COOKIE}={door.anybody.cookies[COOKIE]}", PAGE_KEY_HEADER: key}
    assert door.access.scopes_of(before) == SESSION
    door.anybody.post("/api/login", json={"token": door.token}, headers={"origin": URL})
    assert door.access.scopes_of(before) == ()


def test_signing_out_ends_the_session(door: Door) -> None:
    key = sign_in(door.anybody, token=door.token).json()["page_key"]
    session = {"cookie": f"{COOKIE}={door.anybody.cookies[COOKIE]}", PAGE_KEY_HEADER: key}
    assert door.anybody.post("/api/logout", headers={"origin": URL}).status_code == 200
    assert door.access.scopes_of(session) == ()


def test_a_session_of_any_scope_can_sign_out(door: Door) -> None:
    sign_in(door.anybody, token=door.access.store.add_token("phone", ["capture"]))
    assert door.anybody.post("/api/ingest", json={"text": "tea"}, headers={"origin": URL}).status_code == 202
    assert door.anybody.post("/api/logout", headers={"origin": URL}).status_code == 200
    assert door.anybody.post("/api/ingest", json={"text": "tea"}, headers={"origin": URL}).status_code == 401


def test_the_cookie_alone_which_every_port_of_the_host_is_sent_opens_nothing_but_the_empty_page(door: Door) -> None:
    response = door.anybody.post("/api/login", json={"token": door.token})
    assert response.json()["page_key"] not in response.headers["set-cookie"]
    for method, path in (("GET", "/api/status"), ("POST", "/api/tokens"), ("GET", "/api/export"), ("GET", "/openapi.json")):
        assert door.anybody.request(method, path, headers={"origin": URL}).status_code == 401, path
    assert door.anybody.get("/", headers={"accept": "text/html"}).status_code == 200
    wrong = {PAGE_KEY_HEADER: response.json()["page_key"].swapcase()}
    assert door.anybody.get("/api/status", headers=wrong).status_code == 401


def test_the_pages_key_alone_opens_nothing(door: Door) -> None:
    sign_in(door.anybody, token=door.token)
    door.anybody.cookies.clear()
    assert door.anybody.get("/api/status").status_code == 401
    assert door.anybody.get("/", headers={"accept": "text/html"}).status_code == 303


@pytest.mark.parametrize("kept", [b"cookie", b"page_key"])
def test_neither_half_of_a_session_is_kept_in_plain(door: Door, kept: bytes) -> None:
    key = sign_in(door.anybody, token=door.token).json()["page_key"]
    half = door.anybody.cookies[COOKIE] if kept == b"cookie" else key
    assert half.encode() not in (door.root / "access.json").read_bytes()


FOREIGN_COOKIES = [
    "foo[bar]=1",
    'settings={"theme":"dark","size":[1,2]}',
    "größe=schön",
    "a b=c d",
    "=; ;;=x",
    'quoted="half',
    f"x{COOKIE}=1",
    f"{COOKIE}=of-a-program-on-another-port",
    f"{SECURE_COOKIE}=of-a-program-on-another-port",
]


@pytest.mark.parametrize("foreign", FOREIGN_COOKIES)
def test_cookies_of_other_programs_on_the_host_sign_nobody_out(door: Door, foreign: str) -> None:
    key = sign_in(door.anybody, token=door.token).json()["page_key"]
    own = f"{COOKIE}={door.anybody.cookies[COOKIE]}"
    door.anybody.cookies.clear()
    for header in (f"{foreign}; {own}", f"{own}; {foreign}"):
        sent = {"cookie": header.encode(), PAGE_KEY_HEADER.encode(): key.encode()}
        assert door.anybody.get("/api/status", headers=sent).status_code == 200, header


def test_revoking_a_token_ends_every_session(door: Door) -> None:
    door.access.store.add_token("phone", ["read"])
    sign_in(door.anybody, token=door.token)
    assert door.anybody.get("/api/status").status_code == 200
    assert door.http.delete("/api/tokens/phone").status_code == 200
    assert door.anybody.get("/api/status").status_code == 401


@pytest.mark.parametrize(("before", "after"), [(OWN, OWN[::-1]), (None, OWN), (OWN, None)])
def test_a_new_token_of_the_owners_ends_every_session(tmp_path: Path, before: str | None, after: str | None) -> None:
    def started(token: str | None) -> Access:
        return Access(TokenFile(tmp_path), Settings(_env_file=None, data_dir=tmp_path, api_token=token))  # type: ignore[call-arg]

    first = started(before)
    new = first.login("here", token=before or first.make_first_token(), code=None)
    session = {"cookie": f"{COOKIE}={new.cookie}", PAGE_KEY_HEADER: new.page_key}
    assert started(before).scopes_of(session) == SESSION
    assert OWN not in (tmp_path / "access.json").read_text()
    assert started(after).scopes_of(session) == ()
    assert started(before).scopes_of(session) == ()


def test_a_session_of_the_version_before_ends_and_its_tokens_stay(tmp_path: Path) -> None:
    token = TokenFile(tmp_path).add_token("phone", ["read"])
    kept = json.loads((tmp_path / "access.json").read_text())
    del kept["fixed_token"]
    kept["sessions"] = [{"hash": "0" * 64, "scopes": ["admin"], "expires_at": 9e9}]
    (tmp_path / "access.json").write_text(json.dumps(kept))
    assert TokenFile(tmp_path).scopes_of_token(token) == ("read",)
    assert not TokenFile(tmp_path).has_session(["x"])


def test_the_sixth_wrong_try_to_sign_in_within_a_minute_has_to_wait_whatever_it_says_it_comes_from(door: Door) -> None:
    wrong = [
        door.anybody.post("/api/login", json={"token": "wrong"}, headers={"x-forwarded-for": f"203.0.113.{number}"})
        for number in range(6)
    ]
    assert [answer.status_code for answer in wrong] == [401] * 5 + [429]
    assert int(wrong[-1].headers["retry-after"]) > 0
    assert door.http.get("/api/status").status_code == 200


def test_wrong_tries_lock_nobody_out_who_has_a_token_or_a_link(door: Door) -> None:
    for _ in range(8):
        door.anybody.post("/api/login", json={"token": "wrong"})
    assert door.anybody.post("/api/login", json={"token": "wrong"}).status_code == 429
    assert door.anybody.post("/api/login", json={"token": door.token}).status_code == 200
    link = {"code": door.access.make_login_code()}
    assert door.anybody.post("/api/login", json=link, headers={"origin": URL}).status_code == 200


@pytest.mark.parametrize(("token", "status"), [(OWN, 429), (OWN * 2, 200)])
def test_only_a_token_that_could_be_guessed_is_kept_from_being_tried_on(tmp_path: Path, token: str, status: int) -> None:
    with opened(tmp_path / "data", start=False, api_token=token) as own:
        for _ in range(5):
            own.anybody.post("/api/login", json={"token": "wrong"})
        assert own.anybody.post("/api/login", json={"token": token}).status_code == status


def test_wrong_tokens_are_counted_on_every_route_and_right_ones_go_on(door: Door) -> None:
    def asked(token: str) -> int:
        return door.anybody.get("/api/status", headers={"authorization": f"Bearer {token}"}).status_code

    assert [asked(f"guess-{number}") for number in range(BEARERS_PER_MINUTE + 1)] == [401] * BEARERS_PER_MINUTE + [429]
    assert asked(door.token) == 200


def test_a_minute_after_the_wrong_tries_they_are_forgotten() -> None:
    now = [0.0]
    tries = WrongTries(2, lambda: now[0])
    tries.count("here")
    now[0] = 30
    tries.count("here")
    assert tries.are_many("here")
    assert not tries.are_many("there")
    now[0] = 60.5
    assert not tries.are_many("here")
    for number in range(ADDRESSES_COUNTED):
        tries.count(f"elsewhere {number}")
    assert len(tries._tries) == ADDRESSES_COUNTED


@pytest.mark.parametrize(
    "elsewhere",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example/",
        "/.//evil.example",
        "/a\\b",
        "javascript:alert(1)",
        "evil",
        "/%09/evil\n",
        "",
        URL + "//evil.example",
    ],
)
def test_signing_in_never_leads_to_another_site(door: Door, elsewhere: str) -> None:
    assert not is_own_path(elsewhere)
    response = door.anybody.get("/login", params={"next": elsewhere})
    assert (response.status_code, response.headers["location"]) == (303, "/login")


@pytest.mark.parametrize("own", ["/", "/?title=A%20note&text=x", "/ui/app.js", "/?url=https://example.org/a"])
def test_signing_in_leads_back_to_where_one_was(door: Door, own: str) -> None:
    assert is_own_path(own)
    assert door.anybody.get("/login", params={"next": own}).status_code == 200


def test_every_scope_that_routes_need_is_one_that_tokens_have(door: Door) -> None:
    assert {scope_for(method, path) for method, path in SCOPES} == {"read", "capture", "admin"}


def test_what_a_phone_shared_is_brought_along_to_the_login_page(door: Door) -> None:
    page = door.anybody.get("/?text=tea", headers={"accept": "text/html"})
    assert page.headers["location"] == "/login?next=%2F%3Ftext%3Dtea"
