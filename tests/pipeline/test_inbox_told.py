"""What keeps the inbox from being taken, or what is taken from being put away, is said where the owner looks."""

from __future__ import annotations

from pathlib import Path

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
