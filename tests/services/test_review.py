"""What a newer statement may have made untrue, asked about at every door: HTTP, command line, assistants, Telegram."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.lattice import Lattice
from mcp.client import Client

from tests.services.bot_life import life
from tests.services.cli_product import Shell, running
from tests.services.door import Door, opened
from tests.services.mcp_product import data, in_process, memory_of, product, said

LEEDS, YORK = "I live in Leeds.", "Finally unpacked the last box here in York."
ROAST, LIGHT = "I drink dark roast.", "These days only light roast comes into my cup."
THEN, LATER, NOW = "2026-01-05T10:00:00Z", "2026-02-05T10:00:00Z", "2026-06-01T10:00:00Z"


def unsure() -> ScriptedJudge:
    return ScriptedJudge({(LEEDS, YORK): 0.7, (ROAST, LIGHT): 0.7})


@pytest.fixture
def moved(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path / "data", judge=unsure()) as door:
        door.tell(LEEDS, metadata={"observed_at": THEN})
        door.tell(YORK, metadata={"observed_at": NOW})
        yield door


def pair(door: Door) -> dict[str, Any]:
    [found] = door.http.get("/api/review").json()["review"]
    return dict(found)


def settled(door: Door, outcome: str, **ids: str) -> Any:
    found = pair(door)
    named = {"newer": found["newer"]["atom_id"], "older": found["older"]["atom_id"], **ids}
    return door.http.post("/api/review", json={**named, "outcome": outcome})


def test_pairs_are_listed_newest_first_with_the_question(moved: Door) -> None:
    moved.tell(ROAST, metadata={"observed_at": THEN})
    moved.tell(LIGHT, metadata={"observed_at": LATER})
    body = moved.http.get("/api/review").json()
    assert [(each["newer"]["content"], each["older"]["content"]) for each in body["review"]] == [(LIGHT, ROAST), (YORK, LEEDS)]
    assert {each["question"] for each in body["review"]} == {"Is this still so?"}
    assert body["review"][1]["since"].startswith("2026-06-01")
    assert body["count"] == moved.http.get("/api/status").json()["in_review"] == 2
    assert moved.http.get("/api/review?limit=1").json()["review"] == body["review"][:1]
    assert moved.http.get("/api/review?limit=1&start=1").json()["review"] == body["review"][1:]
    assert moved.http.get("/api/review?start=2").json()["review"] == []


def test_replaced_retires_the_older_one_and_an_undo_asks_again(moved: Door) -> None:
    change_id = settled(moved, "replaced").json()["change_id"]
    assert moved.found("Where do I live?") == [YORK]
    assert moved.http.get("/api/review").json() == {"review": [], "count": 0}
    assert moved.http.post(f"/api/undo/{change_id}").status_code == 200
    assert pair(moved)["older"]["content"] == LEEDS


def test_both_keeps_both_and_an_undo_asks_again(moved: Door) -> None:
    change_id = settled(moved, "both").json()["change_id"]
    assert sorted(moved.found("Where do I live?")) == sorted([LEEDS, YORK])
    assert moved.http.get("/api/review").json()["count"] == 0
    assert moved.http.post(f"/api/undo/{change_id}").status_code == 200
    assert pair(moved)["older"]["content"] == LEEDS


def test_what_is_not_in_question_cannot_be_settled(moved: Door) -> None:
    found = pair(moved)
    refused = settled(moved, "replaced", newer=found["older"]["atom_id"], older=found["newer"]["atom_id"])
    assert refused.status_code == 404
    assert settled(moved, "both", newer="nobody").status_code == 404
    assert settled(moved, "perhaps").status_code == 422


def test_what_is_found_says_what_may_outdate_it(moved: Door) -> None:
    newer, older = moved.select("Where do I live?")["atoms"]
    assert (newer["content"], older["may_be_outdated_by"]) == (YORK, newer["atom_id"])
    assert "may_be_outdated_by" not in newer
    answer = moved.http.post("/api/answer", json={"query": "Where do I live?"}).json()
    assert answer["atoms"][1]["may_be_outdated_by"] == newer["atom_id"]
    assert "Before: You live in Leeds." in answer["answer"]
    view = moved.http.get(f"/api/atoms/{newer['atom_id']}").json()
    assert {"type": "may_update", "target": older["atom_id"]} in view["relations"]
    assert ("may_update", LEEDS) in [(each["type"], each["content"]) for each in view["related"]]
    view = moved.http.get(f"/api/atoms/{older['atom_id']}").json()
    assert [each["content"] for each in view["may_be_outdated_by"]] == [YORK]
    near = moved.http.get(f"/api/atoms/related?atom_id={newer['atom_id']}").json()["atoms"]
    assert LEEDS in [each["content"] for each in near]


HERE, SAVED = "I live in Leeds.", "I live in Boston."


def saved_by_itself(text: str) -> dict[str, Any]:
    """What an assistant's hook kept, which never replaces what the owner told."""
    return {"text": text, "metadata": {"channel": "auto_save"}, "wait": True}


def test_of_two_that_disagree_one_is_kept_or_both_and_an_undo_asks_again(door: Door) -> None:
    door.tell(HERE)
    door.http.post("/api/ingest", json=saved_by_itself(SAVED))
    [found] = door.http.get("/api/conflicts").json()["conflicts"]
    told, saved = found["disagrees_with"]["atom_id"], found["atom"]["atom_id"]
    assert door.http.get("/api/today").json()["disagreeing"] == 1
    for newer, older in ((told, saved), (saved, told)):
        for outcome in ("replaced", "both"):
            done = door.http.post("/api/review", json={"newer": newer, "older": older, "outcome": outcome})
            assert done.status_code == 200, done.text
            assert door.http.get("/api/conflicts").json() == {"conflicts": []}
            left = {each["atom_id"] for each in door.http.get("/api/atoms?standing=current").json()["atoms"]}
            assert left == ({newer} if outcome == "replaced" else {newer, older})
            assert door.http.post("/api/review", json={"newer": newer, "older": older, "outcome": outcome}).status_code == 404
            door.http.post(f"/api/undo/{done.json()['change_id']}")
            assert len(door.http.get("/api/conflicts").json()["conflicts"]) == 1


@pytest.fixture
def opposed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Shell, Lattice]]:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell, unsure()) as lattice:
        shell.lc(HERE)
        kept = lattice.accept(IngestRequest(text=SAVED, metadata=CaptureMetadata(channel="auto_save")))
        lattice.wait_for(kept.status.capture_id, 30)
        yield shell, lattice


def test_the_command_lists_what_disagrees_and_settles_it(opposed: tuple[Shell, Lattice]) -> None:
    shell, _ = opposed
    told = shell.lattice("review")
    assert (told.code, told.err) == (0, "")
    assert [line[40:] for line in told.out.splitlines()] == [HERE, "", SAVED]
    assert "1 to review: lattice review" in shell.lattice("today").out
    [found] = listed(shell)
    assert (found["type"], found["atom"]["content"], found["disagrees_with"]["content"]) == ("contradicts", SAVED, HERE)
    ids = found["disagrees_with"]["atom_id"], found["atom"]["atom_id"]
    done = shell.lattice("review", *ids, "--settle", "replaced")
    assert shell.lattice("review").code == 1
    assert f"{SAVED}  (replaced)" in shell.lattice("atoms").out
    shell.lattice("undo", done.out.split()[-1])
    for typed, last in ((b"2\n", f"{HERE}  (replaced)"), (b"b\n", HERE), (b"1\n", f"{SAVED}  (replaced)")):
        asked = shell.lattice_on_terminal("review", typed=typed)
        assert asked.out.count("Only one can be so. Which? [1/2/b/q] ") == 1
        assert last in shell.lattice("atoms").out
        shell.lattice("undo", asked.out.split()[-1])


def test_the_command_lists_what_was_called_wrong(opposed: tuple[Shell, Lattice]) -> None:
    shell, lattice = opposed
    [found] = listed(shell)
    lattice.feedback("wrong", trace_id=None, atom_ids=[found["disagrees_with"]["atom_id"]], channel="cli")
    told = shell.lattice("review")
    assert f"lattice edit {found['disagrees_with']['atom_id']}" in told.out
    assert "2 to review: lattice review" in shell.lattice("today").out
    assert [each["type"] for each in listed(shell)] == ["contradicts", "wrong"]


@pytest.mark.anyio
async def test_an_assistant_hears_what_disagrees_and_keeps_the_users_word(tmp_path: Path) -> None:
    with product(tmp_path) as lattice:
        lattice.door.tell(HERE)
        lattice.door.http.post("/api/ingest", json=saved_by_itself(SAVED))
        async with in_process(memory_of(lattice.url, tmp_path, lattice.token)) as assistant:
            found = await assistant.call_tool("review", {})
            [pair] = data(found)["disagreeing"]
            assert "Only one can be so. Which?" in said(found)
            kept, other = pair["said_before"], pair["said_otherwise"]
            assert (kept["content"], other["content"]) == (HERE, SAVED)
            arguments = {"newer": kept["atom_id"], "older": other["atom_id"], "still_so": False}
            settled = await assistant.call_tool("settle", arguments)
            assert data(await assistant.call_tool("review", {}))["disagreeing"] == []
            await assistant.call_tool("undo", {"change_id": data(settled)["change_id"]})
            assert len(data(await assistant.call_tool("review", {}))["disagreeing"]) == 1


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell, unsure()):
        for text in (LEEDS, YORK, ROAST, LIGHT):
            shell.lc(text)
        yield shell


def listed(shell: Shell) -> list[dict[str, Any]]:
    return [json.loads(line) for line in shell.lattice("review", "--json").out.splitlines()]


def test_the_command_lists_pairs_for_people_and_for_pipes(shell: Shell) -> None:
    told = shell.lattice("review")
    assert told.code == 0
    assert told.out.count("  since ") == 2
    assert [each["older"]["content"] for each in listed(shell)] == [ROAST, LEEDS]
    assert "2 memories may no longer hold" in shell.lattice("status").out
    more = shell.lattice("review", "--limit", "1")
    assert (more.out.count("  since "), more.err) == (1, "… and 1 more\n")


def test_the_command_settles_a_pair_that_is_named(shell: Shell) -> None:
    newest = listed(shell)[0]
    told = shell.lattice("review", newest["newer"]["atom_id"], newest["older"]["atom_id"], "--settle", "both")
    assert (told.code, told.out.startswith("Both hold.")) == (0, True)
    assert [each["older"]["content"] for each in listed(shell)] == [LEEDS]
    shell.lattice("undo", told.out.split()[-1])
    assert len(listed(shell)) == 2
    assert shell.lattice("review", newest["newer"]["atom_id"]).code == 2
    assert shell.lattice("review", "--settle", "both").code == 2


def test_on_a_terminal_each_pair_is_asked_about(shell: Shell) -> None:
    told = shell.lattice_on_terminal("review", typed=b"n\ny\n")
    assert told.out.count("Is this still so? [y/n/q] ") == 2
    assert "No longer so. Take it back with: lattice undo " in told.out
    assert "Both hold. Take it back with: lattice undo " in told.out
    nothing = shell.lattice("review")
    assert (nothing.code, nothing.err) == (1, "Nothing waits for your word.\n")
    assert "I drink dark roast.  (replaced)" in shell.lattice("atoms").out


def test_what_is_not_answered_is_asked_another_time(shell: Shell) -> None:
    shell.lattice_on_terminal("review", typed=b"\nq\n")
    shell.lattice_on_terminal("review", typed=b"")
    assert len(listed(shell)) == 2


@pytest.mark.anyio
async def test_an_assistant_lists_what_is_in_doubt_and_keeps_the_users_word(tmp_path: Path) -> None:
    with product(tmp_path, judge=unsure()) as lattice:
        for text, at in ((LEEDS, THEN), (YORK, NOW)):
            lattice.door.tell(text, metadata={"observed_at": at})
        async with in_process(memory_of(lattice.url, tmp_path, lattice.token)) as assistant:
            await _settle_by_assistant(assistant)


async def _settle_by_assistant(assistant: Client) -> None:
    told = await assistant.call_tool("recall", {"query": "Where do I live?"})
    newer, older = data(told)["memories"]
    assert older["may_be_outdated_by"] == newer["atom_id"]
    assert "perhaps no longer so" in said(told)
    status = await assistant.call_tool("lattice_status", {})
    assert data(status)["in_review"] == 1
    found = await assistant.call_tool("review", {})
    [pair] = data(found)["review"]
    assert (pair["older"]["content"], data(found)["count"]) == (LEEDS, 1)
    assert "Is this still so?" in said(found)
    arguments = {"newer": newer["atom_id"], "older": older["atom_id"], "still_so": False}
    kept = await assistant.call_tool("settle", arguments)
    assert data(await assistant.call_tool("review", {}))["count"] == 0
    await assistant.call_tool("undo", {"change_id": data(kept)["change_id"]})
    assert data(await assistant.call_tool("review", {}))["count"] == 1


def test_the_bot_asks_once_and_keeps_the_answer(tmp_path: Path) -> None:
    with life(tmp_path / "data", judge=unsure()) as living:
        telegram = living.telegram
        telegram.reply_to(telegram.say(LEEDS))
        reply = telegram.reply_to(telegram.say(YORK))
        assert reply.text.startswith(f"Remembered: {YORK}\n\n{LEEDS}")
        assert reply.text.endswith("Is this still so?")
        assert list(reply.buttons) == ["Undo", "Show", "Yes, still", "No longer"]
        telegram.press(reply, "No longer")
        noted = telegram.message_with("Noted: it is no longer so.")
        assert [atom.content for atom in living.there.embedded.lattice.recent(10) if not atom.is_superseded] == [YORK]
        telegram.press(reply, "Yes, still")
        telegram.wait(lambda: "That is too old, or was done already." in telegram.notices, "a notice")
        telegram.press(noted, "Undo")
        telegram.message_with("Brought back.")
        assert living.there.embedded.lattice.count_in_review() == 1


def test_the_bot_does_not_ask_about_what_is_sure(tmp_path: Path) -> None:
    with life(tmp_path / "data", judge=unsure()) as living:
        reply = living.telegram.reply_to(living.telegram.say(LEEDS))
        assert list(reply.buttons) == ["Undo", "Show"]
