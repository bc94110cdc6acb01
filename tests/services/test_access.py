"""Who may do what (S2 to S9, S19, S35, S38 and S40 of docs/security-checks.md)."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_api.access import PAGE_KEY_HEADER, Access, scope_for
from lattice_api.app import refuse_open_door, serve
from lattice_api.token_file import SCOPES as SESSION
from lattice_api.token_file import Scope, TokenFile
from lattice_common.errors import NotConfigured
from lattice_common.settings import Settings
from starlette.testclient import TestClient

from tests.services.door import Door, address, client, routes_of, sign_in

OPEN = {("GET", "/health"), ("GET", "/ready"), ("POST", "/api/login")}

FOR_ALL_WHO_ARE_KNOWN = {("POST", "/api/logout")}

SCOPES: dict[tuple[str, str], Scope] = {
    ("POST", "/api/ingest"): "capture",
    ("POST", "/api/ingest-file"): "capture",
    ("POST", "/api/imports"): "capture",
    ("GET", "/api/captures"): "read",
    ("GET", "/api/captures/{capture_id}/original"): "read",
    ("GET", "/api/captures/{capture_id}"): "read",
    ("GET", "/api/captures/{capture_id}/events"): "read",
    ("POST", "/api/captures/{capture_id}/retry"): "capture",
    ("POST", "/api/select"): "read",
    ("POST", "/api/answer"): "read",
    ("POST", "/api/intent"): "read",
    ("POST", "/api/do"): "admin",
    ("POST", "/api/login/link"): "admin",
    ("GET", "/api/atoms"): "read",
    ("GET", "/api/atoms/recent"): "read",
    ("GET", "/api/names"): "read",
    ("GET", "/api/names/beside"): "read",
    ("GET", "/api/difference"): "read",
    ("GET", "/api/captures/{capture_id}/text"): "read",
    ("GET", "/api/sources/{source_id:path}"): "read",
    ("GET", "/api/needs"): "read",
    ("GET", "/api/unread"): "read",
    ("POST", "/api/unread/{capture_id}/dismiss"): "admin",
    ("DELETE", "/api/unread/{capture_id}/dismiss"): "admin",
    ("GET", "/api/undone"): "read",
    ("GET", "/api/trash"): "read",
    ("GET", "/api/trash/{change_id}"): "read",
    ("GET", "/api/atoms/related"): "read",
    ("GET", "/api/atoms/{atom_id}"): "read",
    ("PATCH", "/api/atoms/{atom_id}"): "admin",
    ("DELETE", "/api/atoms/{atom_id}"): "admin",
    ("POST", "/api/forget"): "admin",
    ("DELETE", "/api/sources/{source_id:path}"): "admin",
    ("POST", "/api/undo/{change_id}"): "admin",
    ("POST", "/api/atoms/{atom_id}/prefer"): "admin",
    ("GET", "/api/conflicts"): "read",
    ("GET", "/api/review"): "read",
    ("GET", "/api/learn/export"): "read",
    ("GET", "/api/archive"): "read",
    ("GET", "/api/archive/candidates"): "read",
    ("POST", "/api/archive"): "admin",
    ("POST", "/api/archive/restore"): "admin",
    ("POST", "/api/review"): "admin",
    ("GET", "/api/rejected"): "read",
    ("POST", "/api/rejected/{rejected_id}/keep"): "admin",
    ("GET", "/api/entities"): "read",
    ("GET", "/api/entities/{entity_id}"): "read",
    ("GET", "/api/entity"): "read",
    ("POST", "/api/entities/merge"): "admin",
    ("POST", "/api/entities/split"): "admin",
    ("GET", "/api/graph/subgraph"): "read",
    ("GET", "/api/export"): "read",
    ("GET", "/api/changes"): "read",
    ("GET", "/api/chat/recent"): "read",
    ("GET", "/api/chat/today"): "read",
    ("POST", "/api/chat/clear-today"): "admin",
    ("POST", "/api/capture-log"): "capture",
    ("GET", "/api/topic/depth"): "read",
    ("POST", "/api/feedback"): "capture",
    ("GET", "/api/feedback"): "read",
    ("GET", "/api/usage/summary"): "read",
    ("GET", "/api/usage/weekly"): "read",
    ("GET", "/api/usage/stats"): "read",
    ("GET", "/api/imports"): "read",
    ("GET", "/api/graph/stats"): "read",
    ("GET", "/api/graph/node"): "read",
    ("GET", "/api/graph/path"): "read",
    ("POST", "/api/atoms/{atom_id}/merge"): "admin",
    ("GET", "/api/auto-save/status"): "read",
    ("GET", "/api/trace/{trace_id}"): "read",
    ("GET", "/api/timeline"): "read",
    ("GET", "/api/profile"): "read",
    ("GET", "/api/today"): "read",
    ("GET", "/metrics"): "read",
    ("GET", "/api/ops"): "read",
    ("POST", "/api/backup"): "admin",
    ("GET", "/api/status"): "read",
    ("GET", "/api/audit"): "admin",
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
    page = door.anybody.get("/index.html", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/login")
    assert door.http.get("/index.html").content == door.http.get("/").content


def test_who_may_only_tell_is_shown_no_memory_by_judging_it(door: Door, scoped: dict[str, TestClient]) -> None:
    told = door.tell("The spare key is with Ines.")
    verdict = {"atom_ids": told["atom_ids"], "verdict": "up"}
    refused = scoped["capture"].post("/api/feedback", json=verdict)
    assert (refused.status_code, "Ines" in refused.text) == (403, False)
    assert scoped["read"].post("/api/feedback", json=verdict).status_code == 403
    with client(door.app, door.access.store.add_token("both", ["read", "capture"])) as both:
        assert both.post("/api/feedback", json=verdict).status_code == 200


def test_every_view_leads_to_the_login_page_and_back(door: Door) -> None:
    for path in (
        "/memories",
        "/m/01j00000000000000000000000",
        "/about/Jos%C3%A9",
        "/source/a%2Fb",
        "/review",
        "/when?at=2026-01-31",
    ):
        sent = door.anybody.get(path, headers={"accept": "text/html"})
        assert sent.status_code == 303, path
        login = door.anybody.get(sent.headers["location"])
        assert login.status_code == 200, (path, sent.headers["location"])
    assert door.anybody.get("/secrets", headers={"accept": "text/html"}).status_code == 401


def test_a_views_address_gives_the_page_to_a_session_and_nothing_else(door: Door) -> None:
    sign_in(door.anybody, token=door.token)
    del door.anybody.headers[PAGE_KEY_HEADER]  # an address is opened with the cookie alone
    for path in ("/", "/memories", "/m/x", "/about/Ingrid", "/source/x", "/review", "/when", "/me", "/graph", "/settings"):
        page = door.anybody.get(path)
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8"), path
        assert re.search(r'<script type="module" src="/ui/[0-9a-f]{12}/start.js">', page.text)
    assert door.anybody.get("/api/atoms").status_code == 401


def test_what_is_open_is_open(door: Door) -> None:
    for path in ("/health", "/api/health", "/ready", "/login", "/ui/app.js", "/sw.js"):
        assert door.anybody.get(path).status_code == 200


def test_the_table_of_scopes_has_every_route(door: Door) -> None:
    assert set(SCOPES) == routes_of(door.app) - OPEN - {("POST", "/api/query")} - FOR_ALL_WHO_ARE_KNOWN


def test_no_token_does_more_than_its_scope(door: Door, scoped: dict[str, TestClient]) -> None:
    door.app.state.ending.set()  # or the changes would be told for ever
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
    assert door.access.holder_of({"authorization": f"Bearer {wrong}"}) is None
    assert door.access.holder_of({"authorization": f"Bearer {door.token.swapcase()}"}) is None
    assert door.access.holder_of({"authorization": f"Basic {door.token}"}) is None


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
    assert Access(TokenFile(tmp_path), settings).holder_of({"authorization": f"Bearer {first}"})


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
    assert (holder := access.holder_of({"authorization": f"Bearer {token}"}))
    assert holder.scopes == SESSION


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "example.org"])
def test_an_address_that_others_reach_needs_authentication(tmp_path: Path, host: str) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, host=host, auth=False)  # type: ignore[call-arg]
    with pytest.raises(NotConfigured):
        refuse_open_door(settings)  # first: where it lets this through, what follows listens and never ends
    with pytest.raises(NotConfigured) as refused:
        serve(settings, on_ready=lambda _: None, on_progress=lambda *_: None)
    assert refused.value.env_line == "LATTICE_AUTH=true"
    assert list(tmp_path.iterdir()) == []
    refuse_open_door(Settings(_env_file=None, data_dir=tmp_path, host=host, auth=True))  # type: ignore[call-arg]


def test_every_scope_that_routes_need_is_one_that_tokens_have(door: Door) -> None:
    assert {scope_for(method, path) for method, path in SCOPES} == {"read", "capture", "admin"}
