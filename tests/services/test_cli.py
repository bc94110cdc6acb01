"""`lattice`, as it is typed, with the server there and away."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from cli_product import Shell, running
from lattice_cli.target import find_target
from lattice_cli.up import listener_on
from lattice_common import __version__
from working import until

CHAT = """\
[10:02] Ada: I live in Porto.
[10:03] Ben: I work at Nokia.
[10:04] Ada: My sister Nora works at Siemens.
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def fingerprint(folder: Path) -> dict[str, str]:
    """Every file below a folder, with its time and the hash of its bytes."""
    return {
        str(path.relative_to(folder)): f"{path.stat().st_mtime_ns} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def at_rest(folder: Path) -> dict[str, str]:
    """Return the fingerprint once the record of accesses, written after an answer, holds what was told, and nothing changes."""
    audit = folder / "logs" / "audit.jsonl"
    until("what was told is recorded", lambda: audit.is_file() and "POST /api/ingest" in audit.read_text())
    seen = [fingerprint(folder)]

    def still() -> bool:
        time.sleep(0.2)  # a line that is on its way takes some milliseconds
        seen.append(fingerprint(folder))
        return seen[-1] == seen[-2]

    until("no file changes", still)
    return seen[-1]


def test_a_question_is_answered_with_its_citations(shell: Shell) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines.")
        said = shell.lattice("ask", "who has", "the spare key?")
        told = json.loads(shell.lattice("ask", "--json", "who has the spare key?").out)
    assert said.code == 0
    assert said.out.startswith("Ines [1]")
    assert "  [1] “The spare key is with Ines.”" in said.out
    assert told["citations"][0]["n"] == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["lc status", "app --help", "app completion bash"])
def test_a_pipe_that_nobody_reads_on_ends_it_without_a_word(shell: Shell, command: str, unbuffered: str) -> None:
    module, *arguments = command.split()
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", f"lattice_cli.{module}", *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.parametrize("module", ["lc", "app"])
def test_streams_that_were_closed_are_no_riddle(shell: Shell, module: str) -> None:
    commands = {"lc": ["lc"], "app": ["app", "ask"]}
    line = " ".join([sys.executable, "-m", f"lattice_cli.{commands[module][0]}", *commands[module][1:]])
    silent = subprocess.run(["/bin/sh", "-c", f"{line} <&-"], capture_output=True, text=True, check=False)
    assert (silent.returncode, "Traceback" in silent.stderr, "empty" in silent.stderr) == (2, False, True)
    unheard = subprocess.run(["/bin/sh", "-c", f"{line} --help >&-"], capture_output=True, text=True, check=False)
    assert (unheard.returncode, unheard.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk here is always full")
def test_an_output_that_takes_no_more_is_said(shell: Shell) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "lattice_cli.app", "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (1, "The output cannot be written: No space left on device.\n")


@pytest.mark.parametrize("command", ["up --no-browser", "status", "doctor", "export"])
def test_a_data_folder_that_is_none_is_said(shell: Shell, tmp_path: Path, command: str) -> None:
    (tmp_path / "notes.md").touch()
    shell.set("LATTICE_DIR", str(tmp_path / "notes.md"))
    said = [shell.lattice(*command.split()), shell.lc("clear"), shell.lc("The spare key is with Ines.")]
    assert [(each.code, "set LATTICE_DIR" in each.err) for each in said] == [(1, True)] * 3


def test_what_nothing_answers_ends_with_one(shell: Shell) -> None:
    with running(shell):
        assert shell.lattice("ask", "where do I live?").code == 1


def test_a_sentence_in_the_place_of_a_command_is_told_where_to_go(shell: Shell) -> None:
    said = shell.lattice("where is the spare key?")
    assert (said.code, said.err.count("where is the spare key?")) == (2, 3)
    assert 'lattice ask "where is' in said.err
    assert "Did you mean" in shell.lattice("edti").err


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "0001-01-01"])
def test_a_date_that_is_none_is_not_understood(shell: Shell, day: str) -> None:
    said = shell.lattice("ask", "--as-of", day, "where do I live?")
    assert said.code == 2
    assert "2026-05-01" in said.err


@pytest.mark.parametrize("command", [["ask", "x"], ["undo", "x"], ["retry", "--all"], ["token", "list"]])
def test_what_needs_the_server_says_how_to_start_it(shell: Shell, command: list[str]) -> None:
    said = shell.lattice(*command)
    assert said.code == 3
    assert "`lattice up`" in said.err


@pytest.mark.parametrize("up", [True, False])
def test_a_conversation_is_imported_and_a_second_time_changes_nothing(shell: Shell, tmp_path: Path, up: bool) -> None:
    (tmp_path / "talk.txt").write_text(CHAT)

    def twice() -> tuple[dict[str, int], dict[str, int]]:
        first = shell.lattice("import", "chat", "--json", str(tmp_path / "talk.txt"))
        return json.loads(first.out), json.loads(shell.lattice("import", "chat", "--json", str(tmp_path / "talk.txt")).out)

    if up:
        with running(shell):
            first, second = twice()
    else:
        first, second = twice()
    assert first == {"captures": 1, "atoms_new": 3, "stored": 1}
    assert second["atoms_new"] == 0


def test_a_conversation_under_another_name_brings_nothing_new(shell: Shell, tmp_path: Path) -> None:
    for name in ("talk.txt", "talk (1).txt"):
        (tmp_path / name).write_text(CHAT)
    with running(shell):
        shell.lattice("import", "chat", "talk.txt")
        told = [shell.lattice("import", "chat", "talk (1).txt"), shell.lattice("import", "chat", "-", piped=CHAT.encode())]
    assert [(said.code, said.out) for said in told] == [(0, "Read 1 capture: 0 new memories.\n")] * 2


@pytest.mark.parametrize("piped", [True, False])
def test_a_chat_with_chatgpt_is_read_along_its_branches(shell: Shell, tmp_path: Path, piped: bool) -> None:
    def node(parent: str | None, words: str, at: int, *children: str) -> dict[str, object]:
        message = {"author": {"role": "user"}, "create_time": 1746352800 + at, "content": {"parts": [words]}}
        return {"message": message, "parent": parent, "children": list(children)}

    mapping = {
        "a": node(None, "My rent is 950 euros.", 0, "b", "c"),
        "b": node("a", "I moved to Oslo.", 1),
        "c": node("a", "I moved to Ghent.", 2),
    }
    export = json.dumps([{"title": "Moving", "current_node": "c", "mapping": mapping}])
    (tmp_path / "conversations.json").write_text(export)
    with running(shell) as product:
        given = shell.lattice("import", "chat", "-", piped=export.encode()) if piped else None
        said = given or shell.lattice("import", "chat", str(tmp_path / "conversations.json"))
        assert said.out == "Read 2 captures: 3 new memories.\n"
        sessions = {atom.content.partition(": ")[2] or atom.content: atom.session_id for atom in product.recent(9)}
        assert sessions["My rent is 950 euros."] == sessions["I moved to Ghent."] != sessions["I moved to Oslo."]
        whole = shell.lattice("import", "export", "--json", str(tmp_path / "conversations.json"))
        assert piped or json.loads(whole.out)["duplicate"] == 2


def test_a_conversation_comes_through_a_pipe(shell: Shell) -> None:
    said = shell.lattice("import", "chat", "-", piped=CHAT.encode())
    assert said.out == "Read 1 capture: 3 new memories.\n"


def test_a_folder_of_notes_is_imported_without_what_is_hidden_or_no_text(shell: Shell, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for name, words in (("a.md", "I live in Porto."), ("sub/b.txt", "I work at Nokia."), (".git/c.md", "No."), ("d.pdf", "No.")):
        (notes / name).parent.mkdir(parents=True, exist_ok=True)
        (notes / name).write_text(words)
    with running(shell) as product:
        assert shell.lattice("import", "text", str(notes)).out == "Read 2 captures: 2 new memories.\n"
        assert {atom.source_id for atom in product.recent(9)} == {"a.md", "sub/b.txt"}


def test_a_file_without_a_conversation_is_refused(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("no names here")
    said = shell.lattice("import", "chat", str(tmp_path / "x.txt"))
    assert said.code == 1
    assert "holds no conversation" in said.err
    assert shell.lattice("import", "chat", str(tmp_path / "missing.txt")).code == 1


@pytest.mark.parametrize("up", [True, False])
def test_the_doctor_changes_nothing_and_says_that_all_is_well(shell: Shell, up: bool) -> None:
    with running(shell):
        shell.lc("I live in Berlin. My sister Nora works at Siemens.")
        if up:
            before = at_rest(shell.data_dir)
            said = shell.lattice("doctor")
            assert fingerprint(shell.data_dir) == before
    if not up:
        before = fingerprint(shell.data_dir)
        said = shell.lattice("doctor")
        assert fingerprint(shell.data_dir) == before
    assert (said.code, said.out) == (0, "Looked at 2 memories from 1 capture.\nAll is well.\n")


def test_the_doctor_finds_what_was_damaged_and_changes_nothing(shell: Shell) -> None:
    with running(shell):
        shell.lc("I live in Berlin. My sister Nora works at Siemens.")
    first, second = sorted((shell.data_dir / "atoms").rglob("*.md"))
    first.write_bytes(b"---\nbroken: [\n---\n")
    second.unlink()
    shutil.rmtree(shell.data_dir / "index" / "lexical")
    (shell.data_dir / "index" / "dense" / "exact" / "made-by.json").write_bytes(b"{")
    before = fingerprint(shell.data_dir)
    said = shell.lattice("doctor", "--json")
    assert fingerprint(shell.data_dir) == before
    assert said.code == 1
    assert {"file", "catalogue", "lexical"} <= {each["area"] for each in json.loads(said.out)["findings"]}


def test_a_rebuild_makes_the_same_state_from_nothing_but_the_canonical_files(shell: Shell) -> None:
    with running(shell):
        shell.lc("I live in Berlin. My sister Nora works at Siemens.")
        refused = shell.lattice("rebuild")
    assert refused.code == 1
    assert f"pid {os.getpid()}" in refused.err
    first = shell.lattice("rebuild")
    for name in ("index", "graph"):
        shutil.rmtree(shell.data_dir / name)
    assert shell.lattice("rebuild").out == first.out
    assert first.out.startswith("Made anew: 2 memories. State ")


def test_status_works_with_the_server_and_without(shell: Shell) -> None:
    with running(shell):
        shell.lc("I live in Berlin.")
        there = shell.lattice("status")
    assert there.code == 0
    assert there.out.startswith("Running at http://127.0.0.1:")
    away = shell.lattice("status")
    assert away.code == 3
    assert "1 memory, 1 day deep" in away.out
    assert json.loads(shell.lattice("status", "--json").out)["atoms"] == 1


def test_everything_can_be_taken_out_with_the_server_and_without(shell: Shell, tmp_path: Path) -> None:
    with running(shell):
        shell.lc("I live in Berlin.")
        shell.lc("I moved from Berlin to Lisbon.")
        there = shell.lattice("export")
        shell.lattice("export", "--format", "markdown", str(tmp_path / "me.md"))
    assert [json.loads(line)["content"] for line in there.out.splitlines()] == [
        "I live in Berlin.",
        "I moved from Berlin to Lisbon.",
    ]
    assert {line.strip() for line in shell.lattice("export").out.splitlines()} == {
        line.strip() for line in there.out.splitlines()
    }
    page = (tmp_path / "me.md").read_text()
    assert "- ~~I live in Berlin.~~ (" in page
    assert "\n- I moved from Berlin to Lisbon.\n" in page


def test_what_is_taken_out_is_its_owners_and_a_pipe_stays_a_pipe(shell: Shell, tmp_path: Path) -> None:
    with running(shell):
        shell.lc("I live in Berlin.")
    before = os.umask(0o022)
    try:
        shell.lattice("export", str(tmp_path / "me.jsonl"))
    finally:
        os.umask(before)
    assert (tmp_path / "me.jsonl").stat().st_mode & 0o777 == 0o600
    os.mkfifo(tmp_path / "pipe")
    read: list[str] = []
    reading = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()), daemon=True)
    reading.start()
    shell.lattice("export", str(tmp_path / "pipe"))
    assert (tmp_path / "pipe").is_fifo()
    reading.join(20)
    assert "I live in Berlin." in read[0]
    (tmp_path / "link").symlink_to(tmp_path / "me.jsonl")
    shell.lattice("export", "--format", "markdown", str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "me.jsonl").read_text().startswith("# What I told")
    nowhere = shell.lattice("export", str(tmp_path / "missing" / "me.jsonl"))
    assert nowhere.code != 0
    assert "missing" in nowhere.err


def test_tokens_are_made_listed_and_ended(shell: Shell) -> None:
    with running(shell):
        token = shell.lattice("token", "add", "phone", "--scope", "capture").out.strip()
        assert "phone                capture\n" in shell.lattice("token", "list").out
        assert (
            "It may ask, look and export for 7 days."
            in shell.lattice("token", "add", "guest", "--scope", "read", "--days", "7").err
        )
        assert "It may do all that you may." in shell.lattice("token", "add", "desk", "--scope", "admin").err
        assert "guest                read  until 20" in shell.lattice("token", "list").out
        shell.set("LATTICE_API_TOKEN", token)
        assert shell.lc("I live in Berlin.").out.startswith("Kept.")  # it may capture, and not look
        assert shell.lattice("token", "list").code == 1
        shell.set("LATTICE_API_TOKEN", "")
        assert shell.lattice("token", "revoke", "phone").code == 0
        assert shell.lattice("token", "revoke", "phone").code == 1


@pytest.mark.parametrize("command", ["ask x", "atoms", "status", "export", "token list"])
def test_a_token_that_is_unknown_is_told_from_one_that_may_not(shell: Shell, command: str) -> None:
    with running(shell):
        telling = shell.lattice("token", "add", "phone", "--scope", "capture").out.strip()
        shell.set("LATTICE_API_TOKEN", telling)
        scoped = shell.lattice(*command.split())
        shell.set("LATTICE_API_TOKEN", "a-token-of-somebody-else")
        unknown = shell.lattice(*command.split())
    assert (scoped.code, unknown.code) == (1, 1)
    assert "has the scopes capture" in scoped.err
    assert "does not know this command line's token" in unknown.err


def test_the_page_is_opened_signed_in_also_when_it_runs_already(shell: Shell) -> None:
    with running(shell):
        again = shell.lattice("up", "--no-browser")
        said = shell.lattice("open")
        link = said.out.strip()
        code = parse_qs(urlsplit(link).query)["code"][0]
        signed_in = [httpx2.post(f"{find_target().base_url}/api/login", json={"code": code}).status_code for _ in range(2)]
    assert (again.code, "Lattice runs already. `lattice open`" in again.err) == (1, True)
    assert (said.code, urlsplit(link).hostname, urlsplit(link).path) == (0, "localhost", "/login")
    assert signed_in == [200, 401]


def test_behind_a_proxy_or_a_container_the_page_is_opened_where_people_reach_it(shell: Shell) -> None:
    shell.set("LATTICE_PUBLIC_URL", "https://memory.example/")
    with running(shell):
        assert shell.lattice("open", "--no-browser").out.startswith("https://memory.example/login?code=")


def test_the_page_of_what_does_not_run_is_not_opened(shell: Shell) -> None:
    assert shell.lattice("open").code == 3


def test_who_holds_a_port_is_named() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert f"process {os.getpid()}" in listener_on(listening.getsockname()[1])


def test_who_holds_a_port_is_named_while_its_other_files_come_and_go(tmp_path: Path) -> None:
    """A server opens and closes files all the time: one that is gone when it is looked at must not hide the others."""
    ending = threading.Event()

    def come_and_go() -> None:
        while not ending.is_set():
            for file in [(tmp_path / str(number)).open("wb") for number in range(40)]:
                file.close()

    beside = threading.Thread(target=come_and_go)
    before = [(tmp_path / "before").open("wb") for _ in range(60)]
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        for file in before:
            file.close()  # what comes and goes is looked at first
        beside.start()
        try:
            said = [listener_on(listening.getsockname()[1]) for _ in range(12)]
        finally:
            ending.set()
            beside.join()
    assert all(f"process {os.getpid()}" in each for each in said)


def test_help_teaches_by_examples_and_imports_no_engine(shell: Shell) -> None:
    said = shell.lattice("--help")
    assert said.code == 0
    assert 'lattice ask "where is the spare key?"' in said.out
    heavy = "numpy", "pydantic", "tantivy", "fastapi", "rich", "httpx2", "onnxruntime"
    script = f"import sys, lattice_cli.app, lattice_cli.lc; print([each for each in {heavy} if each in sys.modules])"
    seen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "[]"


def test_both_commands_say_their_version(shell: Shell) -> None:
    for said in (shell.lattice("--version"), shell.lc("--version")):
        assert (said.code, said.out, said.err) == (0, f"lattice {__version__}\n", "")
    assert not shell.data_dir.exists()


@pytest.mark.parametrize(("command", "needed"), [("lattice", "typer"), ("lattice", "lattice_cli.app"), ("lc", "argparse")])
def test_ctrl_c_ends_a_command_without_a_traceback_while_it_is_still_being_imported(command: str, needed: str) -> None:
    script = f"""
import os, signal, sys

class Pressed:
    def find_spec(self, name, *_):
        if name == {needed!r}:
            os.kill(os.getpid(), signal.SIGINT)

declared, = importlib.metadata.entry_points(group="console_scripts", name={command!r})
begin = declared.load()
sys.meta_path.insert(0, Pressed())
begin()
"""
    ended = subprocess.run(
        [sys.executable, "-c", f"import importlib.metadata{script}"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


@pytest.mark.slow
def test_up_says_where_it_is_serves_and_stops_gracefully(shell: Shell, tmp_path: Path) -> None:
    shell.set("LATTICE_EMBED_MODEL", "all-MiniLM-L6-v2")
    command = [sys.executable, "-m", "lattice_cli.app", "up", "--no-browser", "--port", "0", "--demo"]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert started.stdout is not None
    try:
        lines = [started.stdout.readline() for _ in range(5)]
        url = lines[0].removeprefix("Lattice is at ").strip()
        assert "/login?code=" in lines[1]
        assert "shown this once: lattice_" in lines[2]
        assert lines[4].startswith("The demo is in: ")
        shell.set("LATTICE_WEB_PORT", url.rpartition(":")[2])
        assert "Lisbon" in shell.lattice("ask", "Where do I live now?").out
        assert shell.lattice("up", "--no-browser").code == 1
    finally:
        started.send_signal(signal.SIGTERM)
        rest, _ = started.communicate(timeout=30)
    assert started.returncode == 0
    assert rest.endswith("Stopped. All that was kept is on disk.\n")
    shell.set("LATTICE_WEB_PORT", "1")
    assert shell.lattice("doctor").code == 0


@pytest.mark.parametrize("served", [True, False])
def test_a_folder_of_files_of_any_kind_is_imported_once(shell: Shell, tmp_path: Path, served: bool) -> None:
    papers = tmp_path / "papers"
    (papers / "sub").mkdir(parents=True)
    (papers / "page.html").write_text("<p>Tom lives in Ghent.</p>")
    (papers / "sub" / "note.md").write_text("The spare key is with Ines.")
    (papers / "sub" / "draft.tmp").write_text("Nobody wants this.")
    (papers / "song.mp3").write_bytes(b"ID3\x03\x00\x00" + bytes(range(256)) * 20)
    with running(shell) if served else contextlib.nullcontext():
        for new in (2, 0):
            said = shell.lattice("import", "files", "--json", str(papers))
            assert json.loads(said.out) == {"captures": 3, "atoms_new": new, "rejected": 1, "stored": 2}
        assert "was set aside" in shell.lattice("import", "files", str(papers)).err
