"""OpenDocument, EPUB, RTF, calendars, contacts, subtitles; and what is refused says what to do."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits

from tests.data import more_files as made
from tests.pipeline.given_files import Read, Refuse, assert_places, place_of
from tests.pipeline.living import finished, send_file, started


def test_a_text_of_libreoffice_is_read_in_its_order(reading: Read) -> None:
    found = reading(made.opendocument("text", made.LEASE), "vertrag.odt")
    assert found.source_type == "odt"
    assert found.text == (
        "# Mietvertrag\n\nBerlin, den 3. März 2026\n\nDie Miete beträgt\t900 Euro.\n\n- Keller\n- Garten mit Apfelbaum\n"
        "  - Schuppen\n\n| Raum | Größe |\n|---|---|\n| Küche | 12 |"
    )
    assert_places(found)
    assert place_of(found, "Küche") == "Mietvertrag"


def test_a_sheet_of_libreoffice_is_read_without_its_million_empty_rows(reading: Read) -> None:
    found = reading(made.opendocument("spreadsheet", made.BUDGET), "budget.ods")
    assert (found.source_type, found.text) == ("ods", "# Budget\n\n| Item | Jan |\n|---|---|\n| Rent | 900.00 |")
    assert place_of(found, "900.00") == "sheet Budget, row 2"


def test_slides_of_libreoffice_are_read_with_their_titles(reading: Read) -> None:
    found = reading(made.opendocument("presentation", made.SLIDES), "plan.odp")
    assert (found.source_type, found.text) == ("odp", "# Plan 1\n\nWe open shop 1.\n\n# Plan 2\n\nWe open shop 2.")
    assert place_of(found, "shop 2") == "slide 2"


def test_an_opendocument_file_with_a_password_says_so(refusal: Refuse) -> None:
    manifest = '<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>'
    assert refusal(made.opendocument("text", made.LEASE, manifest), "a.odt").code == "encrypted"


def test_a_book_is_read_chapter_by_chapter_in_the_order_of_its_spine(reading: Read) -> None:
    found = reading(made.book(), "boat.epub")
    assert (found.source_type, found.title) == ("epub", "The Boat Book")
    assert found.text == "# Harbour\n\nThe boat is in berth 12.\n\n# Storm\n\nThe sail is red & new."
    assert place_of(found, "red & new") == "chapter 2, Storm"


def test_a_book_with_protection_says_so(refusal: Refuse) -> None:
    assert refusal(made.book(**{"META-INF__rights_xml": "<rights/>"}), "boat.epub").code == "encrypted"


def test_events_of_a_calendar_are_records(reading: Read) -> None:
    found = reading(made.CALENDAR, "ada.ics")
    assert (found.source_type, found.title) == ("ics", "Ada")
    rows = [line for line in found.text.splitlines() if line.startswith("| ")][1:]
    assert rows == [
        "| Dentist, upper left | 12 May 2026, 10:00 to 11:00 |  | Smile Dental, Park Row 9 | Bob: Roe |  "
        "| Bring the card. Be early. |",
        "| Holiday in Norway | 1 August 2026 to 14 August 2026 |  |  |  |  |  |",
        "| Choir | 6 January 2026, 18:30 to 20:00 | every week on Tuesday, Thursday until 31 December 2026 |  |  "
        "| tentative |  |",
        "| Tax return | due 31 July 2026 |  |  |  |  |  |",
    ]
    assert place_of(found, "Holiday") == "event 2"


def test_people_of_an_address_book_are_records(reading: Read) -> None:
    found = reading(made.CONTACTS, "people.vcf")
    assert found.source_type == "vcf"
    assert "| Ines Costa |  | +351 912 345 678 (mobile) | ines@x.org | Rua do Sol 5, Lisboa, 1200-001, Portugal | " in found.text
    assert "| ACME, Sales | Head of sales | 12 April 1985 |  |  |  | Has the spare key, ask first. |" in found.text
    assert "| Jürgen Müller |  | 0170 1234567 (mobile) |  | Hauptstraße 5, Berlin, 10115, Germany |" in found.text


def test_an_event_is_one_memory_with_its_day_and_a_person_one_with_the_name(tmp_path: Path) -> None:
    with started(tmp_path, reader=SandboxedReader(Limits())) as store:
        atoms = []
        for name, content in (("ada.ics", made.CALENDAR), ("people.vcf", made.CONTACTS)):
            receipt = finished(store, send_file(store, name, content))
            atoms += store.stores.catalogue.get(receipt.atom_ids)
        events = {atom.subject: atom for atom in atoms if atom.source_type == "ics"}
        assert set(events) == {"Dentist, upper left", "Holiday in Norway", "Choir", "Tax return"}
        dentist = events["Dentist, upper left"].valid_from
        assert dentist is not None
        assert f"{dentist:%Y-%m-%d %H:%M}" == "2026-05-12 10:00"
        people = {atom.subject: atom for atom in atoms if atom.source_type == "vcf"}
        assert set(people) == {"Ines Costa", "Jürgen Müller"}
        assert "Ines Costa" in people["Ines Costa"].entities


def test_subtitles_are_paragraphs_with_their_moment(reading: Read) -> None:
    found = reading(made.SRT, "a.srt")
    assert (found.source_type, found.text) == ("srt", "The boat is in berth 12. It sails in May.\n\nInes has the key.")
    assert place_of(found, "Ines") == "1:10"
    assert reading(made.VTT, "a.vtt").text == "Ada Roe: The boat is in berth 12.\n\nBob: When does it sail?"
    assert reading(made.ROLLING, "a.vtt").text == "the boat is in berth twelve and sails in may"


def test_rich_text_is_read_with_its_letters_and_tables(reading: Read) -> None:
    found = reading(made.RTF, "lease.rtf")
    assert (found.source_type, found.title) == ("rtf", "The Lease")
    assert found.text == (
        "Lease\n\nThe rent is 900 € a month, says Müller.\n\nZażółć\n\nUni € and 日.\n\n| Room | Size |\n|---|---|\n"
        "| Kitchen | 12 |\n\nThe link ends."
    )
    assert reading(made.TEXTEDIT_RTF, "a.rtf").text == "The key is with Ines.\n\nThe bins go out on Tuesday.\n\n“Quoted” words"


@pytest.mark.parametrize(
    ("name", "parts", "advice"),
    [
        ("a.pages", ["Index/Document.iwa"], "In Pages choose File › Export To › Word or PDF"),
        ("a.numbers", ["Index/Document.iwa", "Index/Tables/x.iwa"], "In Numbers choose File › Export To › Excel"),
        ("a.key", ["Index/Slide.iwa"], "In Keynote choose File › Export To › PowerPoint or PDF"),
        ("a.xps", ["[Content_Types].xml", "FixedDocSeq.fdseq"], "print it to PDF"),
        ("a.oxps", ["[Content_Types].xml", "FixedDocumentSequence.fdseq"], "print it to PDF"),
        ("a.zip", ["a.exe"], "Unpack it"),
    ],
)
def test_what_is_refused_says_what_to_do(refusal: Refuse, name: str, parts: list[str], advice: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for part in parts:
            archive.writestr(part, "x")
    found = refusal(out.getvalue(), name)
    assert found.code == "unsupported"
    assert advice in found.reason
    assert ("archive" in found.reason) == (name == "a.zip")


@pytest.mark.parametrize("cut", [0.2, 0.5, 0.9])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.odt", made.opendocument("text", made.LEASE)), ("a.ods", made.opendocument("spreadsheet", made.BUDGET)),
        ("a.epub", made.book()), ("a.ics", made.CALENDAR), ("a.vcf", made.CONTACTS), ("a.srt", made.SRT), ("a.vtt", made.VTT),
        ("a.rtf", made.RTF),
    ],
)  # fmt: skip
def test_a_file_cut_short_is_read_as_far_as_it_goes_or_says_why_and_names_no_exception(
    tmp_path: Path, name: str, content: bytes, cut: float
) -> None:
    path = tmp_path / name
    path.write_bytes(content[: int(len(content) * cut)])
    reader = SandboxedReader(Limits())
    try:
        found = reader.read(path, name)
    finally:
        reader.close()
    assert "Error" not in getattr(found, "reason", "")
    assert "Exception" not in getattr(found, "reason", "")
