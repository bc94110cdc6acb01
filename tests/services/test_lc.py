"""`lc`, as it is typed, with the server there and away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date, datetime
from pathlib import Path

import pytest
from cli_product import Shell, after, running
from lattice_api import local_token
from lattice_cli import session, status, target
from lattice_cli.capture import outcome
from lattice_common.api_schema.replies import CaptureReply
from lattice_common.capture import dropped
from lattice_common.settings import Settings


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_a_sentence_is_kept_and_what_was_remembered_is_told_with_the_way_back(shell: Shell) -> None:
    with running(shell) as product:
        said = shell.lc("I live in Berlin. My sister Nora works at Siemens.")
        assert said.code == 0
        assert "Remembered 2 things:\n  · I live in Berlin.\n  · My sister Nora works at Siemens." in said.out
        capture_id = said.out.rsplit("lattice undo ", 1)[1].strip()
        assert shell.lattice("undo", capture_id).code == 0
        assert product.recent(10) == []


def test_words_need_no_quotes_and_updates_are_told(shell: Shell) -> None:
    with running(shell):
        shell.lc("I", "live", "in", "Berlin")
        said = shell.lc("I", "moved", "from", "Berlin", "to", "Lisbon")
        assert "1 older memory brought up to date." in said.out
        assert "Already known." in shell.lc("I moved from Berlin to Lisbon").out
        assert shell.lc("Thanks!").out == "Nothing to remember in that.\n"


def test_a_pipe_and_files_are_kept(shell: Shell, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Home\n\nThe spare key is with Ines.\n")
    with running(shell) as product:
        assert shell.lc(piped="Caf\xe9 Rosa opens at 8.".encode("cp1252")).code == 0
        assert "note.md: Remembered: " in shell.lc(str(note)).out
        kept = {atom.source_type: atom.content for atom in product.recent(10)}
    assert kept["plain"] == "Café Rosa opens at 8."
    assert "The spare key is with Ines." in kept["markdown"]


def test_a_folder_is_told_where_to_go(shell: Shell, tmp_path: Path) -> None:
    said = shell.lc(str(tmp_path))
    assert (said.code, "is a folder" in said.err, "lattice import files" in said.err) == (1, True, True)
    assert not shell.data_dir.exists()


def test_what_is_no_text_does_not_come_through_a_pipe(shell: Shell) -> None:
    with running(shell) as product:
        said = shell.lc(piped=b"%PDF-1.7\n\x00\x01\x02")
        assert not product.recent(5)
    assert (said.code, "no text" in said.err) == (1, True)


def test_files_of_every_kind_are_kept_each_with_its_end(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>Tom lives in Ghent.</p>")
    (tmp_path / "song.mp3").write_bytes(b"ID3\x03\x00\x00" + bytes(range(256)) * 20)
    with running(shell) as product:
        said = shell.lc(str(tmp_path / "page.html"), str(tmp_path / "song.mp3"))
        assert said.code == 1
        page, song = said.out.split("song.mp3: ")
        assert page.startswith("page.html: Remembered: Tom lives in Ghent.")
        assert song.startswith("Not read. ")
        (atom,) = product.recent(5)
        assert (atom.source, atom.metadata["channel"]) == ("document", "lc")


@pytest.mark.parametrize("words", [["nots.md"], ["*.pdf"], ["./lease"], ["~/lease"], ["a.md", "b.txt"], ["note.md", "b.txt"]])
def test_a_file_that_is_not_there_is_not_taken_for_a_sentence(shell: Shell, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "note.md").write_text("The spare key is with Ines.")
    said = shell.lc(*words)
    assert said.code == 1
    assert f"There is no file {words[-1] if words[0] == 'note.md' else words[0]}. Nothing was kept" in said.err
    assert not (shell.data_dir / "inbox").exists()


@pytest.mark.parametrize("words", [["https://nora.example/plan.pdf"], ["I", "put", "it", "into", "plan.md"], ["and/or"]])
def test_words_that_only_look_like_a_file_are_kept(shell: Shell, words: list[str]) -> None:
    assert shell.lc(*words).code == 0
    assert list((shell.data_dir / "inbox").iterdir())


@pytest.mark.parametrize(("option", "source"), [("--document", "document"), ("--note", "user")])
def test_whose_words_a_file_holds_can_be_said(shell: Shell, tmp_path: Path, option: str, source: str) -> None:
    (tmp_path / "note.txt").write_text("Tom lives in Ghent.")
    with running(shell) as product:
        assert shell.lc(option, str(tmp_path / "note.txt")).code == 0
        assert product.recent(1)[0].source == source


def test_with_the_server_away_a_file_waits_in_the_inbox_with_what_was_said_of_it(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>Tom lives in Ghent.</p>")
    said = shell.lc("--json", "--note", str(tmp_path / "page.html"))
    assert (said.code, json.loads(said.out)["state"]) == (0, "waiting")
    assert len(list((shell.data_dir / "inbox").iterdir())) == 2
    with running(shell) as product:
        (atom,) = after(20.0, lambda: product.recent(5))
        assert (atom.source, atom.trust, atom.metadata["channel"]) == ("user", "user", "lc")
        view = product.atom(atom.atom_id)
        assert view.source is not None
        assert view.source.original == "page.html"


def test_with_the_server_away_it_waits_in_the_inbox_and_is_taken_in_at_the_next_start_once(shell: Shell) -> None:
    said = shell.lc("The spare key is with Ines.")
    assert said.code == 0
    assert "waits in" in said.out
    (waiting,) = (shell.data_dir / "inbox").iterdir()
    told = dropped.decode(waiting.read_bytes(), waiting.name)
    assert told.body["metadata"]["channel"] == "lc"
    with running(shell) as product:
        (atom,) = after(20.0, lambda: product.recent(5))
        assert atom.observed_at == datetime.fromisoformat(told.body["metadata"]["observed_at"])
        assert atom.session_id == told.body["metadata"]["session_id"]


def test_what_was_left_for_a_lattice_elsewhere_goes_there_with_the_next_note_once(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "note.md").write_text("My dentist is Dr. Okafor.")
    for name, value in (("LATTICE_DIR", str(tmp_path / "laptop")), ("LATTICE_API_URL", "http://127.1:9")):
        monkeypatch.setenv(name, value)
    said = [shell.lc("The spare key is with Ines."), shell.lc("note.md")]
    assert [(each.code, "goes there with the next `lc` that reaches http://127.1:9" in each.out) for each in said] == [
        (0, True)
    ] * 2
    inbox = tmp_path / "laptop" / "inbox"
    first = min(inbox.glob("*.capture.json"))
    again = first.read_bytes()
    monkeypatch.setenv("LATTICE_ALLOWED_HOSTS", "127.1")
    with running(shell) as product:
        monkeypatch.setenv("LATTICE_API_URL", f"http://127.1:{os.environ['LATTICE_WEB_PORT']}")
        monkeypatch.setenv("LATTICE_API_TOKEN", (shell.data_dir / "cli-token").read_text().strip())
        for text in ("I live in Porto.", "I live in Berlin."):
            assert shell.lc(text).code == 0
            first.write_bytes(again)  # as if another program had kept it meanwhile
        found = after(20.0, lambda: [each.content for each in product.recent(9)] if len(product.recent(9)) == 4 else [])
    assert sorted(found)[2:] == ["My dentist is Dr. Okafor.", "The spare key is with Ines."]
    assert [path for path in inbox.iterdir() if path != first] == []


def test_what_waits_for_a_lattice_elsewhere_goes_there_at_the_start_of_an_assistant_too(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LATTICE_DIR", str(tmp_path / "laptop"))
    monkeypatch.setenv("LATTICE_API_URL", "http://127.1:9")
    shell.lc("The spare key is with Ines.")
    monkeypatch.setenv("LATTICE_ALLOWED_HOSTS", "127.1")
    with running(shell) as product:
        monkeypatch.setenv("LATTICE_API_URL", f"http://127.1:{os.environ['LATTICE_WEB_PORT']}")
        monkeypatch.setenv("LATTICE_API_TOKEN", (shell.data_dir / "cli-token").read_text().strip())
        serving = subprocess.Popen(
            [sys.executable, "-m", "lattice_cli.app", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        try:
            assert after(20.0, lambda: product.recent(5))[0].content == "The spare key is with Ines."
        finally:
            said, _ = serving.communicate(timeout=20)
    assert (serving.returncode, said) == (0, b"")


def test_what_cannot_be_read_is_an_error_in_words(shell: Shell, tmp_path: Path) -> None:
    shell.set("LATTICE_API_TOKEN_FILE", str(tmp_path / "missing"))
    said = shell.lc("The spare key is with Ines.")
    assert said.code == 1
    assert "LATTICE_API_TOKEN_FILE" in said.err
    shell.set("LATTICE_API_TOKEN_FILE", "")
    assert shell.lc(piped=b"  \n").code == 2


def test_a_token_that_the_server_does_not_know_is_an_error_and_not_an_inbox(shell: Shell) -> None:
    with running(shell):
        shell.set("LATTICE_API_TOKEN", "a-token-of-somebody-else")
        said = shell.lc("The spare key is with Ines.")
    assert said.code == 1
    assert "token" in said.err


def test_json_is_what_the_api_answers(shell: Shell) -> None:
    with running(shell):
        reply = json.loads(shell.lc("--json", "I live in Berlin.").out)
    assert (reply["state"], reply["atoms_new"]) == ("stored", 1)
    assert json.loads(shell.lc("--json", "I live in Berlin.").out)["state"] == "waiting"


def test_status_tells_the_same_with_the_server_and_without(shell: Shell) -> None:
    with running(shell):
        shell.lc("I live in Berlin. My sister Nora works at Siemens.")
        there = shell.lc("status")
    away = shell.lc("status")
    assert there == away
    assert there.out.startswith("2 memories, 1 day deep\nMostly about: ")


def test_a_file_of_the_inbox_that_is_being_read_waits_once_and_not_twice(shell: Shell) -> None:
    found = {"atoms": 1, "streak": 1, "subjects": {}, "today": [], "running": True, "captures": {"waiting": 300}}
    now = {"waiting": 2000, "reading": 300, "unreadable": 0, "strange": 0, "taken": 0, "failed": 0}
    assert status.short({**found, "inbox": status.not_taken(now)})[-1] == "2,000 notes wait to be read."
    with running(shell):
        shell.lc("I live in Berlin.")
        assert json.loads(shell.lc("--json", "status").out)["inbox"] == 0


def test_a_question_is_kept_and_the_command_that_asks_is_named(shell: Shell) -> None:
    with running(shell):
        said = shell.lc("Where is the spare key?")
        assert said.out.splitlines()[-1] == 'Was that a question? Ask it with: lattice ask "Where is the spare key?"'
        assert "Was that a question" not in shell.lc("Ines has the key.").out


def test_what_is_long_is_told_in_a_line_and_nobody_is_told_to_ask_a_page(shell: Shell) -> None:
    with running(shell) as product:
        long = "Does it rain, " + "and the wind blows from the sea, " * 60 + "or is it dry?"
        said = shell.lc(long)
        told = [line for line in said.out.splitlines() if line.startswith(("Remembered: ", "  · "))]
        assert product.recent(10)
        assert all(len(line) <= 220 for line in said.out.splitlines())
        assert any(line.endswith("…") for line in told)
    assert "Was that a question" not in said.out


def test_status_of_an_empty_memory_says_how_to_begin(shell: Shell) -> None:
    said = shell.lc("status")
    assert said.code == 0
    assert said.out.startswith("0 memories, 0 days deep\nTell it something: lc ")


def test_clear_begins_a_new_conversation_and_forgets_nothing(shell: Shell) -> None:
    with running(shell) as product:
        shell.lc("I live in Berlin.")
        said = shell.lc("clear")
        shell.lc("My sister Nora works at Siemens.")
        later, before = product.recent(5)
    assert "Nothing was forgotten" in said.out
    assert before.session_id != later.session_id
    assert later.session_id == f"{before.session_id}.2"


def test_conversations_of_a_day_are_numbered(tmp_path: Path) -> None:
    today, tomorrow = date(2026, 1, 5), date(2026, 1, 6)
    assert session.current(tmp_path, today) == "cli-2026-01-05"
    session.begin_anew(tmp_path, today)
    assert session.begin_anew(tmp_path, today) == session.current(tmp_path, today) == "cli-2026-01-05.3"
    assert session.current(tmp_path, tomorrow) == "cli-2026-01-06"


@pytest.mark.parametrize(
    ("ending", "lines"),
    [
        ({"state": "waiting"}, ["Kept. It is being read: `lattice status` shows when it is done (c1)."]),
        (
            {"state": "dead", "reason": "it broke"},
            ["Kept, but it could not be read: it broke. Try again with `lattice retry c1`."],
        ),
        ({"state": "duplicate", "duplicates_skipped": 1}, ["Already known."]),
        ({"rejected": 2}, ["Set aside: 2 statements that your words do not bear out."]),
        ({"atoms_new": 7}, ["Remembered 7 things:", "  · A", "  … and 6 more", "Take it back with: lattice undo c1"]),
    ],
)
def test_every_end_has_its_words(ending: dict[str, object], lines: list[str]) -> None:
    reply = {"capture_id": "c1", "state": "stored", "atoms_new": 0, "atoms_updated": 0, "duplicates_skipped": 0, "rejected": 0,
             "atom_ids": [], "queued": True, "reason": None, "attempts": 1, "notes": [], **ending}  # fmt: skip
    assert outcome(CaptureReply(**reply), ["A"]) == lines  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"LATTICE_DIR": "/somewhere"},
        {"LATTICE_DIR": "/somewhere", "LATTICE_ACCESS_DIR": "/somewhere/access"},
        {"LATTICE_DIR": "/somewhere", "LATTICE_INBOX": "/elsewhere", "LATTICE_WEB_PORT": "8080", "LATTICE_HOST": "10.0.0.5"},
        {"LATTICE_API_TOKEN": "0123456789abcdef-one", "LATTICE_HOST": "localhost"},
        {"LATTICE_API_TOKEN_FILE": "token.txt"},
        {"LATTICE_API_TOKEN_FILE": "token.txt", "LATTICE_API_TOKEN": "0123456789abcdef-two"},
    ],
)
@pytest.mark.parametrize("in_a_file", [False, True])
def test_the_quick_look_at_the_environment_agrees_with_the_settings(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], in_a_file: bool
) -> None:
    for name in ("LATTICE_DIR", "LATTICE_WEB_PORT"):
        monkeypatch.delenv(name)
    (tmp_path / "token.txt").write_text("0123456789abcdef-file\n")
    if in_a_file:
        (tmp_path / ".env").write_text(
            "".join(f"{name}={value}\n" for name, value in environ.items() if not name.endswith("_FILE"))
        )
    for name, value in environ.items():
        if not in_a_file or name.endswith("_FILE"):
            monkeypatch.setenv(name, value)
    found, settings = target.find_target(), Settings()
    assert (found.data_dir, found.inbox) == (settings.data_dir, settings.inbox)
    assert found.access_dir == (settings.access_dir or settings.data_dir)
    assert found.base_url.endswith(f":{settings.port}")
    assert found.fixed_token == (settings.api_token.get_secret_value() if settings.api_token else None)
    assert target.TOKEN_NAME == local_token.FILE_NAME


def test_a_request_is_shown_and_done_only_with_yes(shell: Shell) -> None:
    with running(shell) as product:
        shell.lc("Tom plays darts.")
        said = shell.lc("--do", "forget", "what", "I", "said", "about", "Tom")
        assert (said.code, "Tom plays darts." in said.out, "Nothing was changed." in said.out) == (1, True, True)
        assert len(product.recent(10)) == 1
        done = shell.lc("--do", "--yes", "forget what I said about Tom")
        assert (done.code, "In the trash: one memory." in done.out) == (0, True)
        assert product.recent(10) == []
        assert shell.lattice("undo", done.out.rsplit("lattice undo ", 1)[1].strip()).code == 0
        assert len(product.recent(10)) == 1


def test_a_request_that_is_not_understood_says_how_its_words_are_kept(shell: Shell) -> None:
    with running(shell) as product:
        said = shell.lc("--do", "switch to Portuguese")
        assert (said.code, "did not understand" in said.out, "Without --do it is remembered" in said.out) == (1, True, True)
        assert product.recent(10) == []
