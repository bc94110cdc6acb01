"""Office files: what people write in them is read as they see it; what is made to do harm is refused in time."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.capture import Capture
from lattice_common.domain.reading import Reading
from lattice_common.domain.segment import Candidate
from lattice_common.ingest.extract import extract
from lattice_common.ingest.ground import ground
from lattice_common.ingest.segment import segment

from tests.data import office_files as office
from tests.pipeline.given_files import Read, place_of
from tests.pipeline.living import atom_saying, current, finished, send_file, started

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


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


def test_a_bold_line_above_a_paragraph_is_a_heading_and_a_signature_is_none(reading: Read) -> None:
    def paragraph(words: str, *, bold: bool = False) -> str:
        return f"<w:p><w:r>{'<w:rPr><w:b/></w:rPr>' if bold else ''}<w:t>{words}</w:t></w:r></w:p>"

    body = (
        paragraph("Dear parents,")
        + paragraph("Trip to Wales, 10 to 14 May", bold=True)
        + paragraph("The trip costs 286 pounds for each child, and lunch is in it.")
        + paragraph("Please read this twice.", bold=True)
        + paragraph("The coach leaves from the gate of the school in the morning.")
        + paragraph("Joanna Marsh", bold=True)
        + paragraph("Headteacher")
    )
    assert reading(office.document_of(body)).text == (
        "Dear parents,\n\n## Trip to Wales, 10 to 14 May\n\nThe trip costs 286 pounds for each child, and lunch is in it.\n\n"
        "Please read this twice.\n\nThe coach leaves from the gate of the school in the morning.\n\nJoanna Marsh\n\nHeadteacher"
    )


def test_an_empty_document_is_read_with_a_note(reading: Read) -> None:
    found = reading(office.document_of(""))
    assert (found.text, found.notes) == ("", ("empty",))


# PowerPoint


def test_slides_are_read_in_order_from_top_to_bottom_with_what_the_speaker_noted(reading: Read) -> None:
    found = reading(office.talk())
    assert (found.source_type, found.title, found.notes) == ("pptx", "Plans of the garden club", ("hidden-slides:1",))
    assert found.text == (
        "# Garden club 2026\n\nPlans for the year\n\n"
        "## Tasks\n\n- Plant the apple trees in March\n- Repair the fence before the summer\n"
        "- Buy a new wheelbarrow for the team\n\n"
        "Notes: Ask Erika about the fence.\n\n"
        "## Budget\n\n| Item | Cost |\n|---|---|\n| Trees | 300 EUR |\n| Fence | 450 EUR |\n\n"
        "## Slide 4\n\nAbove stands this.\n\nBetween stands a group.\n\nBelow stands this.\n\n## Not shown"
    )
    assert place_of(found, "Ask Erika") == "slide 2"
    assert place_of(found, "Below") == "slide 4"
    assert "Garden club 2026 › Budget: Item: Fence; Cost: 450 EUR" in [fact.content for fact in facts_of(found)]


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
    assert (found.source_type, found.notes) == ("xlsx", ("hidden-sheets:1", "formulas-without-values:1"))
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
    assert "Costs: Total: 1100" in said


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
        assert (receipt.atoms_new, receipt.duplicates_skipped, receipt.rejected, len(current(store))) == (31, 0, 0, 31)
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
    assert found.notes == ("hidden-sheets:1", "partial:the first 20 cells", "formulas-without-values:1")
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


def test_sections_below_an_empty_row_have_the_head_of_the_first_one(reading: Read) -> None:
    cells = (
        ("Housing", "", "", ""),
        ("Item", "2025", "2026 planned", "Note"),
        ("Rent", 900, 950, "from March"),
        ("Power", 80, 85, "Fennwick"),
        (),
        ("Food", "", "", ""),
        ("Groceries", 560, 610),
        ("Eating out", 120, 90),
    )
    rows = ""
    for number, row in enumerate(cells, start=1):
        rows += f'<row r="{number}">'
        for each in filter(None, row):
            rows += f"<c><v>{each}</v></c>" if isinstance(each, int) else f'<c t="inlineStr"><is><t>{each}</t></is></c>'
        rows += "</row>"
    found = reading(office.workbook_of(f"<sheetData>{rows}</sheetData>"))
    assert "## Food\n\n| Item | 2025 | 2026 planned |" in found.text
    assert "| Groceries | 560 | 610 |" in found.text
