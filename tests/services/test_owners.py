"""Several owners behind one address: each has their own, both have what they share, and nothing crosses."""

from __future__ import annotations

import asyncio
import io
import json
import os
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lattice_api.access import PAGE_KEY_HEADER
from lattice_common.adapters.files.backup_archive import back_up
from lattice_common.composition import open_embedded, open_spaces
from lattice_common.errors import Conflict, InvalidInput, NotConfigured
from lattice_common.logs import RECENT
from lattice_common.origins import Origins
from lattice_common.settings import Settings
from lattice_common.spaces import owners_of, space_of, spaces_of
from lattice_mcp.http_door import create_app as create_mcp
from lattice_mcp.memory import Memory
from mcp_product import NOBODY, over_http
from starlette.testclient import TestClient

from tests.services.cli_product import Shell
from tests.services.door import URL, address, client, routes_of
from tests.services.door import opened as opened_for_one
from tests.services.household import SHARED, House, chosen, found, opened, reached, told
from tests.serving import serving

OF_ADA = "The safe is behind the heron painting."
OF_BEN = "The ring for Saskia is hidden in the piano."
OF_BOTH = "The boiler is serviced by Mr. Quist."


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened(tmp_path_factory.mktemp("house"), trace=True) as found_open:
        told(found_open.ada, OF_ADA)
        told(found_open.ben, OF_BEN)
        told(found_open.ada, OF_BOTH, **SHARED)
        for each in (found_open.ada, found_open.ben):
            each.post("/api/answer", json={"question": "Where is it hidden?", "channel": "page"})
        yield found_open


def test_each_owner_finds_their_own(house: House) -> None:
    assert OF_ADA in found(house.ada, "painting")
    assert OF_BEN in found(house.ben, "painting piano ring")


def test_nobody_finds_anothers(house: House) -> None:
    assert OF_BEN not in found(house.ada, "ring for Saskia in the piano")
    assert OF_ADA not in found(house.ben, "safe behind the heron painting")
    for each in (house.ada, house.ben):
        assert not {OF_ADA, OF_BEN} & set(found(each, "safe heron ring piano Saskia", **SHARED))


def test_what_is_shared_is_found_by_both_and_only_there(house: House) -> None:
    for each in (house.ada, house.ben):
        assert OF_BOTH in found(each, "boiler", **SHARED)
        assert OF_BOTH not in found(each, "boiler serviced by Quist")


def test_what_one_tells_the_shared_space_the_other_may_change(house: House) -> None:
    capture = told(house.ada, "The cellar key hangs beside the meter.", **SHARED)
    atom = capture["atom_ids"][0]
    assert house.ben.delete(f"/api/atoms/{atom}", headers=SHARED).status_code == 200
    assert not any("cellar" in each for each in found(house.ada, "cellar key", **SHARED))


def _ids(http: TestClient, **headers: str) -> dict[str, str]:
    atom = http.get("/api/atoms/recent", headers=headers).json()["atoms"][0]
    captures = http.get("/api/captures", headers=headers).json()["captures"]
    asked = http.post("/api/answer", json={"question": "What is hidden?"}, headers=headers)
    return {
        "atom_id": atom["atom_id"],
        "capture_id": captures[0]["capture_id"],
        "source_id": captures[0]["capture_id"],
        "entity_id": "entity:saskia",
        "trace_id": asked.headers["x-trace-id"],
        "change_id": captures[0]["capture_id"],
        "rejected_id": captures[0]["capture_id"],
        "name": "a-name-of-bens",
    }


def _filled(path: str, ids: dict[str, str]) -> str:
    for name, value in ids.items():
        path = path.replace(f"{{{name}:path}}", value).replace(f"{{{name}}}", value)
    return path


BODIES: dict[str, Any] = {
    "/api/select": {"query": "Where is the ring hidden?", "include_archived": True},
    "/api/answer": {"question": "Where is the ring hidden?"},
    "/api/query": {"question": "Where is the ring hidden?"},
    "/api/do": {"text": "delete everything about the ring"},
    "/api/intent": {"text": "Where is the ring?"},
}


def test_no_route_shows_or_changes_what_is_anothers(house: House) -> None:
    """Every route that there is, with the ids of Ben's memory and Ada's token, to her own space and to the shared one."""
    ids = _ids(house.ben)
    house.parts["ben"].access.store.add_token(ids["name"], ("read",))
    looked = 0
    before = house.ben.get("/api/export").content
    for method, route in sorted(routes_of(house.parts["ben"].app)):
        if route in ("/api/changes", "/api/logout", "/api/login", "/api/captures/{capture_id}/events"):
            continue  # streams, and what ends the tokens of this test, have tests of their own
        path = address(_filled(route, ids))
        atom = ids["atom_id"]
        body = BODIES.get(route, {"atom_id": atom, "ids": [atom], "atom_ids": [atom], "query": "the ring"})
        for headers in ({}, SHARED):
            sent = {"json": body} if method in ("POST", "PATCH") else {}
            response = house.ada.request(method, path, headers={**headers, "if-match": "*"}, **sent)
            assert response.status_code < 500, (method, path, response.text)
            assert "piano" not in response.text, (method, path)
            looked += 1
    assert looked > 100
    assert ids["name"] in house.ben.get("/api/tokens").text
    assert house.ben.get("/api/export").content == before


@pytest.mark.parametrize("space", ["ben", "ada", "Shared", "", "../ben", "ben, shared"])
def test_a_space_that_is_not_ones_own_is_refused_whether_or_not_it_is_there(house: House, space: str) -> None:
    asked = {"lattice-space": space}
    sender = house.ben if space == "ada" else house.ada
    refused = sender.post("/api/select", json={"query": "ring"}, headers=asked)
    assert refused.status_code == 403
    assert "shared" in refused.json()["detail"]
    unknown = sender.post("/api/select", json={"query": "ring"}, headers={"lattice-space": "nobody"})
    assert refused.json()["detail"] == unknown.json()["detail"]


def test_ones_own_space_may_be_named(house: House) -> None:
    assert OF_ADA in found(house.ada, "painting", **{"lattice-space": "ada"})


def test_who_has_no_token_gets_into_no_space(house: House) -> None:
    for headers in ({}, SHARED, {"lattice-space": "ben"}):
        assert house.anybody.post("/api/select", json={"query": "ring"}, headers=headers).status_code == 401
        wrong = {**headers, "authorization": "Bearer lattice_wrong"}
        assert house.anybody.get("/api/status", headers=wrong).status_code == 401


def test_a_token_of_the_shared_space_opens_that_and_nothing_else(house: House) -> None:
    with reached(house.router, house.token("shared")) as tablet:
        assert OF_BOTH in found(tablet, "boiler")
        assert OF_BOTH in found(tablet, "boiler", **SHARED)
        for space in ("ada", "ben"):
            assert tablet.get("/api/status", headers={"lattice-space": space}).status_code == 403
        assert not {OF_ADA, OF_BEN} & set(found(tablet, "safe heron ring piano"))


def test_a_scope_is_no_wider_in_the_shared_space(house: House) -> None:
    with reached(house.router, house.token("ben", "read")) as reader:
        assert OF_BOTH in found(reader, "boiler", **SHARED)
        assert reader.post("/api/ingest", json={"text": "No."}, headers=SHARED).status_code == 403


def test_every_app_refuses_anothers_token_by_itself(house: House) -> None:
    """Whatever the router does: the guard of each space knows only who belongs there."""
    for name, part in house.parts.items():
        for other in house.parts:
            with client(part.app, house.token(other)) as http:
                may = name == other or (name == "shared" and other != "shared")
                assert http.get("/api/status").status_code == (200 if may else 401), (name, other)


def test_tokens_are_listed_made_and_revoked_in_ones_own_space(house: House) -> None:
    made = house.ada.post("/api/tokens", json={"name": "phone", "scopes": ["read"]}).json()["token"]
    assert house.ben.delete("/api/tokens/phone").status_code == 404
    assert "phone" not in house.ben.get("/api/tokens").text
    with reached(house.router, made) as phone:
        assert OF_ADA in found(phone, "painting")
        assert house.ada.delete("/api/tokens/phone").status_code == 200
        assert phone.get("/api/status").status_code == 401


def _signed_in(house: House, **credential: str) -> TestClient:
    browser = reached(house.router, None)
    browser.headers["origin"] = URL
    response = browser.post("/api/login", json=credential)
    assert response.status_code == 200, response.text
    browser.headers[PAGE_KEY_HEADER] = response.json()["page_key"]
    return browser


def test_a_browser_is_in_the_space_of_the_token_or_link_it_signed_in_with(house: House) -> None:
    with _signed_in(house, token=house.token("ben", "read", "capture", "admin")) as browser:
        assert OF_BEN in found(browser, "ring")
        assert OF_ADA not in found(browser, "safe heron")
        assert OF_BOTH in found(browser, "boiler", **SHARED)
        assert browser.get("/").status_code == 200
        assert browser.post("/api/logout", headers=SHARED).status_code == 200
    with _signed_in(house, code=house.parts["ben"].access.make_login_code()) as browser:
        assert OF_BEN in found(browser, "ring")


def _noted(http: TestClient, **headers: str) -> list[tuple[str, str]]:
    return [(each["who"], each["route"]) for each in http.get("/api/audit", headers=headers).json()["requests"]]


def test_who_signed_in_is_noted_in_their_own_space_and_in_no_other(house: House) -> None:
    admin = house.parts["ben"].access.store.add_token("bens-laptop", ("read", "capture", "admin"))
    with _signed_in(house, token=admin), reached(house.router, admin) as laptop:
        assert _noted(laptop)[0] == ("bens-laptop", "POST /api/login")
        assert "bens-laptop" not in {who for who, _ in _noted(house.ada)}


def test_in_the_shared_space_it_is_noted_whose_token_it_was(house: House) -> None:
    for name in ("ada", "ben"):
        phone = house.parts[name].access.store.add_token("kitchen-phone", ("capture",))
        with reached(house.router, phone) as http:
            told(http, f"The bins go out on Thursdays, says {name}.", **SHARED)
    assert _noted(house.ada, **SHARED)[:2] == [
        ("ben: kitchen-phone", "POST /api/ingest"),
        ("ada: kitchen-phone", "POST /api/ingest"),
    ]


def test_who_follows_a_capture_or_changes_hears_of_no_other_space(house: House) -> None:
    capture = told(house.ben, "The tickets for Oslo are in the atlas.")["capture_id"]
    assert house.ben.get(f"/api/captures/{capture}/events").status_code == 200
    for headers in ({}, SHARED):
        assert house.ada.get(f"/api/captures/{capture}/events", headers=headers).status_code == 404
    with serving(house.router) as url:
        ada, ben = (httpx2.Client(base_url=url, headers=dict(each.headers), timeout=10) for each in (house.ada, house.ben))
        with ada, ben, ada.stream("GET", "/api/changes") as of_ada, ben.stream("GET", "/api/changes") as of_ben:
            heard_by_ada, heard_by_ben = (each.iter_lines() for each in (of_ada, of_ben))
            assert [next(heard_by_ada), next(heard_by_ben)] == ["event: mark", "event: mark"]
            told(house.ben, "The spare tickets are in the dictionary.")
            assert any(line == "event: changed" for line in heard_by_ben)
            told(house.ada, "The dog's vaccination is in May.")
            changed = [line for line in _until_changed(heard_by_ada) if line.startswith("data:")]
            assert len(changed) == 2, "the mark, and the change that was Ada's"
        for part in house.parts.values():
            part.app.state.ending.set()


def _until_changed(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if line == "event: changed":
            yield next(lines)
            return


def test_a_browser_that_signs_in_as_somebody_else_has_left_the_first(house: House) -> None:
    with _signed_in(house, token=house.token("ada")) as browser:
        cookie, key = browser.cookies["lattice_session"], browser.headers[PAGE_KEY_HEADER]
        browser.post("/api/login", json={"token": house.token("ben")})
        old = {"cookie": f"lattice_session={cookie}", PAGE_KEY_HEADER: key}
        assert house.anybody.get("/api/status", headers=old).status_code == 401


def test_the_cookie_of_one_and_the_key_of_another_open_nothing(house: House) -> None:
    with _signed_in(house, token=house.token("ada")) as ada, _signed_in(house, token=house.token("ben")) as ben:
        mixed = {"cookie": f"lattice_session={ada.cookies['lattice_session']}", PAGE_KEY_HEADER: ben.headers[PAGE_KEY_HEADER]}
        for more in ({}, SHARED):
            assert house.anybody.get("/api/status", headers={**mixed, **more}).status_code == 401


def test_a_calendar_shows_the_days_of_whose_token_is_in_its_address(house: House) -> None:
    told(house.ben, "I meet the jeweller Vosk on 24 December 2026.")
    made = house.ben.post("/api/tokens", json={"name": "days", "scopes": ["calendar"]}).json()["token"]
    assert "Vosk" in house.anybody.get(f"/calendar/{made}.ics").text
    hers = house.ada.post("/api/tokens", json={"name": "days", "scopes": ["calendar"]}).json()["token"]
    assert "Vosk" not in house.anybody.get(f"/calendar/{hers}.ics").text


def test_a_key_of_anothers_capture_finds_nothing(house: House) -> None:
    key = {"idempotency-key": "the-same-key"}
    ids = {
        each.post("/api/ingest", json={"text": text}, headers=key).json()["capture_id"]
        for each, text in ((house.ada, "Ada had soup."), (house.ben, "Ben had cake."))
    }
    assert len(ids) == 2


def test_an_original_is_given_to_whoever_gave_it(house: House) -> None:
    file = {"file": ("ring.txt", b"Paid 900 for it.")}
    sent = house.ben.post("/api/ingest-file", files=file, data={"metadata": '{"wait": true}'})
    capture = sent.json()["capture_id"]
    assert b"Paid 900" in house.ben.get(f"/api/captures/{capture}/original").content
    for headers in ({}, SHARED):
        assert house.ada.get(f"/api/captures/{capture}/original", headers=headers).status_code == 404


def test_what_one_deletes_exports_and_forgets_is_their_own(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        for each in (house.ada, house.ben):
            told(each, "The dentist is called Mrs. Oyelaran.")
        before = house.ben.get("/api/export").text
        preview = house.ada.post("/api/forget", json={"about": "Oyelaran", "now": True}).json()
        done = house.ada.post("/api/forget", json={"about": "Oyelaran", "now": True, "confirm": preview["confirm"]})
        assert done.json()["change_id"], done.text
        assert found(house.ada, "dentist Oyelaran") == []
        assert "Oyelaran" in before
        assert house.ben.get("/api/export").text == before


def test_words_lie_in_the_folder_of_whose_they_are(house: House) -> None:
    """Journal, atoms, indexes, logs, traces, chat: each file of a folder, byte by byte."""
    others = house.root / "spaces"
    for name, words in (("ada", ("Saskia", "Quist")), ("ben", ("heron", "Quist")), ("shared", ("Saskia", "heron"))):
        folder = house.folder(name)
        for parent, folders, names in os.walk(folder):
            if Path(parent) == house.root:
                folders[:] = [each for each in folders if Path(parent, each) != others]
            for each in names:
                content = Path(parent, each).read_bytes()
                assert not [word for word in words if word.encode() in content], Path(parent, each)


def test_the_inbox_of_each_is_watched(house: House) -> None:
    for name, words in (("ada", "The skis are in the loft."), ("ben", "The sledge is at Uncle Bo's.")):
        (house.folder(name) / "inbox").mkdir(exist_ok=True)
        (house.folder(name) / "inbox" / "note.txt").write_text(words, encoding="utf-8")
    for http, words in ((house.ada, "skis loft"), (house.ben, "sledge uncle")):
        _eventually(lambda http=http, words=words: http.post("/api/select", json={"query": words}).json()["answerable"])
    assert not any("sledge" in each for each in found(house.ada, "sledge uncle"))


def _eventually(holds: Any) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"


def test_numbers_of_one_say_nothing_of_the_others(house: House) -> None:
    for each, name in ((house.ada, "ada"), (house.ben, "ben")):
        atoms = house.parts[name].app.state.product.status().atoms
        assert f"lattice_atoms {float(atoms)}" in each.get("/metrics").text


def test_each_is_shown_the_lines_of_the_log_that_are_of_their_own_memory(house: House) -> None:
    """Of what a request of theirs came upon, and of what the threads of their memory did; what is nobody's is shown to nobody."""

    def events(http: TestClient, **headers: str) -> list[tuple[str, str]]:
        lines = http.get("/api/ops", headers=headers).json()["events"]
        assert not any("space" in line for line in lines)
        return [(line["event"], line.get("reason") or line.get("kind", "")) for line in lines]

    RECENT.note("warning", "queue_away", {"reason": "of the whole process"})
    (folder := house.folder("ben") / "atoms" / "mine").mkdir(parents=True)
    (folder / "01m8bb5bkdnngq7ds4a6e7wk3w.md").write_bytes(b"\0torn")
    _eventually(lambda: ("atom_unreadable", "nul") in events(house.ben))
    found_nothing = ("failure", "nothing_found")
    before = [events(house.ben).count(found_nothing), events(house.ada, **SHARED).count(found_nothing)]
    assert not house.ada.post("/api/select", json={"query": "the safe", "as_of": "1999-01-01"}).json()["answerable"]
    assert found_nothing in events(house.ada)
    assert [events(house.ben).count(found_nothing), events(house.ada, **SHARED).count(found_nothing)] == before
    of_ada, of_ben, of_both = (set(each) for each in (events(house.ada), events(house.ben), events(house.ada, **SHARED)))
    assert not [each for each in of_ada | of_both if each[0] == "atom_unreadable"]
    assert not [each for each in of_ada | of_ben | of_both if each[0] == "queue_away"]


def test_a_backup_of_one_holds_nothing_of_the_others(house: House) -> None:
    for name, strange in (("ada", b"Saskia"), ("ben", b"heron"), ("shared", b"heron")):
        out = io.BytesIO()
        back_up(house.folder(name), out, lambda *_: None)
        out.seek(0)
        with tarfile.open(fileobj=out) as archive:
            members = archive.getnames()
            contents = [archive.extractfile(each).read() for each in archive.getmembers()]  # type: ignore[union-attr]
        assert any(each.startswith("journal/") for each in members)
        assert not any(each.startswith("spaces/") for each in members)
        assert not any(strange in each for each in contents)


def test_a_folder_that_somebody_called_spaces_is_backed_up_as_before(tmp_path: Path) -> None:
    with opened_for_one(tmp_path) as door:
        door.tell("The bike is at the shop.")
    (tmp_path / "spaces").mkdir()
    (tmp_path / "spaces" / "mine.md").write_text("By hand.", encoding="utf-8")
    out = io.BytesIO()
    back_up(tmp_path, out, lambda *_: None)
    out.seek(0)
    with tarfile.open(fileobj=out) as archive:
        assert "spaces/mine.md" in archive.getnames()


def test_a_memory_that_was_there_is_the_first_owners_where_it_is(tmp_path: Path) -> None:
    with opened_for_one(tmp_path) as door:
        door.tell("The bike is at the shop.")
        token = door.token
    before = {path: path.read_bytes() for path in (tmp_path / "journal").rglob("*") if path.is_file()}
    with opened(tmp_path) as house:
        assert any("bike" in each for each in found(house.ada, "bike"))
        assert found(house.ben, "bike") == []
        with reached(house.router, token) as old:
            assert any("bike" in each for each in found(old, "bike"))
    assert {path: path.read_bytes() for path in before} == before
    with opened_for_one(tmp_path) as door, client(door.app, token) as http:  # and back
        assert any("bike" in each for each in found(http, "bike"))


def test_another_first_name_does_not_hand_the_memory_over(tmp_path: Path) -> None:
    with opened(tmp_path):
        pass
    with pytest.raises(NotConfigured, match="is ada's"):
        open_spaces(chosen(tmp_path, owners="ben,ada"))
    with opened(tmp_path, owners="ada, ben, eve"):
        pass


NO_NAMES = ("ada,ada", "ada,shared", "Ada", "../ada", "a/b", "1st", "a" * 40, ",".join(f"p{number}" for number in range(21)))


@pytest.mark.parametrize("owners", NO_NAMES)
def test_names_that_are_none_are_refused(tmp_path: Path, owners: str) -> None:
    with pytest.raises(NotConfigured, match="LATTICE_OWNERS"):
        owners_of(chosen(tmp_path, owners=owners))


def test_without_names_there_is_one_memory_and_no_space(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path)  # type: ignore[call-arg]
    assert spaces_of(settings) == ()
    with pytest.raises(InvalidInput, match="names nobody"):
        space_of(settings, "ada")
    with opened_for_one(tmp_path) as door:
        assert not (tmp_path / "spaces").exists()
        asked = door.http.post("/api/ingest", json={"text": "For all."}, headers=SHARED)
        assert asked.status_code == 403
        assert "one memory" in asked.json()["detail"]


def test_owners_cannot_be_told_apart_without_tokens(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="LATTICE_AUTH"):
        owners_of(chosen(tmp_path, auth=False))


def test_in_a_deployment_each_has_indexes_and_a_graph_of_their_own(tmp_path: Path) -> None:
    settings = chosen(tmp_path, mode="server", index_name="atoms", graph_url="http://graph:7338/")
    assert [(each.settings.index_name, each.settings.graph_url) for each in spaces_of(settings)] == [
        ("atoms", "http://graph:7338/"),
        ("atoms--ben", "http://graph:7338/spaces/ben"),
        ("atoms--shared", "http://graph:7338/spaces/shared"),
    ]
    with pytest.raises(NotConfigured, match="leaves no room"):
        spaces_of(chosen(tmp_path, index_name="a" * 55))


def test_the_token_that_is_set_is_the_first_owners(tmp_path: Path) -> None:
    with opened(tmp_path, api_token="k7rm-2qxd-94fh-of-ada") as house, reached(house.router, "k7rm-2qxd-94fh-of-ada") as http:
        told(http, OF_ADA)
        assert OF_ADA in found(house.ada, "painting")
        assert found(http, "painting", **SHARED) == []
        assert http.get("/api/status", headers={"lattice-space": "ben"}).status_code == 403


def test_one_writer_has_all_of_it(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        with pytest.raises(Conflict):
            open_embedded(space_of(chosen(tmp_path), "ben").settings)
        assert house.spaces.trouble() is None
    with open_embedded(space_of(chosen(tmp_path), "ben").settings):
        pass


def test_a_command_is_about_whoever_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    shell.set("LATTICE_OWNERS", "ada,ben")
    with opened(shell.data_dir) as house, serving(house.router) as url:
        shell.set("LATTICE_WEB_PORT", url.rpartition(":")[2])
        told(house.ada, OF_ADA)
        told(house.ben, OF_BEN)
        assert "heron" in shell.lattice("atoms", "--json").out
        for name, theirs, others in (("ada", "heron", "Saskia"), ("ben", "Saskia", "heron")):
            said = shell.as_owner(name, "atoms", "--json")
            assert theirs in said.out, said.err
            assert others not in said.out
        made = shell.as_owner("ben", "token", "add", "phone", "--json")
        with reached(house.router, json.loads(made.out)["token"]) as phone:
            assert OF_BEN in found(phone, "ring")
    backup = tmp_path / "ben.tar.gz"
    assert shell.as_owner("ben", "backup", str(backup)).code == 0
    with tarfile.open(backup) as archive:
        content = b"".join(archive.extractfile(each).read() for each in archive.getmembers())  # type: ignore[union-attr]
    assert b"Saskia" in content
    assert b"heron" not in content
    assert shell.as_owner("ben", "doctor").code == 0
    assert "no space named 'eve'" in shell.as_owner("eve", "atoms").err
    assert "all owners at once" in shell.as_owner("ben", "up").err


def test_an_assistants_token_belongs_to_one_and_leaves_nothing_in_anothers_inbox(tmp_path: Path) -> None:
    asyncio.run(_assistants(tmp_path))


async def _assistants(root: Path) -> None:
    with opened(root) as house, serving(house.router) as url:
        memory = Memory(url, root / "inbox", lambda: None)
        app = create_mcp(memory, page=url, origins=Origins(), own_token=None, max_body=1_000_000, several_owners=True)
        with serving(app) as door:
            async with over_http(f"{door}/mcp", house.token("ben", "read", "capture")) as session:
                assert not (await session.call_tool("remember", {"text": OF_BEN})).is_error
                assert OF_BEN in str(await session.call_tool("recall", {"query": "ring piano"}))
                assert OF_BEN in found(house.ben, "ring")
                assert found(house.ada, "ring") == []
                memory.close()
                memory.base_url = NOBODY
                refused = await session.call_tool("remember", {"text": "The vault opens at nine."})
                assert refused.is_error
    assert not [path for path in (root / "inbox").rglob("*") if path.is_file()]
