"""Signing in, and what a session is (S4, S5 and S38 of docs/security-checks.md)."""

from __future__ import annotations

import json
import time
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
)
from lattice_api.token_file import SCOPES, Scope, TokenFile
from lattice_common.settings import Settings
from lattice_common.wrong_tries import ADDRESSES_COUNTED, WrongTries
from starlette.testclient import TestClient

from tests.services.door import URL, Door, client, opened, sign_in

OWN = "Tr0ub4dor&3-and-more"
"""A token of the owner's own choice, short enough to be worth guessing."""


def scopes_of(access: Access, headers: dict[str, str]) -> tuple[str, ...]:
    holder = access.holder_of(headers)
    return holder.scopes if holder is not None else ()


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


def test_a_token_makes_a_link_that_signs_in_once_as_itself(door: Door) -> None:
    made = door.http.post("/api/login/link", headers={"authorization": f"Bearer {door.access.store.add_token('lent', SCOPES)}"})
    assert (made.status_code, made.json()["seconds"]) == (201, CODE_SECONDS)
    sign_in(door.anybody, code=made.json()["code"])
    assert door.anybody.get("/api/tokens").status_code == 200
    door.access.store.revoke_token("lent")
    assert door.anybody.get("/api/status").status_code == 401, "the browser is out with the token that let it in"
    door.anybody.cookies.clear()
    assert door.anybody.post("/api/login", json={"code": made.json()["code"]}).status_code == 401


def test_a_link_of_a_token_that_was_revoked_meanwhile_opens_nothing(door: Door) -> None:
    code = door.access.make_login_code(door.access.store.add_token("lent", SCOPES))
    door.access.store.revoke_token("lent")
    assert door.anybody.post("/api/login", json={"code": code}).status_code == 401


def test_what_a_link_signs_in_ends_with_its_token(door: Door) -> None:
    token = door.access.store.add_token("guest", SCOPES, time.time() + 600)
    session, _ = door.access.login("here", token=None, code=door.access.make_login_code(token))
    headers = {"cookie": f"{COOKIE}={session.cookie}", PAGE_KEY_HEADER: session.page_key}
    assert scopes_of(door.access, headers) == SCOPES
    kept = json.loads((door.root / "access.json").read_text())["sessions"][-1]
    assert kept["expires_at"] <= time.time() + 600


@pytest.mark.parametrize("scopes", [("read",), ("capture",)])
def test_a_token_that_may_not_rule_makes_no_link(door: Door, scopes: tuple[Scope, ...]) -> None:
    headers = {"authorization": f"Bearer {door.access.store.add_token('less', scopes)}"}
    assert door.http.post("/api/login/link", headers=headers).status_code == 403


def test_a_browser_makes_no_link(door: Door) -> None:
    sign_in(door.anybody, token=door.token)
    refused = door.anybody.post("/api/login/link", headers={"origin": URL})
    assert (refused.status_code, "Authorization: Bearer" in refused.json()["detail"]) == (403, True)


def test_signing_in_again_ends_the_session_before(door: Door) -> None:
    key = sign_in(door.anybody, token=door.token).json()["page_key"]
    before = {"cookie": f"{COOKIE}={door.anybody.cookies[COOKIE]}", PAGE_KEY_HEADER: key}
    assert scopes_of(door.access, before) == SCOPES
    door.anybody.post("/api/login", json={"token": door.token}, headers={"origin": URL})
    assert door.access.holder_of(before) is None


def test_signing_out_ends_the_session(door: Door) -> None:
    key = sign_in(door.anybody, token=door.token).json()["page_key"]
    session = {"cookie": f"{COOKIE}={door.anybody.cookies[COOKIE]}", PAGE_KEY_HEADER: key}
    assert door.anybody.post("/api/logout", headers={"origin": URL}).status_code == 200
    assert door.access.holder_of(session) is None


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
    new, _ = first.login("here", token=before or first.make_first_token(), code=None)
    session = {"cookie": f"{COOKIE}={new.cookie}", PAGE_KEY_HEADER: new.page_key}
    assert scopes_of(started(before), session) == SCOPES
    assert OWN not in (tmp_path / "access.json").read_text()
    assert started(after).holder_of(session) is None
    assert started(before).holder_of(session) is None


def test_a_session_of_the_version_before_ends_and_its_tokens_stay(tmp_path: Path) -> None:
    token = TokenFile(tmp_path).add_token("phone", ["read"])
    kept = json.loads((tmp_path / "access.json").read_text())
    del kept["fixed_token"]
    kept["sessions"] = [{"hash": "0" * 64, "scopes": ["admin"], "expires_at": 9e9}]
    (tmp_path / "access.json").write_text(json.dumps(kept))
    assert TokenFile(tmp_path).scopes_of_token(token) == ("read",)
    assert not TokenFile(tmp_path).has_session(["x"])


def test_a_token_opens_nothing_after_its_days_nor_does_a_browser_that_it_signed_in(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = door.http.post("/api/tokens", json={"name": "guest", "scopes": ["read"], "days": 7}).json()
    token, headers = made["token"], {"authorization": f"Bearer {made['token']}"}
    listed = {each["name"]: each["expires_at"] for each in door.http.get("/api/tokens").json()["tokens"]}
    assert listed["guest"] == made["expires_at"]
    assert {until for name, until in listed.items() if name != "guest"} == {None}
    key = sign_in(door.anybody, token=token).json()["page_key"]
    session = {"cookie": f"{COOKIE}={door.anybody.cookies[COOKIE]}", PAGE_KEY_HEADER: key}
    now = time.time()
    for days, scopes in ((6.9, ("read",)), (7.1, ())):
        monkeypatch.setattr(time, "time", lambda days=days: now + days * 86_400)
        kept = TokenFile(door.root)
        assert [kept.scopes_of_token(token), scopes_of(door.access, headers), scopes_of(door.access, session)] == [scopes] * 3
    assert door.anybody.post("/api/login", json={"token": token}, headers={"origin": URL}).status_code == 401
    assert scopes_of(door.access, {"authorization": f"Bearer {door.token}"}) == SCOPES


@pytest.mark.parametrize("days", [None, 1, 30])
def test_a_token_that_ends_makes_none_that_outlasts_it_nor_does_its_browser(door: Door, days: int | None) -> None:
    lent = door.http.post("/api/tokens", json={"name": "lent", "scopes": ["admin"], "days": 7}).json()
    sign_in(door.anybody, token=lent["token"])
    with client(door.app, lent["token"]) as http:
        for name, sender in (("made", http), ("made-in-browser", door.anybody)):
            made = sender.post(
                "/api/tokens", json={"name": name, "scopes": ["admin"], "days": days}, headers={"origin": URL}
            ).json()
            assert (made["expires_at"] < lent["expires_at"]) if days == 1 else (made["expires_at"] == lent["expires_at"])


@pytest.mark.parametrize("days", [0, -1, 3651, "x"])
def test_days_of_a_token_are_some(door: Door, days: object) -> None:
    assert door.http.post("/api/tokens", json={"name": "guest", "scopes": ["read"], "days": days}).status_code == 422


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
    tries.count("here")
    for number in range(ADDRESSES_COUNTED - 1):
        tries.count(f"elsewhere {number}")
    assert tries.are_many("here")
    tries.count("one more")
    assert not tries.are_many("here"), "tries of more addresses are kept than may be"


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


def test_what_a_phone_shared_is_brought_along_to_the_login_page(door: Door) -> None:
    page = door.anybody.get("/?text=tea", headers={"accept": "text/html"})
    assert page.headers["location"] == "/login?next=%2F%3Ftext%3Dtea"
