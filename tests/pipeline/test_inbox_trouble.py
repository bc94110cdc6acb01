"""The inbox in trouble: one file stops no other, nothing is put away through a link, and the owner is told where he looks."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.capture.inbox import MOVED_AGAIN_SECONDS

from tests.pipeline.inbox_harness import InboxHarness
from tests.pipeline.living import started
from tests.working import until


def test_status_and_readiness_say_why_what_was_taken_from_the_inbox_stays_there(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "processed").write_text("not a folder")
    (inbox / "note.txt").write_text("The spare key is with Ines.")
    with started(tmp_path, inbox_settle_seconds=0.0) as store:
        until("the trouble to be said", lambda: store.lattice.readiness().parts["inbox"] != "up")
        said = store.lattice.readiness().parts["inbox"]
        assert "processed in the inbox is a link or a file" in said
        assert f"inbox: {said}" in store.lattice.status().degraded


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[InboxHarness]:
    harness = InboxHarness(tmp_path / "inbox")
    yield harness
    harness.inbox.close()


DEEP = b'{"a":' * 2_000 + b"1" + b"}" * 2_000


def test_a_capture_nested_too_deep_goes_to_failed_and_those_beside_it_are_taken(harness: InboxHarness) -> None:
    told = b'{"lattice_capture": 1, "idempotency_key": "k", "request": {"text": "x", "metadata": %s}}' % DEEP
    harness.drop("a.capture.json", told)
    harness.drop("note.txt")
    harness.settle()
    assert harness.journal.texts == ["The spare key is with Ines."]
    assert harness.files() == {
        "failed/2026-01-05/a.capture.json",
        "failed/2026-01-05/a.capture.json.why.txt",
        "processed/2026-01-05/note.txt",
    }


def test_a_defect_that_one_file_shows_sends_that_one_to_failed(harness: InboxHarness) -> None:
    harness.drop("a.txt", "poison")
    harness.drop("b.txt", "The spare key is with Ines.")
    harness.journal.poison = "poison"
    harness.settle()
    assert harness.journal.texts == ["The spare key is with Ines."]
    assert harness.files() == {"failed/2026-01-05/a.txt", "failed/2026-01-05/a.txt.why.txt", "processed/2026-01-05/b.txt"}
    why = (harness.root / "failed/2026-01-05/a.txt.why.txt").read_text()
    assert why == "Lattice has a defect that this file shows: the log says where. Put it in again after an update.\n"
    assert harness.inbox.state().failed == 1


@pytest.mark.parametrize("place", ["processed", "processed/2026-01-05", "processed/2026-01-05/sub"])
def test_nothing_is_put_away_through_a_link(harness: InboxHarness, tmp_path: Path, place: str) -> None:
    atoms = tmp_path / "atoms"
    atoms.mkdir()
    (harness.root / place).parent.mkdir(parents=True, exist_ok=True)
    (harness.root / place).symlink_to(atoms)
    harness.drop("sub/note.md")
    harness.settle()
    assert list(atoms.iterdir()) == []
    assert (harness.root / "sub" / "note.md").exists()
    assert "link" in (harness.inbox.trouble() or "")


def test_where_processed_is_a_file_what_is_done_with_stays_and_the_owner_is_told(harness: InboxHarness) -> None:
    (harness.root / "processed").write_text("not a folder")
    harness.drop("note.txt")
    harness.settle()
    harness.drop("later.txt", "The bins go out on Tuesday.")
    harness.settle()
    assert sorted(harness.journal.texts) == ["The bins go out on Tuesday.", "The spare key is with Ines."]
    harness.look()
    assert harness.inbox.state().unreadable == 2
    assert "processed" in (harness.inbox.trouble() or "")
    (harness.root / "processed").unlink()
    harness.look(MOVED_AGAIN_SECONDS)
    harness.settle()
    assert harness.files() == {"processed/2026-01-05/note.txt", "processed/2026-01-05/later.txt"}
    assert harness.inbox.trouble() is None


def test_a_file_is_put_away_on_another_disk_by_copying_it(harness: InboxHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    def other_disk(*_: object, **__: object) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "rename", other_disk)
    os.utime(harness.drop("note.txt"), (1_700_000_000, 1_700_000_000))
    harness.settle()
    done = harness.root / "processed/2026-01-05/note.txt"
    assert harness.files() == {"processed/2026-01-05/note.txt"}
    assert (done.read_text(), done.stat().st_mtime) == ("The spare key is with Ines.", 1_700_000_000)
