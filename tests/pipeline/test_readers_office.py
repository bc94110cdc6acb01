"""Office files: what people write in them is read as they see it; what is made to do harm is refused in time."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.number_format import number_text
from lattice_common.capture.readers.ole2 import stream_names
from lattice_common.capture.readers.read import read
from lattice_common.capture.readers.tables import Cell, Row, write_table
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.capture import Capture, place_at
from lattice_common.domain.reading import Reading, ReadResult, Unreadable
from lattice_common.domain.segment import Candidate
from lattice_common.ingest.extract import extract
from lattice_common.ingest.ground import ground
from lattice_common.ingest.segment import segment

from tests.data import office_files as office
from tests.pipeline.living import atom_saying, current, finished, send_file, started

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


@pytest.fixture
def given_file(tmp_path: Path) -> Callable[..., ReadResult]:
    def result(data: bytes, name: str = "file", limits: Limits = Limits()) -> ReadResult:  # noqa: B008 - frozen
        path = tmp_path / "given"
        path.write_bytes(data)
        return read(path, name, limits, lambda _done, _total: None)

    return result


@pytest.fixture
def reading(given_file: Callable[..., ReadResult]) -> Callable[..., Reading]:
    def result(data: bytes, name: str = "file", limits: Limits = Limits()) -> Reading:  # noqa: B008 - frozen
        found = given_file(data, name, limits)
        assert isinstance(found, Reading), found
        assert_places(found)
        return found

    return result


@pytest.fixture
def refusal(given_file: Callable[..., ReadResult]) -> Callable[..., Unreadable]:
    def result(data: bytes, name: str = "file", limits: Limits = Limits()) -> Unreadable:  # noqa: B008 - frozen
        found = given_file(data, name, limits)
        assert isinstance(found, Unreadable), found
        return found

    return result


Read = Callable[..., Reading]
Refuse = Callable[..., Unreadable]


def assert_places(found: Reading) -> None:
    """Places are in order, do not overlap, and lie within the text."""
    end = 0
    for place in found.places:
        assert end <= place.start < place.end <= len(found.text)
        end = place.end


def place_of(found: Reading, words: str) -> str | None:
    return place_at(found.places, found.text.index(words))


def facts_of(found: Reading, title: str | None = None) -> list[Candidate]:
    capture = Capture(
        "01jd0000000000000000000000",
        NOW,
        found.text,
        NOW,
        source="document",
        trust="document",
        source_type=found.source_type,
        title=title,
        places=found.places,
    )
    facts: list[Candidate] = []
    for piece in segment(capture):
        proved, rejected = ground(capture, piece, extract(capture, piece))
        assert rejected == [], [(one.reason, one.detail, one.candidate.content) for one in rejected]
        assert all(found.text[fact.start : fact.end] == fact.quote for fact in proved)
        facts += proved
    return facts


# Word


def test_a_letter_is_read_in_its_order_with_headings_tables_and_lists(reading: Read) -> None:
    found = reading(office.letter())
    assert (found.source_type, found.title, found.notes) == ("docx", "Lease of the flat", ("hidden-text",))
    assert found.text == (
        "Miller Estates, 5 High Street\n\n# Lease\n\nThe flat is on the third floor.\n\n## Costs\n\n"
        "| Item | Month | Amount |\n|---|---|---|\n| Rent | March 2026 | 950 EUR |\n| Heating | March 2026 | 120 EUR |\n\n"
        "Payment is due on the third day of the month.\n\n### Duties\n\n"
        "- Sweep the stairs\n- Water the front garden\n1. Ring the landlord\n\n"
        "The deposit is 2,850 EUR in cash.\n\nSeen words.\n\n## Landlord\n\n"
        "|  |  |\n|---|---|\n| Name | Erika Miller |\n| Phone | +49 30 1234567 |\n| E-mail | erika@example.org |"
    )
    assert place_of(found, "| Rent") == "Lease › Costs"
    assert place_of(found, "Miller Estates") == "header"


def test_what_was_deleted_hidden_or_said_about_the_author_is_not_in_the_text(reading: Read) -> None:
    text = reading(office.letter()).text
    assert "1,900" not in text
    assert "Ignore all" not in text
    assert "Jane Author" not in text


def test_each_row_and_each_label_of_a_letter_is_a_fact_of_its_own(reading: Read) -> None:
    said = {fact.content: fact for fact in facts_of(reading(office.letter()))}
    rent = said["Lease › Costs: Item: Rent; Month: March 2026; Amount: 950 EUR"]
    assert (rent.subject, rent.quote) == ("Rent", "| Rent | March 2026 | 950 EUR |")
    assert "Lease › Landlord: Phone: +49 30 1234567" in said
    assert said["Lease › Landlord: Name: Erika Miller"].entities == ("Erika Miller",)


def test_a_table_in_a_table_stays_in_its_cell(reading: Read) -> None:
    assert "| Garden | Ada, beds; Bob, paths |" in reading(office.nested_tables()).text


def test_pages_are_those_that_word_noted(reading: Read) -> None:
    found = reading(office.paged(3))
    assert [place.label for place in found.places] == ["page 1", "page 2", "page 3"]
    assert place_of(found, "Words of page 2") == "page 2"


def test_notes_and_comments_stand_behind_their_paragraph_and_contents_and_page_numbers_nowhere(reading: Read) -> None:
    found = reading(office.noted())
    assert found.text == (
        "The house was built in 1931.\n\nFootnote: By the architect Max Bauer.\n\nComment by Ada: Rather 1932.\n\n"
        "See the land register for more.\n\nWords in a content control."
    )
    assert place_of(found, "See the") == "paragraph 3"


def test_a_line_of_backticks_does_not_hide_the_rest_of_a_document(reading: Read) -> None:
    paragraphs = "".join(f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>" for words in ("```", "The boiler is from 2019."))
    assert [fact.content for fact in facts_of(reading(office.document_of(paragraphs)))][-1] == "The boiler is from 2019."


def test_an_empty_document_is_read_with_a_note(reading: Read) -> None:
    found = reading(office.document_of(""))
    assert (found.text, found.notes) == ("", ("empty",))


# PowerPoint


def test_slides_are_read_in_order_from_top_to_bottom_with_what_the_speaker_noted(reading: Read) -> None:
    found = reading(office.talk())
    assert (found.source_type, found.title, found.notes) == ("pptx", "Plans of the garden club", ("hidden-slides:1",))
    assert found.text == (
        "# Garden club 2026\n\nPlans for the year\n\n"
        "# Tasks\n\n- Plant the apple trees in March\n- Repair the fence before the summer\n"
        "- Buy a new wheelbarrow for the team\n\n"
        "Notes: Ask Erika about the fence.\n\n"
        "# Budget\n\n| Item | Cost |\n|---|---|\n| Trees | 300 EUR |\n| Fence | 450 EUR |\n\n"
        "# Slide 4\n\nAbove stands this.\n\nBetween stands a group.\n\nBelow stands this.\n\n# Not shown"
    )
    assert place_of(found, "Ask Erika") == "slide 2"
    assert place_of(found, "Below") == "slide 4"
    assert "Budget: Item: Fence; Cost: 450 EUR" in [fact.content for fact in facts_of(found)]


def test_of_too_many_slides_the_first_are_read(reading: Read) -> None:
    begun = time.process_time()
    found = reading(office.slides(5000))
    assert time.process_time() - begun < 30
    assert found.notes == ("partial:2000 of 5000 slides",)
    assert "Words of slide 2000." in found.text
    assert "Words of slide 2001." not in found.text


def test_slides_without_words_are_noted_as_empty(reading: Read) -> None:
    found = reading(office.slides(3, words=""))
    assert (found.text, found.notes) == ("", ("empty",))


# Excel


def test_sheets_are_read_as_people_see_them(reading: Read) -> None:
    found = reading(office.budget())
    assert (found.source_type, found.notes) == ("xlsx", ("hidden-sheets:1",))
    assert found.text == (
        "# Budget\n\n## Household 2026\n\n| Item | Month | Amount | Share |\n|---|---|---|---|\n"
        "| Rent | March 2026 | 950 EUR | 47.5% |\n| Food | March 2026 | 612.50 EUR | 30.6% |\n"
        "| Phone | March 2026 | 19.99 EUR | 1% |\n\n"
        "| Loan | Bank | Since |\n|---|---|---|\n| Car | First Bank | 2024-05-17 |\n| Kitchen | Second Bank | 2025-01-02 |\n\n"
        "# Quarters\n\n| Shop | 2025 Q1 | 2025 Q2 | 2026 Q1 | 2026 Q2 |\n|---|---|---|---|---|\n"
        "| Lyon | 10 | 11 | 12 | 13 |\n| Turin | 20 | 21 | 22 | 23 |\n\n"
        "# Contacts\n\n|  |  |\n|---|---|\n| Name | Erika Miller |\n| Phone | +49 30 1234567 |\n| City | Berlin |"
    )
    assert place_of(found, "| Food") == "sheet Budget, row 5"
    assert place_of(found, "| Turin") == "sheet Quarters, row 4"


def test_each_row_of_a_sheet_is_a_fact_with_the_names_of_its_columns(reading: Read) -> None:
    facts = {fact.content: fact for fact in facts_of(reading(office.budget()))}
    rent = facts["Budget › Household 2026: Item: Rent; Month: March 2026; Amount: 950 EUR; Share: 47.5%"]
    assert rent.subject == "Rent"
    assert rent.valid_from is not None
    assert rent.valid_from.strftime("%Y-%m") == "2026-03"
    assert "Quarters: Shop: Lyon; 2025 Q1: 10; 2025 Q2: 11; 2026 Q1: 12; 2026 Q2: 13" in facts
    assert "Contacts: City: Berlin" in facts


def test_rows_below_a_bold_line_say_which_group_they_are_of_and_totals_do_not(reading: Read) -> None:
    said = [fact.content for fact in facts_of(reading(office.sections()))]
    assert "Costs: Housing – Item: Heating; Amount: 120" in said
    assert "Costs: Leisure – Item: Choir; Amount: 30" in said
    assert "Costs: Total – Amount: 1100" in said


def test_a_sentence_right_below_a_table_is_no_row_of_it(reading: Read) -> None:
    cells = (("Item", "Cost"), ("Trees", "300"), ("All prices are without tax.", ""))
    rows = ""
    for row in cells:
        rows += "<row>" + "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in row) + "</row>"
    found = reading(office.workbook_of(f"<sheetData>{rows}</sheetData>"))
    assert found.text == "| Item | Cost |\n|---|---|\n| Trees | 300 |\n\nAll prices are without tax."
    assert place_of(found, "All prices") == "sheet Sheet1, row 3"


def test_a_row_of_fifty_cells_is_several_facts_about_the_same(reading: Read) -> None:
    said = [fact for fact in facts_of(reading(office.sections())) if fact.content.startswith("Survey")]
    assert len(said) == 8
    assert {fact.subject for fact in said} == {"Ada", "Bob"}
    answers = {f"question {number}: answer {number} of {name}" for number in range(1, 41) for name in ("Ada", "Bob")}
    assert all(any(answer in fact.content for fact in said) for answer in answers)


def test_every_row_of_a_long_table_knows_its_columns(reading: Read) -> None:
    facts = facts_of(reading(office.rows(1500, columns=3)))
    assert len(facts) == 1500
    assert facts[-1].content == "Data: Column 0: Row 1499; Column 1: 1499; Column 2: 2998"


def test_words_are_found_in_the_table_that_excel_keeps_them_in(reading: Read) -> None:
    text = reading(office.shared_strings()).text
    assert text == "| Item | Since |\n|---|---|\n| Rent of the flat | 2026-03-01 |\n| 東京 |  |\n|  | TRUE |"


def test_rows_of_a_table_do_not_replace_one_another(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Payment", "Number", "Price", "Address"])
    for number in range(1, 31):
        book.active.append([f"Payment {number}", number, number * 10, f"{number} High Street"])
    book.save(tmp_path / "payments.xlsx")
    with started(tmp_path / "store", reader=SandboxedReader(Limits())) as store:
        receipt = finished(store, send_file(store, "payments.xlsx", (tmp_path / "payments.xlsx").read_bytes()))
        assert (receipt.atoms_new, receipt.duplicates_skipped, receipt.rejected, len(current(store))) == (30, 0, 0, 30)
        assert atom_saying(store, "Payment 7;").metadata["place"] == "sheet Sheet, row 8"


def test_an_old_workbook_reads_as_a_new_one(reading: Read) -> None:
    found = reading(office.old_budget(), "budget.xls")
    assert (found.source_type, found.notes) == ("xls", ("hidden-sheets:1",))
    assert found.text == (
        "# Budget\n\n| Item | Since | Amount | Done |\n|---|---|---|---|\n| Rent | 2024-05-17 | 950 EUR | TRUE |\n"
        "| Food | 2026-03-01 | 612.50 EUR | FALSE |\n\nA remark below the table.\n\n"
        "# Secret\n\n|  |  |\n|---|---|\n| Name | Erika Miller |"
    )
    assert place_of(found, "A remark") == "sheet Budget, row 5"


def test_a_cell_in_the_last_row_of_the_last_column_costs_nothing(reading: Read) -> None:
    sheet = (
        '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row>'
        '<row r="1048576"><c r="C1048576" t="inlineStr"><is><t>far below</t></is></c>'
        '<c r="XFD1048576"><v>2</v></c></row></sheetData>'
    )
    begun = time.process_time()
    found = reading(office.workbook_of(sheet))
    assert time.process_time() - begun < 1
    assert found.notes == ("partial:the first 256 columns",)
    assert place_of(found, "far below") == "sheet Sheet1, row 1048576"


def test_a_merged_range_over_the_whole_sheet_costs_nothing(reading: Read) -> None:
    sheet = (
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    )
    begun = time.process_time()
    assert reading(office.workbook_of(sheet)).text == "1"
    assert time.process_time() - begun < 1


@pytest.mark.slow
def test_of_four_hundred_thousand_rows_the_first_cells_are_read(reading: Read) -> None:
    data = office.rows(400_000, columns=3)
    begun = time.process_time()
    found = reading(data)
    assert time.process_time() - begun < 20
    assert found.notes == ("partial:the first 200000 cells",)
    assert found.text.count("\n| Row") == pytest.approx(200_000 / 3, abs=2)


def test_cells_are_counted_over_all_sheets(reading: Read) -> None:
    found = reading(office.budget(), limits=replace(Limits(), cells=20))
    assert found.notes == ("hidden-sheets:1", "partial:the first 20 cells")
    assert "Kitchen" not in found.text


def test_text_beyond_the_limit_is_left_out_with_a_note(reading: Read) -> None:
    found = reading(office.rows(1000), limits=replace(Limits(), text_bytes=5000))
    assert len(found.text.encode()) <= 5000
    assert found.notes == ("partial:the first 0.005 MB of text",)


def test_formulas_are_never_read_only_what_they_showed(reading: Read) -> None:
    text = reading(office.formulas()).text
    assert "Click" in text
    assert "shown" in text
    assert "cmd|" not in text
    assert "evil.example" not in text


# What is refused


def test_a_file_with_a_password_says_so(refusal: Refuse) -> None:
    for data in (office.ole2("EncryptionInfo", "EncryptedPackage"), office.encrypted_entries(office.letter())):
        found = refusal(data, "secret.docx")
        assert found.code == "encrypted"
        assert "password" in found.reason


@pytest.mark.parametrize("size", [310_000_000, pytest.param(1 << 30, marks=pytest.mark.slow)])
def test_hundreds_of_megabytes_of_one_text_are_refused_before_they_are_unpacked(refusal: Refuse, size: int) -> None:
    data = office.bomb(size)
    assert len(data) < 2_000_000
    begun = time.process_time()
    found = refusal(data)
    assert time.process_time() - begun < 0.5
    assert found.code == "too-large"


@pytest.mark.slow
def test_a_bomb_within_the_limits_takes_no_more_memory_than_allowed(tmp_path: Path) -> None:
    """One text of 29 MB, which unfolds a hundredfold only because of the noise beside it."""
    path = tmp_path / "bomb.docx"
    path.write_bytes(office.with_parts(office.bomb(29_000_000), noise=bytes(range(256)) * 2000))
    script = (
        "import json,resource,sys,time\nfrom pathlib import Path\nfrom lattice_common.capture.readers.limits import Limits\n"
        "from lattice_common.capture.readers.read import read\n"
        "limits=Limits(zip_ratio=2000)\nfound=read(Path(sys.argv[1]),'bomb.docx',limits,lambda a,b:None)\n"
        "print(json.dumps([type(found).__name__, time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss/1024]))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True, timeout=60)
    kind, seconds, megabytes = json.loads(done.stdout)
    assert kind == "Unreadable"  # a single text beyond 10 MB is no text of anybody
    assert seconds < 10
    assert megabytes < 300


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (office.letter, "word/document.xml"),
        (office.letter, "word/styles.xml"),
        (office.letter, "_rels/.rels"),
        (office.budget, "xl/worksheets/sheet1.xml"),
        (office.shared_strings, "xl/sharedStrings.xml"),
        (office.talk, "ppt/slides/slide2.xml"),
    ],
)
@pytest.mark.parametrize(
    "doctype", [office.BILLION_LAUGHS, office.EXTERNAL, "<!DOCTYPE w>", f"<!-- {'x' * 3000} --> <!DOCTYPE w>"]
)
def test_xml_with_a_doctype_is_refused_wherever_it_stands(
    refusal: Refuse, data: Callable[[], bytes], part: str, doctype: str
) -> None:
    begun = time.process_time()
    found = refusal(office.with_doctype(data(), part, doctype, "&x;" if doctype == office.EXTERNAL else ""))
    assert time.process_time() - begun < 2
    assert found.code == "broken"
    assert "document type declaration" in found.reason
    assert Path("/etc/hostname").read_text(encoding="utf-8").strip() not in found.reason


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_doctype_in_another_encoding_is_seen_too(refusal: Refuse, encoding: str) -> None:
    xml = f"<!DOCTYPE w><w:document {office.WORD}><w:body/></w:document>".encode(encoding)
    found = refusal(office.with_parts(office.letter(), lambda name, held: xml if name == "word/document.xml" else held))
    assert "document type declaration" in found.reason


def test_an_encoding_that_could_hide_a_doctype_is_refused(refusal: Refuse) -> None:
    xml = b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE w><w/>'
    found = refusal(office.with_parts(office.letter(), lambda name, held: xml if name == "word/document.xml" else held))
    assert found.code == "broken"


@pytest.mark.parametrize(
    "name", ["word/../../evil.xml", "/word/evil.xml", "..\\evil.xml", "C:/evil.xml", "word/document.xml/../document.xml"]
)
def test_entries_whose_names_lead_out_of_the_file_are_refused(refusal: Refuse, name: str) -> None:
    assert refusal(office.with_parts(office.letter(), **{name: b"<w/>"})).code == "broken"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda: office.duplicated(office.letter()), "broken"),
        (lambda: office.overlapping(office.letter()), "broken"),
        (lambda: office.wrong_crc(office.letter(), "word/document.xml"), "broken"),
        (lambda: office.wrong_crc(office.budget(), "xl/worksheets/sheet1.xml"), "broken"),
        (lambda: office.letter()[:-3000], "broken"),
        (lambda: office.many_entries(65_000), "too-large"),
        (lambda: office.with_parts(office.letter(), lambda name, held: None if name == "word/document.xml" else held), "broken"),
        (lambda: office.with_parts(office.letter(), lambda name, held: b"<w" if name == "word/document.xml" else held), "broken"),
        (lambda: office.old_budget().replace(b"\x09\x08\x10\x00", bytes(4)), "broken"),
    ],
    ids=[
        "duplicate",
        "overlapping",
        "crc",
        "crc of a sheet",
        "cut",
        "65,000 entries",
        "no text",
        "no XML",
        "xls without its beginning",
    ],
)
def test_packages_that_are_not_as_office_writes_them_are_refused(refusal: Refuse, data: Callable[[], bytes], code: str) -> None:
    made = data()
    begun = time.process_time()
    found = refusal(made)
    assert time.process_time() - begun < 2
    assert found.code == code
    assert found.reason.endswith(".")


def test_macros_are_noted_and_the_text_is_read(reading: Read) -> None:
    for data, part in ((office.letter(), "word"), (office.talk(), "ppt"), (office.budget(), "xl")):
        found = reading(office.with_parts(data, **{f"{part}/vbaProject.bin": b"\xd0\xcf macros"}))
        assert "macros" in found.notes
        assert found.text


@given(st.binary(max_size=3000))
def test_the_names_in_any_bytes_are_looked_for_without_an_error(data: bytes) -> None:
    stream_names(bytes.fromhex("d0cf11e0a1b11ae1") + data)


def test_the_streams_of_a_container_are_found_in_all_of_its_directory() -> None:
    names = [f"Stream {number}" for number in range(20)]
    assert stream_names(office.ole2(*names)) == {"Root Entry", *names}


@given(at=st.integers(0, 5000), byte=st.integers(0, 255))
def test_a_damaged_file_is_read_or_refused_and_never_raises(tmp_path_factory: pytest.TempPathFactory, at: int, byte: int) -> None:
    for number, data in enumerate(SOUND):
        broken = bytearray(data)
        broken[at * 7 % len(broken)] = byte
        path = tmp_path_factory.getbasetemp() / f"damaged-{number}"
        path.write_bytes(broken)
        assert isinstance(read(path, "file", Limits(), lambda _done, _total: None), (Reading, Unreadable))


SOUND = (office.noted(), office.slides(2), office.formulas(), office.old_budget())

# Tables and numbers


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (1.0, "", "1"),
        (1.0, "General", "1"),
        (0.1 + 0.2, "", "0.3"),
        (1e20, "", "100000000000000000000"),
        (-2.5, "", "-2.5"),
        (950.0, '#,##0.00 "EUR"', "950 EUR"),
        (12.5, "#,##0.00\\ [$€-407]", "12.50 €"),
        (-1234.5, '"$"#,##0.00;("$"#,##0.00)', "-$1234.50"),
        (1234.5, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', "$1234.50"),
        (99.0, "[$CHF] #,##0", "CHF 99"),
        (0.475, "0.0%", "47.5%"),
        (0.5, "0%", "50%"),
        (7.0, "00000", "00007"),
        (1_500_000.0, '0.0,,"M"', "1.5M"),
        (3.2, '0.0" km"', "3.2 km"),
        (12345.0, "000-00-0000", "12345"),
        (0.25, "# ?/?", "0.25"),
        (46082.0, "yyyy-mm-dd", "2026-03-01"),
        (46082.5, "d.m.yy h:mm", "2026-03-01 12:00"),
        (46082.0, "d.m.yy h:mm", "2026-03-01"),
        (46082.0, "mmmm yyyy", "March 2026"),
        (46082.0, "[$-407]mmm\\-yy;@", "March 2026"),
        (46082.0, "yyyy", "2026"),
        (0.75, "h:mm AM/PM", "18:00"),
        (1.5, "[h]:mm", "36:00"),
        (1.0, "yyyy-mm-dd", "1900-01-01"),
        (-5.0, "yyyy-mm-dd", "-5"),
        (1e300, "yyyy-mm-dd", f"{10**300 // 10**284}" + "0" * 284),
        (60.0, '[Red][>50]0" items"', "60 items"),
    ],
)
def test_numbers_are_written_as_their_cells_show_them(value: float, code: str, shown: str) -> None:
    assert number_text(value, code) == shown


def test_the_calendar_of_old_macs_begins_four_years_later() -> None:
    assert number_text(44620.0, "yyyy-mm-dd", epoch_1904=True) == "2026-03-01"


@given(st.floats(allow_nan=True, allow_infinity=True), st.text(max_size=40))
def test_any_number_in_any_format_is_written_without_an_error(value: float, code: str) -> None:
    number_text(value, code)


def table(*rows: tuple[str, ...]) -> str:
    builder = TextBuilder(Limits())
    write_table(builder, [Row(tuple(Cell(text, number=text.isdecimal()) for text in row)) for row in rows])
    return builder.build("xlsx").text


def test_bars_and_lines_within_a_cell_do_not_break_its_row(reading: Read) -> None:
    assert table(("a", "b"), ("x|y", "1\n2")) == "| a | b |\n|---|---|\n| x\\|y | 1 2 |"


def test_two_columns_are_labels_and_values_where_the_first_row_is_no_head() -> None:
    assert table(("Rent", "950"), ("Food", "300")).startswith("|  |  |")
    assert table(("Name:", "Ada"), ("Work:", "gardener")).startswith("|  |  |")
    assert table(("City", "Country"), ("Rome", "Italy"), ("Paris", "France")).startswith("| City | Country |")
    assert table(("Item", "Amount"), ("Rent", "950"), ("Food", "300")).startswith("| Item | Amount |")


WORDS = st.text(st.characters(exclude_categories=("C", "Z")), max_size=12)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=6), max_size=8))
def test_no_cell_of_a_table_is_lost(cells: list[list[str]]) -> None:
    text = " ".join(table(*[tuple(row) for row in cells]).split())
    clean = TextBuilder(Limits())
    for row in cells:
        for cell in row:
            clean.add(cell)
    shown = text.replace("\\|", "|")
    for words in clean.build("xlsx").text.split():
        assert words in shown or words.lower().startswith(("total", "sum", "gesamt"))
