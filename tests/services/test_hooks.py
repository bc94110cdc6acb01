"""Assistants without asking: a session begins with the profile, is kept when it ends, and replaces nothing that was told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from lattice_cli import recipes
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.domain.recall import Query

from tests.pipeline.living import atom_saying, current, finished, say, send, started
from tests.services.cli_product import Shell, after, running

PORTO = "I live in Porto."
FILTER = Path(recipes.__file__).with_name("open_webui_filter.txt")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        yield shell


def transcript(tmp_path: Path) -> Path:
    lines = [
        {"type": "summary", "summary": "of before"},
        {"type": "user", "isMeta": True, "message": {"role": "user", "content": "Caveat: put in by a program."}},
        {"type": "user", "message": {"role": "user", "content": "<command-name>/clear</command-name>"}},
        {
            "type": "user",
            "message": {"role": "user", "content": "My bike is in the blue shed."},
            "timestamp": "2026-06-01T09:00:00Z",
        },
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Noted."}, {"type": "tool_use"}]},
        },
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "secret of a tool"}]}},
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n{torn")
    return path


def test_a_session_begins_with_what_its_user_stated(shell: Shell) -> None:
    given = json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}).encode()
    assert shell.lattice("hook", "start", piped=given).out == ""
    shell.lc("I live in Porto.")
    told = json.loads(shell.lattice("hook", "start", piped=given).out)["hookSpecificOutput"]
    assert told["hookEventName"] == "SessionStart"
    assert "- I live in Porto." in told["additionalContext"]
    assert "not instructions" in told["additionalContext"]


def test_a_session_is_kept_once_when_it_ends(shell: Shell, tmp_path: Path) -> None:
    given = json.dumps({"session_id": "abc", "transcript_path": str(transcript(tmp_path))}).encode()
    for _ in range(2):
        assert shell.lattice("hook", "end", piped=given).code == 0
    found = after(20.0, lambda: shell.lattice("atoms", "--json").out.splitlines())
    kept = [json.loads(line) for line in found]
    assert [each["content"] for each in kept] == ["My bike is in the blue shed."]
    assert kept[0]["metadata"]["channel"] == "auto_save"
    assert kept[0]["session_id"] == "claude-code:abc"


def test_with_lattice_away_a_session_begins_without_and_its_end_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    begun = shell.lattice("hook", "start", piped=b"{}")
    assert (begun.code, begun.out) == (0, "")
    given = json.dumps({"session_id": "abc", "transcript_path": str(transcript(tmp_path))}).encode()
    assert shell.lattice("hook", "end", piped=given).code == 0
    [left] = (shell.data_dir / "inbox").glob("*.capture.json")
    assert "blue shed" in left.read_text()


def test_codex_keeps_each_turn(shell: Shell) -> None:
    told = {"type": "agent-turn-complete", "thread-id": "t", "input-messages": [PORTO], "last-assistant-message": "Good."}
    assert shell.lattice("hook", "turn", json.dumps(told)).code == 0
    assert shell.lattice("hook", "turn", json.dumps({"type": "something-else"})).code == 0
    assert after(20.0, lambda: [each for each in shell.lattice("atoms").out.splitlines() if PORTO in each])
    assert shell.lattice("hook", "turn", "no json").code == 2


def test_recipes_name_the_hooks(shell: Shell) -> None:
    hooks = json.loads(json.loads(shell.lattice("mcp-config", "claude-code-hooks", "--json").out)["paste"])["hooks"]
    assert hooks["SessionStart"][0]["hooks"][0]["command"].endswith("hook start")
    assert hooks["SessionEnd"][0]["hooks"][0]["command"].endswith("hook end")
    assert json.loads(shell.lattice("mcp-config", "codex-notify", "--json").out)["paste"].startswith("notify = [")
    assert "class Filter:" in shell.lattice("mcp-config", "open-webui-filter").out


@pytest.mark.anyio
async def test_a_filter_of_open_webui_gives_the_profile_and_keeps_what_is_said(tmp_path: Path) -> None:
    from tests.services.bot_life import free_port
    from tests.services.door import opened

    module: dict[str, Any] = {"__name__": "open_webui_filter"}
    exec(compile(FILTER.read_text(encoding="utf-8"), FILTER.name, "exec"), module)  # noqa: S102 - as Open WebUI does
    Filter = module["Filter"]  # noqa: N806 - a class
    port = free_port()
    with opened(tmp_path / "data") as door:
        door.tell(PORTO)
        server = uvicorn.Server(uvicorn.Config(door.app, host="127.0.0.1", port=port, log_config=None, lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            after(20.0, lambda: [server] if server.started else [])
            made = Filter()
            made.valves = Filter.Valves(url=f"http://127.0.0.1:{port}", token=door.token)
            first = await made.inlet({"messages": [{"role": "user", "content": "Hello"}]})
            assert PORTO in first["messages"][0]["content"]
            later = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
            assert await made.inlet(later) == later
            said = [{"role": "user", "content": "My bike is in the blue shed."}, {"role": "assistant", "content": "Noted."}]
            await made.outlet({"chat_id": "c", "messages": said})
            after(20.0, lambda: [each for each in door.embedded.lattice.recent(9) if "blue shed" in each.content])
            made.valves = Filter.Valves(url="http://127.0.0.1:1", token="x")
            assert await made.inlet({"messages": []}) == {"messages": []}, "without Lattice the chat goes on"
        finally:
            server.should_exit = server.force_exit = True
            thread.join(20)


def test_what_is_saved_by_itself_never_replaces_what_was_told(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 6, 1, 9, tzinfo=UTC))
    with started(tmp_path, clock=clock) as store:
        say(store, "I live in Berlin.")
        clock.advance(timedelta(days=30))
        said = [Message(role="user", name="Ada", content="I moved from Berlin to Lisbon.")]
        saved = IngestRequest(messages=said, metadata=CaptureMetadata(channel="auto_save"))
        finished(store, send(store, saved))
        assert "I live in Berlin." in current(store)
        assert "Berlin" in store.lattice.answer(Query("Where do I live?")).answer
        stated = [atom.content for _, atoms in store.lattice.profile(5).by_kind() for atom in atoms]
        assert stated == ["I live in Berlin."], "nor does the profile put it in its place"
        clock.advance(timedelta(days=1))
        say(store, "I moved from Berlin to Lisbon.")
        assert "I live in Berlin." not in current(store), "the owner's own word does"


def test_it_may_replace_what_came_the_same_way(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 6, 1, 9, tzinfo=UTC))
    with started(tmp_path, clock=clock) as store:
        for words in ("My rent is 900 euros.", "My rent is 950 euros now."):
            message = [Message(role="user", content=words)]
            finished(store, send(store, IngestRequest(messages=message, metadata=CaptureMetadata(channel="auto_save"))))
            clock.advance(timedelta(days=30))
        assert atom_saying(store, "900").is_superseded
