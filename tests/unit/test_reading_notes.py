"""What of a file was not read, in words for who gave it."""

from __future__ import annotations

import pytest
from lattice_cli.capture import outcome
from lattice_common.api_schema.replies import CaptureReply
from lattice_common.domain.reading_notes import MOST_SENTENCES, unread
from lattice_mcp.results import CaptureResult
from lattice_mcp.words import of_capture


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("formulas-without-values:1", "1 formula was never worked out"),
        ("formulas-without-values:3", "3 formulas were never worked out"),
        ("partial:2000 of 5000 pages", "Only a part was read: 2000 of 5000 pages"),
        ("partial:unreadable pages 3", "Not all of it could be read: unreadable pages 3."),
        ("scanned:pages 2", "tesseract"),
        ("undecodable:pages 2", "pages 2"),
        ("attachment-encrypted:lease.pdf", "lease.pdf, which is attached to it, needs a password"),
        (
            "picture-not-read:mail 3, photo.png",
            "mail 3, photo.png in it is a picture, which is read where tesseract is installed",
        ),
        ("file-not-read:photo.heic", "photo.heic in it is of a kind that is not read"),
    ],
)
def test_what_was_not_read_is_said(note: str, told: str) -> None:
    (sentence,) = unread([note, "macros", "hidden-sheets:1", "encoding:cp1252"])
    assert told in sentence
    assert sentence.endswith(".")


def test_of_many_the_first_are_said() -> None:
    assert len(unread([f"file-not-read:{at}.png" for at in range(100)])) == MOST_SENTENCES


def test_doors_say_it_with_the_receipt() -> None:
    reply: CaptureReply = {
        "capture_id": "c", "state": "stored", "atom_ids": [], "atoms_new": 1, "atoms_updated": 0, "duplicates_skipped": 0,
        "rejected": 0, "queued": True, "reason": None, "attempts": 1, "notes": ["formulas-without-values:1"],
        "received_at": None, "finished_at": None,
    }  # fmt: skip
    assert any("never worked out" in line for line in outcome(reply, ["Budget."]))
    result = CaptureResult.model_validate(
        {"capture_id": "c", "state": "stored", "atoms_new": 1, "notes": reply["notes"], "session_id": "s"}
    )
    assert "never worked out" in of_capture(result)
