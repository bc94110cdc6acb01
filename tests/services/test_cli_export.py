"""`lattice import export`: an account of every thing, nothing twice, and all of it back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_product import Shell, running

CHAT = [
    {
        "uuid": f"u{at}",
        "name": f"Talk {at}",
        "chat_messages": [{"sender": "human", "text": words, "created_at": "2026-01-02T10:00:00Z"}],
    }
    for at, words in enumerate(("I adopted a cat called Miro.", "My rent is 950 euros.", ""))
]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    there = Shell(tmp_path, monkeypatch)
    with running(there):
        yield there


@pytest.fixture
def export(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "conversations.json").write_text(json.dumps(CHAT))
    (folder / "boat.md").write_text("The boat is in berth 12.\n")
    (folder / "photo.png").write_bytes(b"\x89PNG")
    return folder


def test_an_export_is_accounted_for_brought_once_and_taken_back_as_a_whole(shell: Shell, export: Path) -> None:
    dry = json.loads(shell.lattice("import", "export", "--dry-run", "--json", str(export)).out)
    assert (dry["found"], dry["skipped"], dry["stored"]) == (5, 2, 0)
    assert dry["first"] == "2026-01-02"
    first = json.loads(shell.lattice("import", "export", "--json", str(export)).out)
    assert (first["found"], first["stored"], first["skipped"]) == (5, 3, 2)
    assert first["atoms_new"] >= 3
    assert sum(first["left_out"].values()) == 2
    again = json.loads(shell.lattice("import", "export", "--json", str(export)).out)
    assert (again["stored"], again["duplicate"], again["atoms_new"]) == (0, 3, 0)
    undone = json.loads(shell.lattice("import", "undo", str(export), "--json").out)
    assert json.loads(shell.lattice("status", "--json").out)["atoms"] == 0
    shell.lattice("undo", undone["change_id"])
    assert json.loads(shell.lattice("status", "--json").out)["atoms"] == first["atoms_new"]


def test_one_note_of_a_folder_is_taken_back_by_its_name_below_it(shell: Shell, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for name, words in (
        ("kitchen.md", "The kettle is red."),
        ("house/kitchen.md", "The oven is blue."),
        ("house/50% off?#1.md", "Ann has 3 cats."),
    ):
        (notes / name).parent.mkdir(parents=True, exist_ok=True)
        (notes / name).write_text(words)
    shell.lattice("import", "text", str(notes))
    for name, left in (("house/kitchen.md", 2), ("house/50% off?#1.md", 1), (str(notes / "kitchen.md"), 0)):
        shell.lattice("import", "undo", name)
        assert json.loads(shell.lattice("status", "--json").out)["atoms"] == left


def test_of_two_exports_of_one_name_one_is_taken_back(shell: Shell, tmp_path: Path) -> None:
    message = {"author": {"role": "user"}, "create_time": 1746352800, "content": {"parts": ["I moved to Ghent."]}}
    branch = {"title": "Moving", "current_node": "a", "mapping": {"a": {"message": message, "parent": None, "children": []}}}
    for folder, content in (("claude", CHAT), ("chatgpt", [branch])):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "conversations.json").write_text(json.dumps(content))
        told = shell.lattice("import", "export", str(tmp_path / folder / "conversations.json")).out
    assert 'lattice import undo "conversations.json (ChatGPT)"' in told
    both = shell.lattice("import", "undo", "conversations.json")
    assert both.code != 0
    assert 'lattice import undo "conversations.json (Claude)"' in both.err
    shell.lattice("import", "undo", "conversations.json (Claude)")
    assert json.loads(shell.lattice("status", "--json").out)["atoms"] == 1
    shell.lattice("import", "undo", str(tmp_path / "chatgpt" / "conversations.json"))
    assert json.loads(shell.lattice("status", "--json").out)["atoms"] == 0


def test_of_two_accounts_of_one_program_one_is_taken_back(shell: Shell, tmp_path: Path) -> None:
    for account, words in (("work", "I moved to Ghent."), ("home", "I sold the boat.")):
        message = {"author": {"role": "user"}, "create_time": 1746352800, "content": {"parts": [words]}}
        talk = {"title": account, "current_node": "a", "mapping": {"a": {"message": message, "parent": None, "children": []}}}
        (tmp_path / account).mkdir()
        (tmp_path / account / "conversations.json").write_text(json.dumps([talk]))
    work, home = (str(tmp_path / account / "conversations.json") for account in ("work", "home"))
    assert "another account" not in shell.lattice("import", "export", work).out
    told = shell.lattice("import", "export", home).out
    assert "If this is another account" in told
    shell.lattice("import", "undo", work)
    assert json.loads(shell.lattice("status", "--json").out)["atoms"] == 0
    for account, path in (("Work", work), ("Home", home)):
        told = shell.lattice("import", "export", "--as", account, path).out
        assert "another account" not in told
    assert 'lattice import undo "conversations.json (Home) (ChatGPT)"' in told
    assert "2 imports are called conversations.json" in shell.lattice("import", "undo", work).err
    shell.lattice("import", "undo", "conversations.json (Work) (ChatGPT)")
    assert [json.loads(line)["content"] for line in shell.lattice("atoms", "--json").out.splitlines()] == ["I sold the boat."]


def test_what_is_not_there_is_told(shell: Shell, tmp_path: Path) -> None:
    said = shell.lattice("import", "export", str(tmp_path / "nothing.json"))
    assert said.code != 0
    assert "There is no" in said.err


def test_a_chat_that_is_longer_than_a_text_may_be_is_kept_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    shell.set("LATTICE_MAX_TEXT_BYTES", "1000")
    whatsapp, plain = tmp_path / "WhatsApp Chat with Ada.txt", tmp_path / "boats.txt"
    days = range(1, 29)
    whatsapp.write_text("".join(f"{day:02}/05/2026, 09:14 - Ada: I paid {day}00 euros for boat number {day}.\n" for day in days))
    plain.write_text("".join(f"Ben: I sold boat number {day} for {day}50 euros.\n" for day in days))
    with running(shell):
        first = json.loads(shell.lattice("import", "export", "--json", str(whatsapp)).out)
        assert (first["found"], first["stored"], first["skipped"], first["atoms_new"]) == (2, 2, 0, 28)
        again = json.loads(shell.lattice("import", "export", "--json", str(whatsapp)).out)
        assert (again["found"], again["duplicate"], again["atoms_new"]) == (2, 2, 0)
        assert json.loads(shell.lattice("import", "chat", "--json", str(plain)).out)["atoms_new"] == 28
        assert json.loads(shell.lattice("import", "chat", "--json", str(plain)).out)["atoms_new"] == 0


def test_files_of_one_name_in_folders_of_one_name_are_kept_apart(shell: Shell, tmp_path: Path) -> None:
    new, old = tmp_path / "notes", tmp_path / "old" / "notes"
    for folder, words in ((new, "The kettle is red."), (old, "The rent is 900 euros.")):
        folder.mkdir(parents=True)
        (folder / "kitchen.md").write_text(words)
    assert json.loads(shell.lattice("import", "files", str(new), str(old), "--note", "--json").out)["atoms_new"] == 2
    again = json.loads(shell.lattice("import", "files", str(old), "--note", "--json").out)
    assert (again["captures"], again["atoms_new"]) == (1, 0)
    named = [json.loads(line)["source_id"] for line in shell.lattice("import", "list", "--json").out.splitlines()]
    assert sorted(named) == ["kitchen.md", "notes/kitchen.md"]
    shell.lattice("import", "undo", str(old / "kitchen.md"))
    assert [json.loads(line)["content"] for line in shell.lattice("atoms", "--json").out.splitlines()] == [
        "kitchen: The kettle is red."
    ]


def test_two_chats_of_one_file_name_are_kept_apart(shell: Shell, tmp_path: Path) -> None:
    chats = [tmp_path / name / "_chat.txt" for name in ("ada", "ben")]
    for chat, words in zip(chats, ("I adopted a cat called Miro.", "My rent is 950 euros."), strict=True):
        chat.parent.mkdir()
        chat.write_text(f"[12.05.26, 09:14:33] {chat.parent.name}: {words}\n")
        told = shell.lattice("import", "export", str(chat)).out
    assert 'lattice import undo "_chat.txt (WhatsApp: ben)"' in told
    again = json.loads(shell.lattice("import", "export", "--json", str(chats[0])).out)
    assert (again["duplicate"], again["stored"]) == (1, 0)
    assert "Say which" in shell.lattice("import", "undo", str(chats[0])).err
    shell.lattice("import", "undo", "_chat.txt (WhatsApp: ada)")
    assert json.loads(shell.lattice("status", "--json").out)["atoms"] == 1


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no folder here takes no file from root either")
def test_where_the_command_line_can_note_nothing_files_are_imported_all_the_same(shell: Shell, tmp_path: Path) -> None:
    shell.set("XDG_STATE_HOME", "/proc/nowhere")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("I live in Porto.", encoding="utf-8")
    said = shell.lattice("import", "text", str(tmp_path / "notes"))
    assert "I live in Porto." in shell.lattice("atoms").out
    assert (said.code, "is not noted" in said.err) == (0, True)


def test_what_you_say_in_a_chat_is_yours_where_you_say_who_you_are(shell: Shell, tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Inés.txt"
    chat.write_text(
        "12/05/2026, 09:14 - Inés: I moved to Vigo.\n12/05/2026, 09:15 - Rafael Costa: I live at 14 Tern Street now.\n"
    )
    asked = shell.lattice("import", "export", "--dry-run", str(chat))
    assert "It does not say whether you are one of those who speak (Inés, Rafael Costa). If you are, import it with" in asked.err
    told = shell.lattice("import", "export", "--me", "rafael costa", str(chat))
    assert "who speak" not in told.err
    atoms = [json.loads(line) for line in shell.lattice("atoms", "--json").out.splitlines()]
    assert {each["content"] for each in atoms} == {"Inés: I moved to Vigo.", "I live at 14 Tern Street now."}
    again = json.loads(shell.lattice("import", "export", "--json", "--me", "Rafael Costa", str(chat)).out)
    assert (again["duplicate"], again["stored"]) == (1, 0)
    unnamed = json.loads(shell.lattice("import", "export", "--json", str(chat)).out)
    assert unnamed["stored"] == 0, "what was brought as yours is not told once more as somebody's"
