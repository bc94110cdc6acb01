"""Documents within a file: each its own, and all of it belongs to the file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.capture import Capture, Original, UndoChange
from lattice_common.domain.passage import is_passage, passage_of
from lattice_common.domain.reading import Reading
from lattice_common.domain.recall import Query
from lattice_common.ingest.extract.card import cards_of
from lattice_common.ingest.passages.cut import passages_of
from lattice_common.language.dates.reading import with_reading

from tests.data import documents, outlook
from tests.pipeline.given_files import Read, Refuse, assert_places, place_of
from tests.pipeline.living import finished, send_file, started

SAID_AT = datetime(2026, 11, 22, 9, tzinfo=UTC)
LEASE = (
    "# Residential Lease Agreement\n\nLandlord: Brandl KG\n\nDate: 3 March 2026\n\nThe monthly rent: 1,240 EUR is due on the "
    "third working day.\n\n" + "The tenant keeps the stairs clean. " * 20
)


def mail(lease: str = LEASE) -> bytes:
    letter = documents.mail("See the lease.\n\nKind regards\nAda\n", subject="Your flat")
    letter.add_attachment(lease, subtype="markdown", filename="lease.md")
    boat = documents.pdf(documents.lines("The boat is in berth 12."), documents.lines("It sails in May."))
    letter.add_attachment(boat, maintype="application", subtype="pdf", filename="boat, new.pdf")
    return bytes(letter)


def captured(read: Reading, name: str) -> Capture:
    capture = Capture("0" * 26, SAID_AT, "", SAID_AT, source="document", trust="document", original=Original(name, 1, "0" * 64))
    return with_reading(capture, read)


def test_each_attachment_has_its_own_memory_that_names_its_mail(reading: Read) -> None:
    capture = captured(reading(mail(), "flat.eml"), "flat.eml")
    told = {candidate.content for _, candidate in cards_of(capture)}
    assert (
        "Lease “Residential Lease Agreement” (lease.md, text), dated 3 March 2026, from Brandl KG: monthly rent 1,240 EUR, "
        "attached to “Your flat”."
    ) in told
    assert "Document “boat, new.pdf” (PDF, 2 pages), attached to “Your flat”." in told
    for piece, candidate in cards_of(capture):
        assert capture.text[candidate.start : candidate.end] == candidate.quote == piece.text


def test_passages_of_an_attachment_bear_its_own_name_and_say_where_it_came_from(reading: Read) -> None:
    passages = passages_of(captured(reading(mail(), "flat.eml"), "flat.eml"))
    found = next(each for each in passages if "berth 12" in each.content)
    assert (found.name, found.place) == ("boat, new.pdf", "page 1, attached to flat.eml")
    assert "lease" not in found.content.lower()
    lease = next(each for each in passages if "third working day" in each.content)
    assert lease.name == "lease.md"
    assert lease.title == "Your flat"


def test_an_attachment_is_found_by_what_it_is_and_is_forgotten_with_its_mail(tmp_path: Path) -> None:
    with started(tmp_path, reader=SandboxedReader(Limits())) as store:
        capture_id = send_file(store, "flat.eml", mail())
        finished(store, capture_id)
        found = store.lattice.select(Query("Which lease agreement is from Brandl KG?", limit=5)).atoms
        assert any("lease.md, text" in each.atom.content for each in found)
        berth = [each.atom for each in store.lattice.select(Query("berth 12", limit=5)).atoms if is_passage(each.atom)]
        assert passage_of(berth[0]) == "boat, new.pdf, page 1, attached to flat.eml"
        store.lattice.change(UndoChange(capture_id))
        assert store.lattice.select(Query("berth 12", limit=5)).atoms == ()


def archive(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return out.getvalue()


def test_an_archive_is_read_as_the_documents_in_it(reading: Read) -> None:
    boat = documents.pdf(documents.lines("The boat is in berth 12."), documents.lines("It sails in May."))
    inner = archive(**{"secret.txt": b"within"})
    packed = archive(
        **{"papers/lease.md": LEASE.encode(), "boat.pdf": boat, "inner.zip": inner, "photo.png": b"\x89PNG\r\n\x1a\n\0\0",
           "__MACOSX/._boat.pdf": b"x", "page.html": b"<!DOCTYPE html><html><body><p>Open on Sundays.</p></body></html>"}
    )  # fmt: skip
    found = reading(packed, "papers.zip")
    assert_places(found)
    assert found.source_type == "zip"
    assert place_of(found, "It sails in May") == "file boat.pdf, page 2"
    assert "Open on Sundays." in found.text
    assert "within" not in found.text
    assert set(found.notes) == {"files:3", "file-not-read:inner.zip", "file-not-read:photo.png"}
    capture = captured(found, "papers.zip")
    told = [candidate.content for _, candidate in cards_of(capture)]
    assert any(each.startswith("Lease “Residential Lease Agreement”") and "in “papers.zip”" in each for each in told)
    sails = next(each for each in passages_of(capture) if "It sails" in each.content)
    assert (sails.name, sails.place) == ("boat.pdf", "page 2, in papers.zip")


def test_a_damaged_file_in_an_archive_leaves_the_others_readable(reading: Read) -> None:
    packed = bytearray(archive(**{"berth.md": LEASE.encode(), "page.html": b"<html><body><p>Open on Sundays.</p></body></html>"}))
    packed[packed.index(b"berth.md") + len("berth.md") + 20] ^= 0xFF  # within its compressed words
    found = reading(bytes(packed), "papers.zip")
    assert "Open on Sundays." in found.text
    assert set(found.notes) == {"files:1", "file-not-read:berth.md"}


@pytest.mark.parametrize(
    ("members", "code"),
    [
        (lambda: {"bomb": bytes(60_000_000)}, "too-large"),
        (lambda: {f"file{at}.txt": b"" for at in range(25_000)}, "too-large"),
        (lambda: {"photo.png": b"\x89PNG\r\n\x1a\n\0\0"}, "unsupported"),
        (lambda: {"../../etc/passwd.txt": b"root"}, "broken"),
    ],
    ids=["bomb", "too many files", "nothing that is read", "a name that leads out"],
)
def test_an_archive_that_harms_or_holds_nothing_is_refused(
    refusal: Refuse, members: Callable[[], dict[str, bytes]], code: str
) -> None:
    assert refusal(archive(**members()), "papers.zip").code == code


def test_a_mail_of_outlook_is_read_as_any_mail_and_so_is_what_is_attached(reading: Read) -> None:
    boat = documents.pdf(documents.lines("The boat is in berth 12."))
    found = reading(outlook.mail(attached={"boat.pdf": boat, "lease.md": LEASE.encode() * 10}), "Lease.msg")
    assert_places(found)
    assert (found.source_type, found.title) == ("eml", "Lease")
    assert found.text.startswith(
        "# Lease\n\nFrom: Jürgen Müller <juergen@example.org>\nTo: Ada <ada@example.org>\nDate: 3 March 2026, 20:15 +0000\n\n"
        "The deposit is 1800 euros."
    )
    assert place_of(found, "berth 12") == "attachment boat.pdf, page 1"
    assert "Attachments: boat.pdf, lease.md" in found.text


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.95])
def test_a_mail_of_outlook_that_is_cut_short_says_so_or_is_read_as_far_as_it_goes(tmp_path: Path, cut: float) -> None:
    whole = outlook.mail(attached={"lease.md": LEASE.encode() * 10})
    path = tmp_path / "Lease.msg"
    path.write_bytes(whole[: int(len(whole) * cut)])
    reader = SandboxedReader(Limits())
    try:
        found = reader.read(path, "Lease.msg")
    finally:
        reader.close()
    assert isinstance(found, Reading) or "damaged" in found.reason or "not read" in found.reason
