"""One memory for each document, and what else of a document is worth being one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture, Original, Place, SourceType, Trust
from lattice_common.domain.document_card import DOCUMENT
from lattice_common.domain.recall import Query
from lattice_common.ingest.extract.card import card_of
from lattice_common.ingest.passages.cut import passages_of
from lattice_common.ingest.prove import atoms_of, prove
from lattice_common.ingest.segment import segment
from lattice_common.language.facts.worth import MOST_READ, read_for_facts

from tests.pipeline.living import finished, send_file, started

SAID_AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)

INVOICE = """Nordlicht Elektro GmbH
Werftstrasse 88
24143 Kiel

Invoice no. 2291
Invoice date: 9 May 2026
Customer: D. Okafor

Installation of a wall box     1,180.00 EUR
Net amount                     1,540.00 EUR
Total amount due: 1,832.60 EUR
"""

LEASE = "# Residential Lease Agreement\n\nLandlord: Brandl KG"

PROSE = "The committee met in the usual room and went through the usual list without haste. "


def given(
    text: str, name: str, source_type: SourceType = "plain", *, title: str | None = None, places: tuple[Place, ...] = (),
    trust: Trust = "document",
) -> Capture:  # fmt: skip
    return Capture(
        "0" * 26, SAID_AT, text, SAID_AT, source="document", trust=trust, source_type=source_type, title=title or name,
        places=places, original=Original(name, len(text), "0" * 64),
    )  # fmt: skip


def card(capture: Capture) -> str:
    found = card_of(capture)
    assert found is not None
    piece, candidate = found
    assert capture.text[candidate.start : candidate.end] == candidate.quote == piece.text
    return candidate.content


def remembered(capture: Capture) -> list[Atom]:
    part = read_for_facts(capture, segment(capture))
    return atoms_of(capture, prove(capture, part), ordinal=0, seq=0)


def learned(capture: Capture) -> list[str]:
    return [atom.content for atom in remembered(capture) if atom.kind != DOCUMENT]


@pytest.mark.parametrize(
    "text",
    [
        "# Your guarantee\n\n|  |  |\n|---|---|\n| Bought on | 11 January 2026 |\n| Guarantee ends | 10 January 2031 |\n",
        "# Vaccinations\n\n| Date | Vaccine |\n|---|---|\n| 12 November 2019 | Infanrix |\n| 20 March 2021 | Priorix |\n",
        "# Avis d'impôt\n\nDate limite de paiement : 15 octobre 2026. Montant à payer : 1 201 €\n",
    ],
)
def test_a_day_of_a_row_or_of_a_payment_is_not_that_of_the_document(text: str) -> None:
    assert "dated" not in card(given(text + "\nIt goes on for a while, and says no other day at all. " * 40, "a.pdf", "pdf"))


def test_letterheads_labels_without_values_and_what_leads_in_are_no_facts() -> None:
    text = (
        "# Confirmation\n\nLindqvist Insurance · Storgatan 5 · Uppsala\n\nYour sign: –\n\nYour meter: 7GMT0018\n\n"
        "We deliver gas on these terms:\n\nPlease read the meter on 30 September.\n\n"
        "Kvarna Ltd · Registered in England · Form 88-2 · Page 1 of 1\n\nJun"
    )
    assert [each.removeprefix("Confirmation: ") for each in learned(given(text, "a.docx", "docx"))] == [
        "Your meter: 7GMT0018",
        "Please read the meter on 30 September.",
    ]


def test_of_an_invoice_the_sender_the_date_and_what_is_to_be_paid_are_told() -> None:
    assert card(given(INVOICE, "scan_0042.txt")) == (
        "Invoice “Nordlicht Elektro GmbH” (scan_0042.txt, text), dated 9 May 2026, from Nordlicht Elektro GmbH: "
        "total amount due 1,832.60 EUR."
    )


ESTIMATE = """# Roof repair, 4 Mill Row

Prepared by: Tilda Roofing

| Work | Hours | Price |
|---|---|---|
| Ridge tiles | 6 | £310.00 |
| Total | 6 | £310.00 |

| Work | Hours | Price |
|---|---|---|
| Gutters | 9 | £415.00 |
| Total | 15 | £725.00 |

Extras, not in the total: scaffolding £180.00.
"""


def test_the_amount_of_a_document_is_its_greatest_total_and_no_extra() -> None:
    assert card(given(ESTIMATE, "roof.docx", "docx")).endswith("from Tilda Roofing: total £725.00.")


def test_a_column_called_from_names_no_sender() -> None:
    text = f"# Savings plan\n\n| From | Share | Sum |\n|---|---|---|\n| Ada | 4 % | £20.00 |\n\n{PROSE * 15}"
    assert ", from " not in card(given(text, "plan.docx", "docx"))


def test_a_line_above_headings_of_parts_is_the_title() -> None:
    text = f"Harbour Savings Club\nStatement of the year\n\n### What you paid in\n\n{PROSE * 15}"
    assert "“Harbour Savings Club”" in card(given(text, "club.html", "html"))


def test_a_day_of_a_later_year_is_not_that_of_the_document() -> None:
    text = f"# Regatta handbook\n\nRegatta: Saturday 19 June 2027. Crews meet early.\n\n{PROSE * 15}"
    assert "dated" not in card(given(text, "regatta.docx", "docx"))
    assert "dated 19 June 2025" in card(given(text.replace("2027", "2025"), "regatta.docx", "docx"))


def test_minutes_that_are_counted_make_no_minutes_of_a_meeting() -> None:
    text = f"# The lighthouse\n\nThe shop is 15 minutes away. The ferry leaves a few minutes later.\n\n{PROSE * 15}"
    assert card(given(text, "lighthouse.docx", "docx")).startswith("Document “The lighthouse”")
    assert card(given(f"# Parish council\n\nMinutes of 4 May\n\n{PROSE * 15}", "pc.docx", "docx")).startswith("Minutes “")


def test_of_a_contract_its_title_pages_and_the_other_party_are_told() -> None:
    text = f"{LEASE}, Kaiserplatz 4\nDate: 14 February 2025\n\nThe monthly rent is 870 euros.\n"
    places = (Place(0, 40, "page 1"), Place(40, len(text), "page 12"))
    assert card(given(text, "lease.pdf", "pdf", places=places)) == (
        "Lease “Residential Lease Agreement” (lease.pdf, PDF, 12 pages), dated 14 February 2025, from Brandl KG: "
        "monthly rent 870 euros."
    )


def test_the_largest_heading_is_the_title_wherever_a_program_drew_it() -> None:
    text = "### Deductions\n\nIncome tax 506.60\n\n# Payslip\n\nPay date: 27/03/2026\n\n" + PROSE * 12
    assert card(given(text, "march.pdf", "pdf")).startswith("Payslip “Payslip” (march.pdf, PDF), dated 27/03/2026")


def test_a_date_on_which_something_happens_is_not_the_documents_own() -> None:
    text = f"# Status of the kiln\n\nThe next review is on 17 June 2026.\n\n{PROSE * 12}"
    assert card(given(text, "kiln.pdf", "pdf")) == "Document “Status of the kiln” (kiln.pdf, PDF)."


def test_of_two_parties_the_first_is_told_without_the_word_before_it() -> None:
    text = f"# Mietvertrag\n\nzwischen der Sommerfeld GmbH, Rathausgasse 9, und Frau Kittel\n\n{PROSE * 12}"
    assert ", from Sommerfeld GmbH" in card(given(text, "miete.pdf", "pdf"))


@pytest.mark.parametrize(
    "line",
    ["Thank you for choosing Lavora.", "Please read these instructions carefully.", "Clean the filter.", "How do you do it?",
     "Please keep this letter; it has all you need for the week.", "Hollis Ltd, registered in England OC418822, VAT 744 9120 33",
     "Freiburg, den 12.08.2024"],
)  # fmt: skip
def test_what_is_polite_asked_of_a_reader_or_a_line_of_signing_is_no_memory(line: str) -> None:
    text = f"# Lavora W740\n\nThe guarantee is two years.\n\n{line}\n"
    assert [each for each in learned(given(text, "manual.pdf", "pdf")) if line in each] == []
    assert any("two years" in each for each in learned(given(text, "manual.pdf", "pdf")))


def test_of_a_workbook_its_sheets_are_told() -> None:
    text = "# Budget\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n# Plan\n\n| c | d |\n| --- | --- |\n| 3 | 4 |\n"
    places = (Place(0, 40, "sheet Budget, row 2"), Place(45, len(text), "sheet Plan, row 2"))
    assert "sheets Budget, Plan" in card(given(text, "money.xlsx", "xlsx", places=places))


@pytest.mark.parametrize(("text", "trust"), [("A short note of mine.", "document"), (INVOICE, "user")])
def test_a_short_note_and_what_the_owner_wrote_have_no_memory_that_stands_for_them(text: str, trust: Trust) -> None:
    assert card_of(given(text, "note.txt", trust=trust)) is None


def test_documents_of_the_same_name_are_two_and_the_same_document_again_is_one(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        one, other = (f"# Minutes\n\nNumber {n}.\n\n{PROSE * 20}".encode() for n in (1, 2))
        for content, state in ((one, "stored"), (other, "stored"), (one, "duplicate")):
            assert finished(store, send_file(store, "minutes.md", content)).state == state
        assert [atom.kind for atom in store.stores.catalogue.all()].count(DOCUMENT) == 2
        assert not any(atom.is_superseded for atom in store.stores.catalogue.all())


@pytest.mark.parametrize(
    "question", ["What is in brandl_2025.md?", "Which contract do I have with Brandl KG?", "Residential lease"]
)
def test_a_document_is_found_by_its_file_its_title_and_its_sender(tmp_path: Path, question: str) -> None:
    lease = f"{LEASE}\nDate: 14 February 2025\n\n{PROSE * 20}"
    with started(tmp_path) as store:
        for name, text in (("brandl_2025.md", lease), ("minutes.md", f"# Minutes\n\n{PROSE * 20}")):
            finished(store, send_file(store, name, text.encode()))
        first = store.lattice.select(Query(question, limit=3)).atoms
        assert any(each.atom.kind == DOCUMENT and "brandl_2025.md" in each.atom.content for each in first)


def test_of_a_long_document_what_tells_something_is_learned_and_the_rest_is_not() -> None:
    text = f"# Lease\n\n{PROSE * 20}\n\nThe deposit is 2,610 euros.\n\n{PROSE}\n\n§ 4 Use\n\nCall Mr Yilmaz, 0221 5550147.\n"
    found = learned(given(text, "lease.md", "markdown"))
    said = [content.partition(": ")[2] for content in found]
    assert said == ["The deposit is 2,610 euros.", "Call Mr Yilmaz, 0221 5550147."]


def test_of_a_short_memo_every_statement_is_learned_and_no_title_or_address() -> None:
    text = "MEMO\n\nBrandl KG\n50674 Köln\n\nThe gate stays open at night. Ask the neighbours about the ladder.\n"
    assert learned(given(text, "memo.txt")) == ["The gate stays open at night.", "Ask the neighbours about the ladder."]


def test_a_log_is_learned_by_the_memory_that_stands_for_it_alone() -> None:
    lines = [f"{SAID_AT + timedelta(minutes=n):%Y-%m-%d %H:%M:%S} INFO worker {n % 4} done" for n in range(100)]
    atoms = remembered(given("\n".join(lines), "worker.log"))
    assert [atom.kind for atom in atoms] == [DOCUMENT]


def test_of_a_very_long_text_only_the_first_part_is_read_for_facts() -> None:
    late = "The code of the safe is 4711."
    text = f"{PROSE * (MOST_READ // len(PROSE) + 100)}\n\n{late}\n"
    assert late not in learned(given(text, "book.txt"))
    assert learned(given(f"{late}\n\n{text}", "book.txt")) == [late]


@pytest.mark.parametrize("kind", ["docx", "html", "odt", "rtf"])
def test_a_document_of_headings_alone_has_a_memory_that_its_passages_go_with(kind: SourceType) -> None:
    capture = given("# Moving to Bergen\n\n## Sell the Volvo\n\n## Cancel the gym", f"plan.{kind}", kind)
    assert [each.content for each in remembered(capture)] == [card(capture)]
    assert "“Moving to Bergen”" in card(capture)
    assert any("Sell the Volvo" in each.content for each in passages_of(capture))


def test_a_short_document_that_says_something_needs_none() -> None:
    assert card_of(given("The spare key is with Ines.", "key.docx", "docx")) is None
