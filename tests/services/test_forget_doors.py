"""What is forgotten at once is in no byte of the data folder, though it was told, asked and shown at every door that runs on this
machine: HTTP, command line, pipe, assistant, hook, inbox, Telegram."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from lattice_common.domain.forgetting import Forgettable

from tests.services.bot_life import life
from tests.services.cli_product import Shell, after, running
from tests.services.mcp_product import in_process, memory_of, said
from tests.working import until

CANARY = "Zanzibarquux"
BESIDE = "My sister lives in Turin."


def bytes_with(root: Path, word: str = CANARY) -> list[str]:
    """Files with a word in them, in upper or lower case, or in their names."""
    wanted = word.casefold().encode()
    return [
        str(path.relative_to(root))
        for path in sorted(root.rglob("*"))
        if path.is_file() and (wanted in path.read_bytes().lower() or wanted in path.name.casefold().encode())
    ]


@pytest.mark.anyio
async def test_the_command_line_an_assistant_a_hook_and_the_inbox_leave_no_word_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(tmp_path, monkeypatch)
    shell.set("LATTICE_TRACE", "true")
    transcript = tmp_path / "session.jsonl"
    lines = [("user", f"{CANARY} sleeps in the kitchen. My brother lives in Oslo."), ("assistant", f"Noted: {CANARY}.")]
    transcript.write_text("\n".join(json.dumps({"message": {"role": role, "content": text}}) for role, text in lines))
    with running(shell) as lattice:
        shell.lc(f"My dog is called {CANARY}. {BESIDE}")
        shell.lc(piped=f"The vet of {CANARY} is Dr. Weber.".encode())
        shell.lattice("hook", "end", piped=json.dumps({"transcript_path": str(transcript), "session_id": "s"}).encode())
        (shell.data_dir / "inbox" / f"{CANARY}.txt").write_text(f"{CANARY} likes fish.\nThe cellar key hangs in the hall.\n")
        after(20.0, lambda: [each for each in lattice.recent(50) if "brother" in each.content])
        after(20.0, lambda: [each for each in lattice.recent(50) if "cellar key" in each.content])
        token = (shell.data_dir / "cli-token").read_text().strip()
        url = f"http://127.0.0.1:{os.environ['LATTICE_WEB_PORT']}"
        async with in_process(memory_of(url, tmp_path, token)) as assistant:
            await assistant.call_tool("remember", {"statement": f"{CANARY} is afraid of thunder."})
            assert CANARY in said(await assistant.call_tool("recall", {"query": f"Who is {CANARY}?"}))
            await assistant.call_tool("lattice_capture", {"summary": f"We spoke of {CANARY}. The gate is green."})
        assert CANARY in shell.lattice("ask", f"Where does {CANARY} sleep?").out
        shell.lc(f"who is the vet of {CANARY}?")
        assert len(bytes_with(shell.data_dir)) > 15
        beside = sorted(each.content for each in lattice.recent(100) if CANARY not in each.content)
        done = shell.lattice("forget", "--about", CANARY, "--now", "--yes")
        assert done.out.endswith("memories.\n"), done
        assert bytes_with(shell.data_dir) == []
        assert sorted(each.content for each in lattice.recent(100)) == beside
        assert {BESIDE, "My brother lives in Oslo.", "The cellar key hangs in the hall."} <= set(beside)
        assert CANARY not in shell.lattice("ask", "What is my dog called?").out
    assert bytes_with(shell.data_dir) == []


def test_telegram_keeps_no_word_of_it(tmp_path: Path) -> None:
    root = tmp_path / "data"
    with life(root) as living:
        telegram = living.telegram
        telegram.reply_to(telegram.say(f"My dog is called {CANARY}. {BESIDE}"))
        telegram.reply_to(telegram.say(f"Where is {CANARY}?"))
        telegram.reply_to(telegram.say(f"/forget {CANARY}"))
        lattice = living.there.embedded.lattice
        assert bytes_with(root)
        wanted = Forgettable(about=CANARY)
        lattice.forget(wanted, lattice.forget_preview(wanted, now=True).confirm, now=True)
        until("the bot to have nothing to do", lambda: bytes_with(root) == [])
        assert bytes_with(root, "Turin")
