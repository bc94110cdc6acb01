"""Looking at memories and changing them from the command line."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from cli_product import Said, Shell, running
from lattice_cli import app
from lattice_cli.edit import FIELDS, fields_in, page_of

PORTO = ("I live in Porto.", "2026-01-10T10:00:00Z")
LISBON = ("I moved from Porto to Lisbon.", "2026-05-10T10:00:00Z")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """With a product that knows where somebody lived, and who has a key."""
    shell = Shell(tmp_path, monkeypatch)
    lines = [{"role": "user", "content": text, "observed_at": at} for text, at in (PORTO, LISBON)]
    (tmp_path / "talk.json").write_text(json.dumps(lines))
    with running(shell):
        shell.lattice("import", "chat", str(tmp_path / "talk.json"))
        shell.lc("The spare key is with Ines.")
        yield shell


def ids(shell: Shell, *words: str) -> dict[str, str]:
    """The id of each memory by what it says."""
    found = [json.loads(line) for line in shell.lattice("atoms", *words, "--json").out.splitlines()]
    return {each["content"]: each["atom_id"] for each in found}


def test_the_newest_memories_are_listed(shell: Shell) -> None:
    said = shell.lattice("atoms")
    assert said.code == 0
    assert said.out.splitlines()[0].endswith("The spare key is with Ines.")
    assert "I live in Porto.  (replaced)" in said.out


def test_memories_are_listed_by_words_and_for_pipes(shell: Shell) -> None:
    assert "The spare key is with Ines." in ids(shell, "spare", "key")
    assert shell.lattice("atoms", "--limit", "1").out.count("\n") == 1


def test_what_only_comes_near_is_said_to_and_a_kind_needs_no_words(shell: Shell) -> None:
    told = shell.lattice("atoms", "marzipan", "submarine")
    assert "Nothing is" in told.err
    assert shell.lattice("atoms", "spare", "key").err == ""
    assert "spare key" in shell.lattice("atoms", "--kind", "fact", "spare", "key").out
    assert "spare key" in shell.lattice("atoms", "--kind", "fact").out
    assert shell.lattice("atoms", "--kind", "insight").code == 1


def test_one_memory_is_shown_with_the_words_it_comes_from(shell: Shell) -> None:
    said = shell.lattice("show", ids(shell)["I moved from Porto to Lisbon."])
    assert said.out.splitlines()[0] == "I moved from Porto to Lisbon."
    assert "»I moved from Porto to Lisbon.«" in said.out
    assert "Replaced 2026-01-10  I live in Porto." in said.out


def test_what_is_not_there_ends_with_one(shell: Shell) -> None:
    for command in ("show", "history", "diff"):
        said = shell.lattice(command, "01m7zcs28ayc1639ecsmey20js")
        assert (said.code, "There is no memory" in said.err) == (1, True)


def test_what_is_no_id_names_nothing(shell: Shell) -> None:
    for command, *options in (["show"], ["history"], ["diff"], ["edit", "--content", "x"], ["undo"], ["retry"]):
        for named in ("recent", "related", "../status", ""):
            said = shell.lattice(command, named, *options)
            assert (said.code, said.out) == (1, ""), (command, named)
            assert said.err.lower().startswith("there is no ")
            assert "/api/" not in said.err


def test_the_history_of_a_memory_is_told(shell: Shell) -> None:
    said = shell.lattice("history", ids(shell)["I moved from Porto to Lisbon."])
    assert [line.split("  ")[1:3] for line in said.out.splitlines()] == [
        ["2026-01-10", "I live in Porto."],
        ["2026-05-10", "I moved from Porto to Lisbon."],
    ]


def test_a_difference_is_shown_word_by_word(shell: Shell) -> None:
    known = ids(shell)
    said = shell.lattice("diff", known["I moved from Porto to Lisbon."])
    assert said.out.splitlines()[-1] == "I [-live in Porto.-] {+moved from Porto to Lisbon.+}"
    assert shell.lattice("diff", known["The spare key is with Ines."]).code == 1


def test_the_timeline_and_the_profile_are_told(shell: Shell) -> None:
    told = shell.lattice("timeline", "--subject", "home").out.splitlines()
    assert told == ["2026-01-10  I live in Porto.  (replaced)", "2026-05-10  I moved from Porto to Lisbon."]
    assert shell.lattice("timeline", "--before", "2026-02-01").out.count("\n") == 1
    assert shell.lattice("timeline", "--after", "spring").code == 2
    assert "Lasting, fact\n  I moved from Porto to Lisbon.  (since 2026-05-10)" in shell.lattice("profile").out
    assert "I live in Porto" not in shell.lattice("profile").out
    assert json.loads(shell.lattice("profile", "--json").out.splitlines()[0])["lines"]
    assert shell.lattice("profile", "--tokens", "50").out


def test_captures_are_told_with_what_became_of_them(shell: Shell) -> None:
    told = shell.lattice("captures").out.splitlines()
    assert len(told) == 2
    assert "stored     1 new, 0 updated" in told[0]
    none = shell.lattice("captures", "--state", "dead")
    assert (none.code, none.out, none.err) == (1, "", "There is none that is dead.\n")
    assert shell.lattice("captures", "--state", "unheard-of").code == 2


def test_what_was_set_aside_is_told_and_may_be_kept(shell: Shell) -> None:
    assert (shell.lattice("rejected").code, shell.lattice("rejected").err) == (1, "Nothing was set aside.\n")
    assert shell.lattice("rejected", "--json").err == ""
    assert shell.lattice("rejected", "--keep", "x").code == 1


def editor(shell: Shell, folder: Path, script: str) -> None:
    path = folder / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    shell.set("VISUAL", str(path))


def edited(shell: Shell, atom_id: str) -> Said:
    return shell.lattice("edit", atom_id)


def test_a_memory_is_edited_in_an_editor_and_the_edit_taken_back(shell: Shell, tmp_path: Path) -> None:
    atom_id = ids(shell)["The spare key is with Ines."]
    editor(shell, tmp_path, "sed -i 's/Ines/Tom/; s/^importance: .*/importance: 0.9/' \"$1\"")
    said = edited(shell, atom_id)
    assert said.code == 0
    shown = json.loads(shell.lattice("show", atom_id, "--json").out)
    assert (shown["content"], shown["importance"]) == ("The spare key is with Tom.", 0.9)
    shell.lattice("undo", said.out.split()[-1])
    assert "The spare key is with Ines." in ids(shell)


def test_an_editor_that_changes_nothing_or_fails_changes_nothing(shell: Shell, tmp_path: Path) -> None:
    atom_id = ids(shell)["The spare key is with Ines."]
    editor(shell, tmp_path, "true")
    assert (edited(shell, atom_id).code, "nothing was changed" in edited(shell, atom_id).out) == (0, True)
    editor(shell, tmp_path, 'echo > "$1"; exit 3')
    assert edited(shell, atom_id).code == 1
    shell.set("VISUAL", "/no/such/editor")
    assert "export EDITOR=nano" in edited(shell, atom_id).err
    assert "The spare key is with Ines." in ids(shell)


def test_an_edit_does_not_overwrite_another_that_came_between(shell: Shell, tmp_path: Path) -> None:
    atom_id = ids(shell)["The spare key is with Ines."]
    # The editor itself is where the other edit comes from: it is made while the page is open.
    code = (
        "import sys; from lattice_cli import app; "
        f"sys.argv = ['lattice', 'edit', '{atom_id}', '--content', 'The spare key is with Nora.']; app.main()"
    )
    import sys

    editor(shell, tmp_path, f'{sys.executable} -c "{code}" && sed -i \'s/Ines/Tom/\' "$1"')
    said = edited(shell, atom_id)
    assert said.code == 1
    assert "not as it was when you read it" in said.err
    assert "The spare key is with Nora." in ids(shell)


def test_fields_are_set_without_an_editor(shell: Shell) -> None:
    atom_id = ids(shell)["The spare key is with Ines."]
    said = shell.lattice("edit", atom_id, "--set", "importance=0.9", "--set", "entities=Ines, flat 12", "--json")
    assert json.loads(said.out)["change_id"]
    shown = json.loads(shell.lattice("show", atom_id, "--json").out)
    assert (shown["importance"], shown["entities"]) == (0.9, ["Ines", "flat 12"])
    piped = shell.lattice("edit", atom_id, "--content", "-", piped="The spare key is with Zoë.\n".encode())
    assert piped.code == 0
    assert shell.lattice("edit", atom_id, "--set", "colour=red").code == 1
    assert "The spare key is with Zoë." in ids(shell)


def test_a_page_says_what_its_memory_says() -> None:
    atom = {"content": "Two\n\nparagraphs", "subject": "x", "kind": "fact", "entities": ["a", "b"], "importance": 0.5}
    found = fields_in(page_of(atom))
    assert found.pop("content") == "Two\n\nparagraphs"
    assert found == {
        "subject": "x",
        "kind": "fact",
        "entities": ["a", "b"],
        "valid_from": None,
        "valid_until": None,
        "importance": 0.5,
        "confidence": 0.0,
    }
    assert tuple(found) == FIELDS


NO_JSON = {
    "up": "it runs until it is stopped; `lattice status --json` is for scripts",
    "completion": "a shell's own language",
    "fetch": "it downloads what somebody waits for",
    "open": "it says a link and nothing else",
    "mcp": "it speaks JSON to whoever starts it",
    "hook start": "an assistant calls it, and reads what it is made for",
    "hook end": "an assistant calls it, and reads nothing",
    "hook turn": "an assistant calls it, and reads nothing",
    "service install": "it is typed once, by somebody who reads what it says",
    "service show": "the unit itself, for systemd or launchd",
    "service remove": "it is typed once, by somebody who reads what it says",
}


def commands_of(group: typer.Typer) -> Iterator[tuple[str, str]]:
    """Each command with its options."""
    made = typer.main.get_command(group)
    for name, command in made.commands.items():  # type: ignore[attr-defined]
        if hasattr(command, "commands"):
            for inner, each in command.commands.items():
                yield f"{name} {inner}", " ".join(str(option) for param in each.params for option in param.opts)
        else:
            yield name, " ".join(str(option) for param in command.params for option in param.opts)


def test_every_command_answers_scripts() -> None:
    without = {name for name, options in commands_of(app.app) if "--json" not in options}
    assert without == NO_JSON.keys()


def test_what_scripts_get_is_json(shell: Shell) -> None:
    known = ids(shell)["I moved from Porto to Lisbon."]
    told = [
        shell.lattice(*command, "--json")
        for command in (
            ["diff", known],
            ["token", "add", "phone"],
            ["token", "list"],
            ["audit"],
            ["token", "revoke", "phone"],
            ["export"],
            ["mcp-config", "claude-desktop"],
            ["pair", "telegram"],
        )
    ]
    assert all(json.loads(line) for said in told for line in said.out.splitlines())
    assert json.loads(shell.lc("clear", "--json").out)["session_id"].startswith("cli-")
    assert shell.lattice("retry", "--all", "--json").out == ""


def test_the_deep_look_has_a_number_with_its_parts_for_people_and_for_scripts(shell: Shell) -> None:
    said = shell.lattice("doctor", "--deep")
    assert (said.code, "Health: 100 of 100" in said.out, "All is well." in said.out) == (0, True, True)
    found = json.loads(shell.lattice("doctor", "--deep", "--json").out)
    assert (found["health"]["percent"], found["findings"], "repaired" in found) == (100.0, [], False)
    assert {"quote", "lexical", "graph", "contradiction"} <= {part["area"] for part in found["health"]["parts"]}
    assert json.loads(shell.lattice("doctor", "--json").out).keys() == {"atoms", "captures", "findings"}


def test_what_is_damaged_is_repaired_once_lattice_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        shell.lc("The spare key is with Ines.")
        (shell.data_dir / "graph" / "edges.jsonl").unlink()
        refused = shell.lattice("doctor", "--repair")
        assert (refused.code, "another process writes" in refused.err) == (1, True)
    assert shell.lattice("doctor", "--deep").code == 1
    made = shell.lattice("doctor", "--repair", "--json")
    assert (made.code, json.loads(made.out)["repaired"]["graph"]) == (0, True)
    assert shell.lattice("doctor", "--repair").out.splitlines()[-1] == "All is well."


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_every_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell_name: str) -> None:
    said = Shell(tmp_path, monkeypatch).lattice("completion", shell_name)
    assert (said.code, "_LATTICE_COMPLETE" in said.out) == (0, True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_what_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "completion"
    script.write_text(Shell(tmp_path, monkeypatch).lattice("completion", "bash").out)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    tab = "COMP_WORDS=(lattice captures --state de); COMP_CWORD=3; _lattice_completion lattice; echo ${COMPREPLY[*]}"
    ended = subprocess.run(["bash", "-c", f"source {script}; {tab}"], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["dead"]


def test_zsh_completes_at_the_first_tab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last = Shell(tmp_path, monkeypatch).lattice("completion", "zsh").out.rpartition("compdef _lattice_completion lattice")[2]
    assert '"$funcstack[1]" = "_lattice"' in last


def test_commands_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    for name, value in (("_LATTICE_COMPLETE", "complete_bash"), ("COMP_WORDS", "lattice ti"), ("COMP_CWORD", "1")):
        shell.set(name, value)
    assert shell.lattice().out.split() == ["timeline"]


@pytest.mark.parametrize(
    "command", ["atoms", "show x", "edit x", "history x", "diff x", "timeline", "profile", "rejected", "captures"]
)
def test_what_needs_the_server_ends_with_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    assert Shell(tmp_path, monkeypatch).lattice(*command.split()).code == 3


@pytest.mark.parametrize("command", [name for name, _ in commands_of(app.app)] + ["import", "demo", "token", "pair"])
def test_help_teaches_with_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    shell = Shell(tmp_path, monkeypatch)
    told = shell.lattice(*command.split(), "--help")
    assert told.code == 0
    assert f"lattice {command}" in told.out.partition("Example")[2]
    assert shell.lattice(*command.split(), "-h") == told
