"""The contract of `ports.atoms`, on files and in memory; and what is wrong with whole files."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

import pytest
from lattice_common.adapters.files import durable, frontmatter
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.memory.atoms import MemoryAtoms
from lattice_common.domain.atom import Atom, Span, atom_id_for, content_hash, normalized_content_hash
from lattice_common.domain.judgement import STATUSES, Status
from lattice_common.errors import Conflict, Corrupt, InvalidInput, Unavailable
from lattice_common.ports.atoms import AtomWriter, FileMark, Unreadable

CAPTURE = "01jd5k0000abcdefghjkmnpqrs"  # 2024-11-20


class Hand:
    """What the owner does beside the product: edits files, moves them, deletes them."""

    def __init__(self, atoms: MemoryAtoms | Path) -> None:
        self._atoms = atoms

    def write(self, path: str, content: bytes | str) -> None:
        content = content.encode() if isinstance(content, str) else content
        if isinstance(self._atoms, MemoryAtoms):
            self._atoms.edit_by_hand(path, content)
        else:
            (self._atoms / path).parent.mkdir(parents=True, exist_ok=True)
            (self._atoms / path).write_bytes(content)

    def read(self, path: str) -> bytes | None:
        if isinstance(self._atoms, MemoryAtoms):
            return self._atoms.content_of(path)
        return (self._atoms / path).read_bytes() if (self._atoms / path).exists() else None

    def delete(self, path: str) -> None:
        if isinstance(self._atoms, MemoryAtoms):
            self._atoms.edit_by_hand(path, None)
        else:
            (self._atoms / path).unlink()

    def move(self, path: str, target: str) -> None:
        content = self.read(path)
        assert content is not None
        self.delete(path)
        self.write(target, content)


class Checking(AtomWriter, Protocol):
    """Both adapters also give notes, for the doctor."""

    def check_file(self, path: str) -> frontmatter.Loaded | Unreadable: ...


@pytest.fixture(params=["files", "memory"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Checking, Hand]:
    if request.param == "files":
        return AtomFiles(tmp_path), Hand(tmp_path)
    memory = MemoryAtoms()
    return memory, Hand(memory)


@pytest.fixture
def atoms(both: tuple[Checking, Hand]) -> Checking:
    return both[0]


@pytest.fixture
def hand(both: tuple[Checking, Hand]) -> Hand:
    return both[1]


def an_atom(content: str = "Anna likes tea.", ordinal: int = 0) -> Atom:
    said = datetime(2024, 11, 20, 9, 30, tzinfo=UTC)
    return Atom(
        atom_id=atom_id_for(CAPTURE, ordinal),
        content=content,
        kind="preference",
        subject="tea",
        capture_id=CAPTURE,
        source_quote=content,
        source_span=Span(0, len(content)),
        observed_at=said,
        ingested_at=said,
        content_hash=content_hash(content),
        normalized_content_hash=normalized_content_hash(content),
    )


ATOM = an_atom()
PLACE = f"atoms/2024/11/{ATOM.atom_id}.md"
OTHER = an_atom("Bob plays chess.", 1)


def marks_of(atoms: AtomWriter) -> dict[str, FileMark]:
    return dict(atoms.marks())


def test_an_atom_is_read_as_it_was_put(atoms: Checking) -> None:
    marks = atoms.put([ATOM, OTHER])
    assert [mark.path for mark in marks] == [PLACE, f"atoms/2024/11/{OTHER.atom_id}.md"]
    assert atoms.read(ATOM.atom_id) == ATOM
    assert atoms.read_file(marks[1]) == OTHER


@pytest.mark.parametrize("status", STATUSES)
def test_how_an_atom_was_meant_is_in_its_file(atoms: Checking, status: Status) -> None:
    atoms.put([replace(ATOM, status=status)])
    found = atoms.read(ATOM.atom_id)
    assert isinstance(found, Atom)
    assert found.status == status


@pytest.mark.parametrize("line", ["", "status: wishful\n", "status:\n"])
def test_a_file_without_a_known_status_is_asserted_and_keeps_what_stands_there(atoms: Checking, hand: Hand, line: str) -> None:
    (mark,) = atoms.put([ATOM])
    hand.write(mark.path, (hand.read(mark.path) or b"").replace(b"status: asserted\n", line.encode()))
    found = atoms.read(ATOM.atom_id)
    assert isinstance(found, Atom)
    assert found.status == "asserted"
    atoms.set_fields(ATOM.atom_id, {"importance": 0.9})
    assert line.encode() in (hand.read(mark.path) or b"")


def test_what_is_not_there_is_none(atoms: Checking) -> None:
    assert atoms.read(ATOM.atom_id) is None
    assert atoms.set_fields(ATOM.atom_id, {"kind": "goal"}) is None
    assert not atoms.trash(ATOM.atom_id)
    assert atoms.restore(ATOM.atom_id) is None
    assert atoms.in_trash([ATOM.atom_id]) == set()
    assert marks_of(atoms) == {}
    assert atoms.conflicts() == []
    assert atoms.put([]) == []


@pytest.mark.parametrize("archived", [False, True])
def test_where_a_deleted_file_lies_is_known_by_its_id(atoms: Checking, archived: bool) -> None:
    atoms.put([ATOM])
    atoms.set_fields(ATOM.atom_id, {"archived": archived})
    assert atoms.lying(ATOM.atom_id) is None
    atoms.trash(ATOM.atom_id)
    assert atoms.lying(ATOM.atom_id) == dict(atoms.trashed())[ATOM.atom_id]
    atoms.restore(ATOM.atom_id)
    assert atoms.lying(ATOM.atom_id) is None


@pytest.mark.parametrize("name", ["", ".", "..", "../../etc/passwd", "a" * 300, "\0", ATOM.atom_id.upper(), "README"])
def test_what_is_no_atom_id_is_not_there(atoms: Checking, name: str) -> None:
    assert atoms.read(name) is None
    assert atoms.set_fields(name, {"kind": "goal"}) is None
    assert not atoms.trash(name)
    assert atoms.lying(name) is None
    assert atoms.restore(name) is None


def test_putting_again_changes_nothing_and_gives_the_same_mark(atoms: Checking, hand: Hand) -> None:
    marks = atoms.put([ATOM])
    assert atoms.put([ATOM]) == marks
    assert marks_of(atoms) == {ATOM.atom_id: marks[0]}


@pytest.mark.parametrize("edit", [("tea.", "coffee."), ("kind: preference", "kind: goal"), ("---\n\n", "")])
def test_putting_again_never_overwrites_a_hand_edit_and_asks_for_it_to_be_read(
    atoms: Checking, hand: Hand, edit: tuple[str, str]
) -> None:
    atoms.put([ATOM])
    edited = (hand.read(PLACE) or b"").decode().replace(*edit)
    hand.write(PLACE, edited)
    (mark,) = atoms.put([ATOM])
    assert hand.read(PLACE) == edited.encode()
    assert mark != marks_of(atoms)[ATOM.atom_id]


@pytest.mark.parametrize("torn", [b"", b"\0" * 400])
def test_a_file_in_which_nothing_is_left_is_written_again(atoms: Checking, hand: Hand, torn: bytes) -> None:
    hand.write(PLACE, torn)
    atoms.put([ATOM])
    assert atoms.read(ATOM.atom_id) == ATOM


def test_a_hand_edit_is_read_and_gives_another_mark(atoms: Checking, hand: Hand) -> None:
    (mark,) = atoms.put([ATOM])
    hand.write(PLACE, (hand.read(PLACE) or b"").replace(b"tea.", b"oolong."))
    atom = atoms.read(ATOM.atom_id)
    assert isinstance(atom, Atom)
    assert (atom.content, atom.content_hash) == ("Anna likes oolong.", content_hash("Anna likes oolong."))
    assert marks_of(atoms)[ATOM.atom_id] != mark


def test_a_broken_file_is_reported_and_the_others_are_served(atoms: Checking, hand: Hand) -> None:
    atoms.put([ATOM, OTHER])
    hand.write(PLACE, "---\nkind: a: b\n---\n")
    broken = atoms.read(ATOM.atom_id)
    assert isinstance(broken, Unreadable)
    assert (broken.path, broken.reason) == (PLACE, "invalid-yaml")
    assert atoms.read(OTHER.atom_id) == OTHER
    assert set(marks_of(atoms)) == {ATOM.atom_id, OTHER.atom_id}
    with pytest.raises(Corrupt):
        atoms.set_fields(ATOM.atom_id, {"kind": "goal"})
    assert hand.read(PLACE) == b"---\nkind: a: b\n---\n"


def test_a_file_that_went_away_between_scan_and_read_is_unreadable(atoms: Checking, hand: Hand) -> None:
    (mark,) = atoms.put([ATOM])
    hand.delete(PLACE)
    gone = atoms.read_file(mark)
    assert isinstance(gone, Unreadable)
    assert gone.reason == "gone"
    assert atoms.read(ATOM.atom_id) is None
    assert marks_of(atoms) == {}


def test_a_moved_file_is_found_and_edited_where_it_is(atoms: Checking, hand: Hand) -> None:
    atoms.put([ATOM])
    hand.move(PLACE, f"atoms/my tea/{ATOM.atom_id}.md")
    assert atoms.read(ATOM.atom_id) == ATOM
    changed = atoms.set_fields(ATOM.atom_id, {"kind": "goal"})
    assert changed is not None
    assert changed[1].path == f"atoms/my tea/{ATOM.atom_id}.md"
    assert changed == (replace(ATOM, kind="goal"), marks_of(atoms)[ATOM.atom_id])
    atoms.put([ATOM])
    assert hand.read(PLACE) is None


def test_of_two_files_of_one_id_the_first_in_path_order_counts_and_the_other_is_listed(atoms: Checking, hand: Hand) -> None:
    atoms.put([ATOM])
    content = hand.read(PLACE) or b""
    hand.write(f"atoms/2023/{ATOM.atom_id}.md", content.replace(b"tea.", b"oolong."))
    assert marks_of(atoms)[ATOM.atom_id].path == f"atoms/2023/{ATOM.atom_id}.md"
    first = atoms.read(ATOM.atom_id)
    assert isinstance(first, Atom)
    assert first.content == "Anna likes oolong."
    assert [(file.path, file.reason) for file in atoms.conflicts()] == [(PLACE, "second-file")]
    assert hand.read(PLACE) == content


def test_the_file_that_counts_is_found_without_a_scan(atoms: Checking, hand: Hand) -> None:
    (mark,) = atoms.put([ATOM])
    assert atoms.find(ATOM.atom_id, []) == mark
    assert atoms.find(OTHER.atom_id, [PLACE]) is None
    assert atoms.find("../../etc/passwd", ["../../etc/passwd"]) is None
    elsewhere = f"atoms/2023/{ATOM.atom_id}.md"
    hand.write(elsewhere, hand.read(PLACE) or b"")
    found = atoms.find(ATOM.atom_id, [elsewhere])
    assert found == marks_of(atoms)[ATOM.atom_id]
    assert found is not None
    assert found.path == elsewhere
    hand.delete(elsewhere)
    assert atoms.find(ATOM.atom_id, [elsewhere]) == mark
    hand.move(PLACE, elsewhere)
    assert atoms.find(ATOM.atom_id, [elsewhere, PLACE]) == marks_of(atoms)[ATOM.atom_id]
    assert atoms.read(ATOM.atom_id) == ATOM
    hand.delete(elsewhere)
    assert atoms.find(ATOM.atom_id, []) is None


def test_a_second_file_counts_once_the_first_is_gone(atoms: Checking, hand: Hand) -> None:
    atoms.put([ATOM])
    first, second = f"atoms/2023/{ATOM.atom_id}.md", f"atoms/drafts/{ATOM.atom_id}.md"
    for place in (first, second):
        hand.write(place, hand.read(PLACE) or b"")
    hand.delete(PLACE)
    assert getattr(atoms.find(ATOM.atom_id, [first, second]), "path", None) == first
    hand.delete(first)
    assert getattr(atoms.find(ATOM.atom_id, [first]), "path", None) == second


def test_what_a_scan_would_not_come_upon_is_not_found(tmp_path: Path) -> None:
    atoms = AtomFiles(tmp_path)
    atoms.put([ATOM])
    (tmp_path / "atoms" / ".trash").mkdir()
    (tmp_path / PLACE).rename(tmp_path / "atoms" / ".trash" / f"{ATOM.atom_id}.md")
    (tmp_path / "atoms" / "linked").symlink_to(tmp_path / "atoms" / ".trash")
    (tmp_path / "atoms" / f"{ATOM.atom_id}.md").symlink_to(tmp_path / "atoms" / ".trash" / f"{ATOM.atom_id}.md")
    places = [f"atoms/{folder}{ATOM.atom_id}.md" for folder in (".trash/", "linked/", "")]
    assert atoms.find(ATOM.atom_id, places) is None
    assert marks_of(atoms) == {}


def test_an_id_inside_that_differs_from_the_file_name_is_noted_and_the_name_wins(atoms: Checking, hand: Hand) -> None:
    atoms.put([OTHER])
    hand.write(PLACE, (hand.read(f"atoms/2024/11/{OTHER.atom_id}.md") or b""))
    loaded = atoms.check_file(PLACE)
    assert isinstance(loaded, frontmatter.Loaded)
    assert (loaded.atom.atom_id, loaded.notes) == (ATOM.atom_id, ("atom_id:differs-from-file-name",))


@pytest.mark.parametrize(
    "path",
    [
        "atoms/.obsidian/{}.md",
        "atoms/.git/{}.md",
        "atoms/2024/.stversions/{}.md",
        "atoms/README.md",
        "atoms/.{}.md",
        "atoms/{}.txt",
        "atoms/2024/11/.{}.md.tmp-1-2",
        "journal/{}.md",
    ],
)
def test_what_is_not_named_like_an_atom_is_ignored(atoms: Checking, hand: Hand, path: str) -> None:
    hand.write(path.format(ATOM.atom_id), "---\nkind: fact\n---\nx\n")
    assert marks_of(atoms) == {}
    assert atoms.conflicts() == []


@pytest.mark.parametrize("copy", ["{} (conflicted copy).md", "{}.sync-conflict-20241120-1010-ABC.md", "{} 2.md", "{}.md.md"])
def test_copies_made_by_sync_programs_are_listed_and_not_read(atoms: Checking, hand: Hand, copy: str) -> None:
    (mark,) = atoms.put([ATOM])
    path = f"atoms/2024/11/{copy.format(ATOM.atom_id)}"
    hand.write(path, "---\nkind: fact\n---\nx\n")
    assert marks_of(atoms) == {ATOM.atom_id: mark}
    assert [(file.path, file.reason) for file in atoms.conflicts()] == [(path, "conflict-copy")]


def test_unknown_keys_and_comments_survive_an_edit(atoms: Checking, hand: Hand) -> None:
    written = "---\n# mine\nkind: fact\nfrom_the_future: {a: [1]}\ncountry: NO\n---\n\nAnna likes tea.\n"
    hand.write(PLACE, written)
    changed = atoms.set_fields(ATOM.atom_id, {"kind": "goal"})
    assert changed is not None
    assert hand.read(PLACE) == written.replace("fact", "goal").encode()
    assert changed[0].extra == {"from_the_future": {"a": [1]}, "country": "NO"}


def test_unknown_keys_of_an_atom_are_written(atoms: Checking) -> None:
    atom = replace(ATOM, extra={"from_the_future": {"a": [1, "1"]}, "country": "NO"})
    atoms.put([atom])
    assert atoms.read(ATOM.atom_id) == atom


def test_setting_fields_returns_the_atom_as_it_is_now_and_its_mark(atoms: Checking) -> None:
    atoms.put([ATOM])
    changed = atoms.set_fields(ATOM.atom_id, {"content": "Anna loves tea.", "valid_until": "2025-01-01T00:00:00+00:00"})
    assert changed is not None
    atom, mark = changed
    assert atom == replace(
        ATOM,
        content="Anna loves tea.",
        valid_until=datetime(2025, 1, 1, tzinfo=UTC),
        content_hash=content_hash("Anna loves tea."),
        normalized_content_hash=normalized_content_hash("Anna loves tea."),
    )
    assert atoms.read(ATOM.atom_id) == atom
    assert marks_of(atoms) == {ATOM.atom_id: mark}
    assert atoms.set_fields(ATOM.atom_id, {"content": "Anna loves tea."}) == (atom, mark)


def test_setting_a_field_and_taking_it_back_gives_the_same_bytes(atoms: Checking, hand: Hand) -> None:
    atoms.put([ATOM])
    before = hand.read(PLACE)
    atoms.set_fields(ATOM.atom_id, {"is_superseded": True, "superseded_by": OTHER.atom_id, "superseded_reason": "moved"})
    assert hand.read(PLACE) != before
    atoms.set_fields(ATOM.atom_id, {"is_superseded": False, "superseded_by": None, "superseded_reason": None})
    assert hand.read(PLACE) == before


def test_fields_that_no_file_can_hold_are_refused_and_change_nothing(atoms: Checking, hand: Hand) -> None:
    atoms.put([ATOM])
    before = hand.read(PLACE)
    for fields in ({"source_quote": "x" * 50_000}, {"content": "x" * 300_000}, {"atom_id": OTHER.atom_id}, {"content": 3}):
        with pytest.raises(InvalidInput):
            atoms.set_fields(ATOM.atom_id, fields)
    assert hand.read(PLACE) == before


def test_only_what_lay_in_the_trash_before_a_time_leaves_it_for_good(atoms: Checking, hand: Hand) -> None:
    atoms.put([ATOM])
    hand.write("trash/notes.md", "not ours")
    assert atoms.trash(ATOM.atom_id)
    place = f"trash/2024/11/{ATOM.atom_id}.md"
    now, day = datetime.now(UTC), timedelta(days=1)
    for later in (0.0, 1.5, 3.0):  # at the second look it was two days too young for the first, at the third for the second
        assert atoms.expired(now + later * day, 2 * day) == []
    assert hand.read(place) is not None
    assert atoms.expired(now + 4.5 * day, 2 * day) == [ATOM.atom_id]
    assert hand.read(place) is not None
    assert atoms.empty_trash([ATOM.atom_id]) == 1
    assert hand.read(place) is None
    assert atoms.restore(ATOM.atom_id) is None
    assert hand.read("trash/notes.md") == b"not ours"
    assert atoms.expired(now + 6 * day, 2 * day) == []
    assert atoms.empty_trash([ATOM.atom_id]) == 0


def test_a_clock_that_was_ahead_at_one_look_takes_nothing_from_the_trash(atoms: Checking) -> None:
    atoms.put([ATOM])
    assert atoms.trash(ATOM.atom_id)
    now, day = datetime.now(UTC), timedelta(days=1)
    for later in (0.0, 400.0, 0.1, 1.0, 1.2, 2.5):
        assert atoms.expired(now + later * day, 30 * day) == []
    assert atoms.restore(ATOM.atom_id) is not None


def test_a_clock_that_is_ahead_ever_further_takes_nothing_from_the_trash_that_is_not_nearly_old_enough(atoms: Checking) -> None:
    atoms.put([ATOM])
    assert atoms.trash(ATOM.atom_id)
    now, day = datetime.now(UTC), timedelta(days=1)
    for later in (0.0, 1.0, 40.0, 400.0, 500.0, -20_000.0, 2.0, 3.1):  # each wrong look moves what is believed by a week
        assert atoms.expired(now + later * day, 30 * day) == []
    # What was believed is not taken back, and goes on from there once the right clock has come as far.
    for later in range(4, 31):
        assert atoms.expired(now + later * day, 30 * day) == []
    assert atoms.expired(now + 31.1 * day, 30 * day) == [ATOM.atom_id]


def test_trash_and_restore_bring_the_same_bytes_back_to_the_same_place(atoms: Checking, hand: Hand) -> None:
    atoms.put([ATOM])
    hand.move(PLACE, f"atoms/my tea/{ATOM.atom_id}.md")
    content = hand.read(f"atoms/my tea/{ATOM.atom_id}.md")
    assert atoms.trash(ATOM.atom_id)
    assert atoms.read(ATOM.atom_id) is None
    assert marks_of(atoms) == {}
    assert not atoms.trash(ATOM.atom_id)
    assert atoms.in_trash([ATOM.atom_id, OTHER.atom_id, "../etc/passwd"]) == {ATOM.atom_id}
    restored = atoms.restore(ATOM.atom_id)
    assert restored == (ATOM, marks_of(atoms)[ATOM.atom_id])
    assert hand.read(f"atoms/my tea/{ATOM.atom_id}.md") == content
    assert atoms.restore(ATOM.atom_id) is None


def test_restoring_over_a_file_that_came_back_is_refused(atoms: Checking) -> None:
    atoms.put([ATOM])
    atoms.trash(ATOM.atom_id)
    atoms.put([ATOM])
    with pytest.raises(Conflict):
        atoms.restore(ATOM.atom_id)
    assert atoms.read(ATOM.atom_id) == ATOM


@pytest.mark.parametrize("atom_id", ["0" * 26, "7" + "z" * 25])
def test_an_id_that_names_the_first_or_the_last_moment_is_as_good_as_any(atoms: Checking, hand: Hand, atom_id: str) -> None:
    atoms.put([replace(ATOM, atom_id=atom_id)])
    assert atoms.read(atom_id) == replace(ATOM, atom_id=atom_id)
    hand.write(f"atoms/{atom_id}.md", "---\nkind: goal\n---\nAnna likes tea.\n")
    assert isinstance(atoms.read(atom_id), Atom)


# What only files can show


@pytest.fixture
def strike() -> Iterator[None]:
    yield
    durable.set_failpoint(None)


def test_a_hand_edit_made_while_we_write_is_kept_beside_ours(tmp_path: Path, strike: None) -> None:
    atoms = AtomFiles(tmp_path)
    atoms.put([ATOM])
    edits = [b"oolong.", b"sencha."]

    def edit_by_hand(name: str) -> None:
        if name == "durable.write.before_rename" and edits:
            path = tmp_path / PLACE
            times = path.stat().st_mtime_ns
            path.write_bytes(path.read_bytes().replace(b"tea.", edits[0]).replace(b"oolong.", edits.pop(0)))
            os.utime(path, ns=(times, times))  # a tool that sets the time back

    durable.set_failpoint(edit_by_hand)
    changed = atoms.set_fields(ATOM.atom_id, {"kind": "goal"})
    assert changed is not None
    assert (changed[0].kind, changed[0].content) == ("goal", "Anna likes sencha.")
    assert changed[0] == atoms.read(ATOM.atom_id)


def test_a_file_that_keeps_changing_is_left_to_its_hand(tmp_path: Path, strike: None) -> None:
    atoms = AtomFiles(tmp_path)
    atoms.put([ATOM])

    def edit_by_hand(name: str) -> None:
        if name == "durable.write.before_rename":
            (tmp_path / PLACE).write_bytes((tmp_path / PLACE).read_bytes() + b"\n")

    durable.set_failpoint(edit_by_hand)
    with pytest.raises(Conflict, match="keeps being changed"):
        atoms.set_fields(ATOM.atom_id, {"kind": "goal"})
    assert [path.name for path in (tmp_path / PLACE).parent.iterdir()] == [f"{ATOM.atom_id}.md"]


@pytest.mark.parametrize("step", ["durable.write.before_fsync", "durable.write.before_rename", "durable.write.before_fsync_dir"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ESTALE])
def test_a_full_or_broken_disk_is_named_and_leaves_nothing_half_written(
    tmp_path: Path, strike: None, step: str, code: int
) -> None:
    atoms = AtomFiles(tmp_path)

    def fail(name: str) -> None:
        if name == step:
            raise OSError(code, os.strerror(code))

    durable.set_failpoint(fail)
    with pytest.raises(Unavailable, match=ATOM.atom_id) as caught:
        atoms.put([ATOM])
    assert caught.value.status == 507
    durable.set_failpoint(None)
    assert all(atoms.read(atom_id) == ATOM for atom_id, _ in atoms.marks())
    assert not list(tmp_path.rglob(f"*{durable.TEMPORARY_MARK}*"))
    atoms.put([ATOM])
    assert atoms.read(ATOM.atom_id) == ATOM


def test_a_failed_append_leaves_the_former_length(tmp_path: Path, strike: None) -> None:
    path = tmp_path / "new folder" / "log.jsonl"
    durable.append(path, b"one\n")

    def fail(_: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    durable.set_failpoint(fail)
    with pytest.raises(Unavailable, match="full"):
        durable.append(path, b"two\n")
    durable.set_failpoint(None)
    durable.append(path, b"three\n")
    assert path.read_bytes() == b"one\nthree\n"


def left_at_both(tmp_path: Path, place: str, other: str) -> None:
    """As a power cut leaves a file that was moved: the new name is on the disk, and the old one not off it."""
    (tmp_path / other).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / other).hardlink_to(tmp_path / place)


@pytest.mark.parametrize("each", [True, False])
def test_a_deletion_that_a_power_cut_took_back_in_part_is_finished_by_the_next(tmp_path: Path, each: bool) -> None:
    AtomFiles(tmp_path).put([ATOM])
    left_at_both(tmp_path, PLACE, PLACE.replace("atoms/", "trash/"))
    atoms = AtomFiles(tmp_path)
    if each:
        atoms.trash_each([ATOM.atom_id])
    else:
        assert atoms.trash(ATOM.atom_id)
    assert marks_of(atoms) == {}
    assert dict(atoms.trashed()).keys() == {ATOM.atom_id}


def test_bringing_back_what_a_power_cut_took_back_in_part_is_finished_by_the_next(tmp_path: Path) -> None:
    AtomFiles(tmp_path).put([ATOM])
    left_at_both(tmp_path, PLACE, PLACE.replace("atoms/", "trash/"))
    atoms = AtomFiles(tmp_path)
    restored = atoms.restore(ATOM.atom_id)
    assert restored is not None
    assert restored[0] == ATOM
    assert marks_of(atoms).keys() == {ATOM.atom_id}
    assert dict(atoms.trashed()) == {}, "what lies in the trash is forgotten one day"


@pytest.mark.parametrize("archived", [True, False])
def test_archiving_that_a_power_cut_took_back_in_part_is_finished_by_the_next(tmp_path: Path, archived: bool) -> None:
    AtomFiles(tmp_path).put([ATOM])
    left_at_both(tmp_path, PLACE, PLACE.replace("atoms/", "archive/"))
    atoms = AtomFiles(tmp_path)
    changed = atoms.set_fields(ATOM.atom_id, {"archived": archived})
    assert changed is not None
    assert changed[0].archived is archived
    assert atoms.conflicts() == []
    assert atoms.set_fields(ATOM.atom_id, {"archived": archived}) == changed


def test_temporary_files_of_a_crash_are_cleaned_and_nothing_else(tmp_path: Path) -> None:
    atoms = AtomFiles(tmp_path)
    atoms.put([ATOM])
    left = (tmp_path / PLACE).with_name(f".{ATOM.atom_id}.md.tmp-1-1")
    left.write_bytes(b"half")
    mine = tmp_path / "atoms" / "about.tmp-files.md"
    mine.write_bytes(b"mine")
    assert durable.clean_temporary(tmp_path) == 1
    assert not left.exists()
    assert mine.exists()
    assert atoms.read(ATOM.atom_id) == ATOM


def test_a_file_that_took_the_name_of_an_abandoned_one_is_not_removed_in_its_place(tmp_path: Path) -> None:
    """As where two look through the folder: what the first removed is written anew under the same name."""
    place = tmp_path / ".claim.json.tmp-1-1"
    place.write_bytes(b"abandoned")

    def removed_and_written_anew() -> bool:
        place.unlink()
        place.write_bytes(b"being written")
        return True

    assert not durable.remove_unheld(place, if_still=removed_and_written_anew)
    assert place.read_bytes() == b"being written"


def test_folders_and_files_are_the_owners_alone(tmp_path: Path) -> None:
    AtomFiles(tmp_path).put([ATOM])
    for path in tmp_path.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_links_and_devices_are_never_opened(tmp_path: Path) -> None:
    atoms = AtomFiles(tmp_path)
    elsewhere = tmp_path / "secret.md"
    elsewhere.write_bytes(frontmatter.dump(ATOM))
    place = tmp_path / PLACE
    place.parent.mkdir(parents=True)
    place.symlink_to(elsewhere)
    os.mkfifo(place.with_name(f"{OTHER.atom_id}.md"))
    (tmp_path / "atoms" / "linked").symlink_to(tmp_path, target_is_directory=True)
    assert marks_of(atoms) == {}
    assert {file.reason for file in atoms.conflicts()} == {"not-regular"}
    for atom_id in (ATOM.atom_id, OTHER.atom_id):
        unreadable = atoms.read(atom_id)
        assert isinstance(unreadable, Unreadable)
        assert unreadable.reason == "not-regular"
    through = atoms.read_file(FileMark(f"atoms/linked/{PLACE}", 0, 0))
    assert isinstance(through, Unreadable)


def test_a_path_out_of_the_data_folder_is_not_read(tmp_path: Path) -> None:
    root = tmp_path / "data"
    (tmp_path / f"{ATOM.atom_id}.md").write_bytes(frontmatter.dump(ATOM))
    for path in (f"../{ATOM.atom_id}.md", str(tmp_path / f"{ATOM.atom_id}.md"), f"atoms/../../{ATOM.atom_id}.md"):
        unreadable = AtomFiles(root).read_file(FileMark(path, 0, 0))
        assert isinstance(unreadable, Unreadable)
        assert unreadable.reason == "not-regular"


def test_a_thousand_files_are_written_with_few_descriptors(tmp_path: Path) -> None:
    durable.write_many((f"{tmp_path}/{index % 3}/{index}.md", str(index).encode()) for index in range(600))
    assert sorted(int(path.read_bytes()) for path in tmp_path.rglob("*.md")) == list(range(600))


def test_what_is_archived_lies_elsewhere_and_says_nothing_of_it_in_its_file(both: tuple[Checking, Hand]) -> None:
    atoms, hand = both
    [mark] = atoms.put([an_atom()])
    content = hand.read(mark.path)
    moved = atoms.set_fields(an_atom().atom_id, {"archived": True})
    assert moved is not None
    assert (moved[0].archived, moved[1].path) == (True, mark.path.replace("atoms/", "archive/"))
    assert (hand.read(mark.path), hand.read(moved[1].path)) == (None, content)
    assert dict(atoms.marks()) == {an_atom().atom_id: moved[1]}
    assert atoms.set_fields(an_atom().atom_id, {"archived": True}) == moved
    back = atoms.set_fields(an_atom().atom_id, {"archived": False, "importance": 0.9})
    assert back is not None
    assert (back[0].archived, back[0].importance, back[1].path) == (False, 0.9, mark.path)


def test_what_was_archived_goes_back_into_the_archive_from_the_trash(both: tuple[Checking, Hand]) -> None:
    atoms, _ = both
    atoms.put([an_atom()])
    atoms.set_fields(an_atom().atom_id, {"archived": True})
    assert atoms.trash(an_atom().atom_id)
    assert not dict(atoms.marks())
    assert atoms.in_trash([an_atom().atom_id]) == {an_atom().atom_id}
    restored = atoms.restore(an_atom().atom_id)
    assert restored is not None
    assert restored[0].archived
    assert restored[1].path.startswith("archive/")


def test_of_a_file_in_both_folders_the_one_that_is_not_archived_counts(both: tuple[Checking, Hand]) -> None:
    atoms, hand = both
    [mark] = atoms.put([an_atom()])
    hand.write(mark.path.replace("atoms/", "archive/"), hand.read(mark.path) or b"")
    assert [each.path for _, each in atoms.marks()] == [mark.path]
    assert [each.path for each in atoms.conflicts()] == [mark.path.replace("atoms/", "archive/")]
    with pytest.raises(Corrupt):
        atoms.set_fields(an_atom().atom_id, {"archived": True})
    assert hand.read(mark.path) is not None
