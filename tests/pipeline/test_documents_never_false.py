"""What documents say is never turned into what they do not: days nobody named, rows that are dropped, sentences cut in two."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read as read_file
from lattice_common.capture.readers.titles import is_title
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Capture, SourceType, Trust
from lattice_common.domain.reading import Reading
from lattice_common.language.dates.document import written_on
from lattice_common.language.dates.mentions import resolve
from lattice_common.language.dates.reading import with_reading
from lattice_common.language.sentences.split import sentences
from life import atoms_of

from tests.data import documents as made
from tests.pipeline.living import atoms_of as atoms_of_store
from tests.pipeline.living import finished, say, send_file, started

GIVEN = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)


def facts(text: str, source_type: SourceType = "html", trust: Trust = "document") -> list[str]:
    source = "user" if trust == "user" else "document"
    capture = Capture("0" * 26, GIVEN, "", GIVEN, source=source, trust=trust)
    return [atom.content for atom in atoms_of(with_reading(capture, Reading(source_type, text)))]


@pytest.mark.parametrize(
    ("head", "day"),
    [
        ("# Minutes\n\nDate: 12 May 2021\n\nPresent: Ada", "2021-05-12"),
        ("Berlin, den 3. März 2024\n\nSehr geehrte Frau Roe,", "2024-03-03"),
        ("Paris, le 12 mai 2021\n\nMadame,", "2021-05-12"),
        ("# Weekly report – 14 March 2026\n\nAll is well.", "2026-03-14"),
        ("# Protokoll vom 3. Mai 2025\n\nAnwesend: Ada", "2025-05-03"),
        ("# News\n\nPosted by Jo Smith on 3 March 2019", "2019-03-03"),
        ("| Invoice date | 12.03.2026 |", "2026-03-12"),
        ("12 November 2025\n\nDear Daniel,", "2025-11-12"),
        ("Date: 12 May 2027", None),  # of something to come
        ("Date of birth: 12 May 1980", None),
        ("Born in Rome, 3 May 1980.", None),
        ("12 November 2025\nmet Bob\n13 November 2025\nmet Eve", None),  # a diary
        ("On 3 May 2020 we met.", None),
        ("| Date | Text |\n|---|---|\n| 01.03.2026 | Coffee |", None),
    ],
)
def test_the_day_a_document_was_written_on_is_read_off_its_head(head: str, day: str | None) -> None:
    found = written_on(head, GIVEN)
    assert (found.date().isoformat() if found else None) == day


def test_a_day_that_was_dated_before_and_a_cell_beside_the_past_are_not_dated_otherwise() -> None:
    text = (
        "9 January 2026\n\nThe coach leaves at 8.15 on the Wednesday, and the children sleep on the train.\n\n"
        "| Payment | Amount | Due |\n|---|---|---|\n| Deposit (not returned) | £ 49 | 30 January |\n| Rest | £ 70 | 13 March |"
    )
    found = " ".join(facts(text))
    assert "8.15 on the Wednesday" in found
    assert "14 January" not in found
    assert "2025" not in found


def test_days_of_any_week_are_no_days_and_a_visit_that_was_is_not_to_come() -> None:
    text = "# Permit\n\nDate: 21 September 2026\n\nThe bays are for residents from Monday to Saturday, 8 am to 6.30 pm, all year."
    assert facts(text)[1:] == ["Permit: The bays are for residents from Monday to Saturday, 8 am to 6.30 pm, all year."]
    text = "# Estimate\n\nDate: 4 March 2026\n\nAfter our visit on 27 February we estimate the work on the roof at £900."
    assert "27 February (27 February 2026)" in facts(text)[1]


def test_what_is_relative_in_a_document_counts_from_the_day_it_was_written_on() -> None:
    text = "# Minutes\n\nDate: 12 May 2021\n\nBob was ill yesterday. The next meeting is next Tuesday."
    assert facts(text)[1:] == [
        "Minutes: Bob was ill yesterday (11 May 2021).",
        "Minutes: The next meeting is next Tuesday (18 May 2021).",
    ]


def test_days_of_the_week_are_those_of_the_trip_that_a_letter_is_about() -> None:
    text = (
        "22 September 2026\n\nOur trip to Wales is from 10 to 14 May 2027.\n\nPlease reply by Friday.\n\n"
        "The coach leaves on Monday at 8.45 am. We are back on Friday at about 3.30 pm. Parents meet next Monday."
    )
    found = facts(text)
    assert "The coach leaves on Monday at 8.45 am (10 May 2027, 08:45)." in found
    assert "We are back on Friday (14 May 2027) at about 3.30 pm." in found
    assert "Parents meet next Monday (28 September 2026)." in found
    assert "Please reply by Friday (25 September 2026)." in found


def test_a_list_is_introduced_by_the_sentence_with_the_colon_alone() -> None:
    text = (
        "# Fees\n\nThe trip costs £286. You can pay in instalments:\n\n1. £60 by 16 October, not returned\n2. the rest by March"
    )
    assert facts(text, "docx")[-3:] == [
        "Fees: The trip costs £286.",
        "Fees: You can pay in instalments: £60 by 16 October, not returned",
        "Fees: You can pay in instalments: the rest by March",
    ]


def test_headings_of_one_level_stay_beside_each_other_however_far_apart_they_are() -> None:
    long = "The council wants a hundred of them, and we have some. " * 40
    found = facts(
        f"# Minutes\n\n### 4. Speeding\n\n{long}\n\n### 5. Rubbish\n\nThe lorry comes on Fridays from 3 August 2026.", "docx"
    )
    assert found[-1].startswith("Minutes › Rubbish: ")


def test_a_stretch_of_every_year_has_no_day_and_a_closing_is_no_memory() -> None:
    text = (
        "# Contract\n\nDate: 3 March 2026\n\nThe holiday year runs from 1 January to 31 December.\n\n"
        "Kind regards from us all hang in the hall.\n\nWith kind regards,\n\nAnn Roe"
    )
    assert facts(text)[1:3] == [
        "Contract: The holiday year runs from 1 January to 31 December.",
        "Contract: Kind regards from us all hang in the hall.",
    ]
    assert not any("With kind" in fact for fact in facts(text))
    german = "# Rechnung\n\nDatum: 12.03.2026\n\nNeue Ware kommt in der 46. Kalenderwoche, USt-IdNr. DE 811 128 135."
    assert facts(german)[-1] == "Rechnung: Neue Ware kommt in der 46. Kalenderwoche, USt-IdNr. DE 811 128 135."


def test_what_is_relative_in_a_document_without_a_date_is_no_day_at_all() -> None:
    atoms = atoms_of(
        with_reading(
            Capture("0" * 26, GIVEN, "", GIVEN, source="document", trust="document"),
            Reading("pdf", "Bob was ill yesterday. In March the funding ended. Come on Friday. The rent rose on 3 May 2020."),
        )
    )
    assert [atom.content for atom in atoms] == [
        "Bob was ill yesterday.",
        "In March the funding ended.",
        "Come on Friday.",
        "The rent rose on 3 May 2020.",
    ]
    assert [atom.valid_from.isoformat()[:10] if atom.valid_from else None for atom in atoms] == [None, None, None, "2020-05-03"]


def test_days_that_are_part_of_a_name_are_no_days_even_where_the_document_has_a_date() -> None:
    found = facts(
        "# Review\n\nPublished 3 March 2019\n\nA report in Physics Today tells of it. He played for Sheffield Wednesday. "
        "The Sunday Times and USA Today agree. We saw The Day After Tomorrow."
    )
    assert not any("2019)" in fact for fact in found), found


def test_the_owners_own_note_counts_from_when_it_was_written_as_before() -> None:
    assert "Bob was ill yesterday (21 November 2026)." in facts("Bob was ill yesterday.", "plain", "user")


@pytest.mark.parametrize("words", ["Dentist Sunday Dr. Roth, 10 am.", "Lunch with Anna Sunday.", "Pick up Sunday Mia at school."])
def test_a_day_without_on_is_a_day_in_the_owners_notes_whatever_name_follows(words: str) -> None:
    (fact,) = facts(words, "plain", "user")
    assert "November 2026)" in fact


@pytest.mark.parametrize(
    "words",
    [
        "the doors open at 10:30", "2015 Uhr", "departs 1945 hrs", "um 20.15 Uhr", "from 9 to 17", "10:12:14", "Section 1983",
        "Room 2015", "Time: 1945", "RFC 2045", "No. 2024", "§ 1983",
    ],
)  # fmt: skip
def test_times_and_numbers_of_things_are_no_dates(words: str) -> None:
    assert resolve(words, GIVEN) == []


def test_the_minutes_of_a_time_are_no_day() -> None:
    assert [mention.phrase for mention in resolve("10:30 March 5", GIVEN)] == ["March 5"]


def statement(rows: list[str]) -> str:
    return "\n".join(["Date,Text,Rack,Amount", *rows])


def stored(store: Embedded, name: str, text: str) -> list[str]:
    receipt = finished(store, send_file(store, name, text.encode()))
    return [store.stores.catalogue.get([atom_id])[0].content for atom_id in receipt.atom_ids]


def test_rows_that_differ_in_sign_punctuation_or_place_are_different_facts(tmp_path: Path) -> None:
    rows = [
        "2026-03-01,Coffee,A-1,-4.20", "2026-03-01,Coffee,A-1,4.20", "2026-03-01,Coffee,A-1,+4.20", "2026-03-01,Coffee,A-1,-4.20",
        "2026-03-01,Coffee,A1,-4.20", "2026-03-01,Coffee,A-1,(4.20)",
        "2026-03-01,Coffee,A-1,4.20 %", "2026-03-01,Coffee,A.1,4.20",
    ]  # fmt: skip
    with started(tmp_path, reader=SandboxedReader(Limits())) as store:
        assert len(stored(store, "march.csv", statement(rows))) == len(rows)
        assert stored(store, "march again.csv", statement(rows)) == [], "the same file under another name adds nothing"
        assert len(stored(store, "april.csv", statement(["2026-03-01,Coffee,A-1,4,20", "2026-03-01,Coffee,A-1,-4.20"]))) == 1


def test_what_is_said_with_another_sign_or_number_is_another_fact(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "The freezer is at -5 degrees.")
        say(store, "The freezer is at 5 degrees.")
        assert store.stores.catalogue.count() == 2


def test_nothing_within_one_document_supersedes_or_doubts(tmp_path: Path) -> None:
    text = (
        "# Contract\n\nAda Roe lives in Berlin. Ada Roe now lives in Hamburg. Ada Roe has moved from Hamburg to Oslo.\n\n"
        "The rent is 900 euros. The rent is 950 euros now. Correction: the rent is 980 euros.\n\n"
        "Ada Roe works at ACME. Ada Roe now works at Initech. The meeting is on 3 May 2026. The meeting was moved to 10 May 2026."
    )
    with started(tmp_path, reader=SandboxedReader(Limits())) as store:
        finished(store, send_file(store, "contract.md", text.encode(), source="document"))
        atoms = atoms_of_store(store).values()
        assert not [atom.content for atom in atoms if atom.is_superseded]
        assert not [relation for atom in atoms for relation in atom.relations if relation.type != "extends"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Under 42 U.S.C. § 1983 he sued. He won.", ["Under 42 U.S.C. § 1983 he sued.", "He won."]),
        ("Under 42 U.S.C. Section 1983 he sued.", ["Under 42 U.S.C. Section 1983 he sued."]),
        ("Under 42 U.S.C.\n§ 1983 he sued.", ["Under 42 U.S.C.\n§ 1983 he sued."]),
        ("He moved to the U.S. He likes it.", ["He moved to the U.S.", "He likes it."]),
        ("Call ext. 4711 for help. Bye.", ["Call ext. 4711 for help.", "Bye."]),
        ("Policy No. AB-1234 is valid.", ["Policy No. AB-1234 is valid."]),
        ("Policy No.\n4711 is valid.", ["Policy No.\n4711 is valid."]),
        ("Is it so? No. It is not.", ["Is it so?", "No.", "It is not."]),
        ("Tel. 030 1234567, App. 22. Rufen Sie an.", ["Tel. 030 1234567, App. 22.", "Rufen Sie an."]),
        ("We use the app. It is good.", ["We use the app.", "It is good."]),
        ("Siehe S. 12 und Bd. 3. Ende.", ["Siehe S. 12 und Bd. 3.", "Ende."]),
        ("Smith v. Jones was cited.", ["Smith v. Jones was cited."]),
        ("Sra. López vive en la Av. 5. Sí.", ["Sra. López vive en la Av. 5.", "Sí."]),
    ],
)
def test_sentences_are_not_cut_at_abbreviations(text: str, read: list[str]) -> None:
    assert [text[span.start : span.end] for span in sentences(text)] == read


@pytest.mark.parametrize(
    "words",
    [
        "Total: 55.00 EUR", "Grand total 100.00", "Gesamtbetrag: 1.200,00 €", "Closing balance 296.80", "Total", "Page 1 of 2",
        "Seite 3 von 7", "Item Qty Price", "Pos. Menge Einzelpreis Betrag", "Fecha Concepto Importe", "Invoice total: $12.50",
    ],
)  # fmt: skip
def test_totals_page_numbers_and_heads_of_columns_are_no_titles(words: str) -> None:
    assert not is_title(words)


@pytest.mark.parametrize(
    "words",
    ["Balance sheet 2025", "Total cost of ownership", "1.25 Scope", "Prices", "Tax advice", "Sum of its parts", "Date and place"],
)
def test_titles_that_speak_of_totals_and_balances_are_titles(words: str) -> None:
    assert is_title(words)


def test_cells_that_a_program_draws_one_by_one_are_a_row_and_its_total_is_no_heading(tmp_path: Path) -> None:
    rows = [("Item", "Qty", "Amount"), ("Bolt", "10", "5.00"), ("Nut", "20", "7.00"), ("Total", "", "12.00")]
    drawn = [b"BT /F1 10 Tf 1 0 0 1 72 700 Tm (The order of March is delivered to the workshop in Berlin.) Tj ET"]
    for at, row in enumerate(rows):
        font = b"F2" if at in (0, 3) else b"F1"
        for x, cell in zip((72, 240, 320), row, strict=True):
            drawn.append(b"q 1 0 0 1 %d %d cm BT /%s 10 Tf 0 0 Td (%s) Tj ET Q" % (x, 660 - 16 * at, font, cell.encode()))
    drawn.append(b"BT /F2 14 Tf 1 0 0 1 72 40 Tm (ACME Ltd, registered in England) Tj ET")
    path = tmp_path / "order.pdf"
    path.write_bytes(made.pdf(b"\n".join(drawn)))
    read = read_file(path, path.name, Limits(), lambda _done, _total: None)
    assert isinstance(read, Reading)
    assert "| Item | Qty | Amount |\n|---|---|---|\n| Bolt | 10 | 5.00 |" in read.text
    assert "#" not in read.text


def test_the_days_of_an_issue_are_of_the_year_of_its_month() -> None:
    text = (
        "# Village News\n\nFebruary 2025\n\nThe carol concert raised £420 for the roof.\n\n"
        "The quiz is on Saturday 8 February in the hall.\n"
    )
    (quiz,) = (each for each in facts(text, "markdown") if "quiz" in each)
    assert "(8 February 2025)" in quiz
    assert not any("2026" in each for each in facts(text, "markdown"))


def test_what_an_attestation_says_does_not_hold_since_somebodys_birth() -> None:
    text = "Madame Lefort, née le 12 avril 1971, est affiliée à compter du 1er octobre 2026.\n"
    capture = Capture("0" * 26, GIVEN, "", GIVEN, source="document", trust="document")
    (atom,) = atoms_of(with_reading(capture, Reading("plain", text)))
    assert atom.valid_from is not None
    assert f"{atom.valid_from:%F}" == "2026-10-01"
