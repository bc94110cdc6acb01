"""Files of a gigabyte where memories and what is dropped lie: they are said, take no memory, and stop nothing."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from lattice_common.adapters.files.atom_files import usual_place
from lattice_common.adapters.files.backup_archive import restore, write_whole
from lattice_common.adapters.files.erasing import LARGEST_HELD
from lattice_common.adapters.files.erasing_large import MOST_PATTERNS, OVERLAP, Sought, blot_out
from lattice_common.composition import Embedded
from lattice_common.domain.atom import atom_id_for
from lattice_common.domain.capture import DeleteAtom, EditAtom, ForgetAtoms
from lattice_common.domain.forgetting import MARK
from lattice_common.domain.recall import Query
from lattice_common.errors import InvalidInput
from lattice_common.inspection import look_through
from lattice_common.language.forgotten_words import ForgottenWords
from lattice_common.settings import Settings

from tests.pipeline.living import atom_saying, change, current, open_store, say, started
from tests.working import until

Returned = TypeVar("Returned")

GIGABYTE = 1 << 30
MOST_MORE = 200
"""Megabytes more than before that anything may take beside a file of 1,024."""
DAMAGE = "cannot be read (too-large)"


def kilobytes(field: str) -> int:
    [line] = [each for each in Path("/proc/self/status").read_text().splitlines() if each.startswith(field)]
    return int(line.split()[1])


def in_little_memory(what: str, done: Callable[[], Returned]) -> Returned:
    """Do something; fails where this process takes much more memory meanwhile than it had before."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted anew
    before = kilobytes("VmRSS")
    result = done()
    more = (kilobytes("VmHWM") - before) // 1024
    assert more < MOST_MORE, f"{what} took {more} MB more"
    return result


def huge(path: Path) -> None:
    """A file of a gigabyte, of nothing but holes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(GIGABYTE)


def inbox_is_empty(store: Embedded, root: Path) -> bool:
    return not [each for each in (root / "inbox").iterdir() if each.is_file()]


def lived_beside(root: Path) -> None:
    """A store that meets files of a gigabyte at each of its works."""
    with started(root, inbox_settle_seconds=0.1) as store:
        said = say(store, "My brother lives in Oslo.")
        say(store, "The locker has the code 4471.")
        say(store, "My aunt sails.")
        huge(root / usual_place(atom_id_for(said.capture_id, 7)))
        names = ("big.txt", "big.md", "big.zip", "big")
        for name in names:
            huge(root / "inbox" / name)
        (root / "inbox" / "cat.txt").write_text("My cat is called Mochi.")
        in_little_memory("the inbox", lambda: until("the inbox", lambda: inbox_is_empty(store, root)))
        until("what lies beside it", lambda: any("Mochi" in each for each in current(store)))
        why = [each.read_text() for each in (root / "inbox" / "failed").rglob("*.why.txt")]
        assert len(why) == len(names)
        assert all("which is the limit" in each for each in why)
        in_little_memory("an edit", lambda: change(store, EditAtom(said.atom_ids[0], {"importance": 0.9})))
        in_little_memory("a deletion", lambda: change(store, DeleteAtom(atom_saying(store, "aunt").atom_id)))
        forgotten = atom_saying(store, "4471").atom_id
        in_little_memory("a forgetting", lambda: store.lattice.change(ForgetAtoms((forgotten,), now=True), timeout=300.0))
        found = store.lattice.select(Query("Where does my brother live?")).atoms
        assert found[0].atom.content == "My brother lives in Oslo."


def examined_and_rebuilt(root: Path) -> None:
    with in_little_memory("a start", lambda: started(root)) as store:
        assert say(store, "My sister lives in Turin.").state == "stored"
        until(
            "the file to be named",
            lambda: "of their files cannot" in str(store.lattice.status()),
        )
    settings = Settings(data_dir=root, embed_model="none")
    found = in_little_memory("the doctor", lambda: look_through(settings, lambda *_: None, deep=True).findings)
    assert [(each.area, each.problem[: len(DAMAGE)]) for each in found] == [("file", DAMAGE)]
    with open_store(root) as store:
        in_little_memory("a rebuild", lambda: store.rebuild(lambda *_: None))
        assert "My brother lives in Oslo." in current(store)


def backed_up(root: Path) -> None:
    archive = root.parent / "backup.tar.gz"
    made = in_little_memory("a backup", lambda: write_whole(root, archive, lambda *_: None))
    assert made.unreadable == ()
    again = root.parent / "again"
    in_little_memory("restoring it", lambda: restore(archive, again, lambda *_: None))
    with started(again) as store:
        say(store, "ok")  # what is derived is made at the start, which is before it
        assert "My brother lives in Oslo." in current(store)


@pytest.mark.slow
def test_files_of_a_gigabyte_take_no_memory_and_stop_nothing(tmp_path: Path) -> None:
    root = tmp_path / "data"
    lived_beside(root)
    examined_and_rebuilt(root)
    backed_up(root)


PIECE = 2 * OVERLAP
"""Bytes read at once: fewer than usual, so that a file of a megabyte has several pieces."""
WORDS = Sought(["The locker of Müller has the code 4471."])


@pytest.mark.parametrize(
    "said",
    [
        "The locker of Müller has the code 4471",
        r"The locker of M\u00fcller has the code 4471",
        "the locker of\nMÜLLER has the code\n4471",
    ],
)
@pytest.mark.parametrize("at", [0, PIECE - 20, PIECE + OVERLAP // 2, 2 * PIECE - 5])
def test_a_large_file_loses_what_is_forgotten_wherever_it_stands(tmp_path: Path, said: str, at: int) -> None:
    path = tmp_path / "large.txt"
    around = "Grüße aus Graz. "
    before = (around * (at // len(around) + 1)).encode()[:at].decode(errors="ignore")
    after = around * 20_000
    path.write_text(f"{before} {said}. {after}", encoding="utf-8")
    length = len(path.read_text(encoding="utf-8"))
    assert blot_out(path, WORDS, PIECE)
    left = path.read_text(encoding="utf-8")
    assert len(left) == length
    assert "4471" not in left
    assert left.startswith(before)
    assert left.endswith(after)
    assert not blot_out(path, WORDS, PIECE)


@pytest.mark.parametrize("many", [0, MOST_PATTERNS])
def test_in_long_texts_the_same_is_found_as_word_by_word(many: int) -> None:
    said = ["I sing in the Zeldrun choir.", "Müller's locker is in the Straße", "Ok."]
    said += [f"The code of locker {number} is {number * 7}." for number in range(many)]
    names = ["zeldrun", "straße"]
    sought, word_by_word = Sought(said, names), ForgottenWords(said, names).also_escaped()
    pieces = [
        "i SING in\nthe (Zeldrun) choir", "ZELDRUN", "zeldruns", "a_zeldrun", "M\\u00fcller's locker is in the Stra\\u00dfe",
        "müller s LOCKER is in the strasse!", "ok.", "İstanbul", "ﬁne ", "ß" * 300, "sing in the choir", "x" * 500,
    ]  # fmt: skip
    chance = random.Random(5)
    for _ in range(60):
        text = " ".join(chance.choice(pieces) for _ in range(40))
        assert sought.blotted_out(text) == word_by_word.blotted_out(text)
        assert sought.are_in(text) is word_by_word.are_in(text)
    assert sought.blotted_out("ß" * 50 + " Zeldrun") == "ß" * 50 + " " + MARK * 7


def test_a_large_file_that_is_no_text_or_holds_none_of_it_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "large"
    for content in (b"The locker has no code.\n" * 10, b"\xff\xfe The locker of M\xc3\xbcller has the code 4471."):
        path.write_bytes(content)
        was = path.stat()
        assert not blot_out(path, WORDS)
        assert (path.read_bytes(), path.stat().st_ino) == (content, was.st_ino)


def test_a_backup_that_says_to_hold_more_than_the_disk_has_room_for_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar.gz"
    with tarfile.open(archive, "w:gz") as made:
        label = tmp_path / "lattice-backup.json"
        label.write_text('{"format": 1, "lattice": "0.1.0", "made_at": "2026-03-01T12:00:00+00:00", "bytes": 1125899906842624}')
        made.add(label, "lattice-backup.json")
    with pytest.raises(InvalidInput, match="make room"):
        restore(archive, tmp_path / "again", lambda *_: None)
    assert not (tmp_path / "again").exists()


def test_what_counts_as_large_is_more_than_a_file_that_is_told_may_hold() -> None:
    assert Settings().max_file_bytes <= LARGEST_HELD
