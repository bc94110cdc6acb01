"""What is remembered of the files that people have: its facts, and not its furniture."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import docx
import openpyxl
import pytest
from lattice_common.domain.capture import Capture
from lattice_common.domain.reading import Reading
from lattice_common.language.dates.reading import with_reading
from lattice_common.language.letters.furniture import is_furniture
from life import atoms_of
from openpyxl.comments import Comment

from tests.data import documents
from tests.pipeline.given_files import Read, place_of

SAID_AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)

Facts = Callable[..., list[str]]


@pytest.fixture
def facts(reading: Read) -> Facts:
    def found(data: bytes, name: str) -> list[str]:
        read: Reading = reading(data, name)
        capture = Capture(
            "0" * 26, SAID_AT, read.text, SAID_AT, source="document", trust="document", source_type=read.source_type,
            title=read.title or name, places=read.places,
        )  # fmt: skip
        return [atom.content for atom in atoms_of(capture)]

    return found


def test_what_a_mail_says_below_a_subject_with_days_is_kept_whatever_its_sentences_are_about(facts: Facts) -> None:
    subject = "Your booking: Leeds to Ghent, 18 to 28 April"
    mail = documents.mail("The flight can't be refunded.\n", sender="a@b.example", subject=subject)
    assert facts(bytes(mail), "mail.eml") == [f"{subject}: The flight can't be refunded."]


def test_of_a_mail_what_was_written_is_a_fact_and_its_head_is_none(facts: Facts) -> None:
    body = (
        "Dear Daniel,\n\nYour next appointment is on 4 December 2025.\nPlease bring your card.\n\nBest wishes,\nKaren\n-- \n"
        "Smile Dental | 9 Park Row\nThis e-mail is confidential.\n\nOn Mon, 17 Nov 2025 at 18:01, Daniel wrote:\n"
        "> Could I come in December?\n> Thanks, Daniel\n"
    )
    mail = documents.mail(body, sender="Smile Dental <reception@smile.example>", subject="Appointment")
    assert facts(bytes(mail), "mail.eml") == [
        "Your next appointment is on 4 December 2025.",
        "Appointment: Please bring your card.",
    ]


def test_what_comes_after_thanks_and_what_is_passed_on_in_a_mail_are_facts(facts: Facts) -> None:
    body = (
        "Hi,\n\nsee below.\n\nThanks!\n\nThe gate code is 4711.\n\n-- \nBob\n\n---------- Forwarded message ---------\n"
        "From: Ada <ada@example.org>\n\nThe boat is in berth 12.\n"
    )
    found = facts(bytes(documents.mail(body)), "mail.eml")
    assert any("gate code is 4711" in fact for fact in found)
    assert any("berth 12" in fact for fact in found)


def test_of_an_answer_in_outlook_what_it_answers_is_no_fact_and_the_number_of_who_signs_is_one(facts: Facts) -> None:
    body = (
        "Dear Daniel,\n\nthe fitter comes on 10 February 2026.\n\nKind regards\nErika Stahl\nHarborview\nPhone 030 555 1234\n\n"
        "From: Daniel Brown\nSent: Friday, 30 January 2026 17:00\nTo: Erika Stahl\nSubject: Heating\n\nThe heating is cold.\n"
    )
    assert facts(bytes(documents.mail(body, sender="Erika <erika@hv.example>", subject="RE: Heating")), "mail.eml") == [
        "Heating: the fitter comes on 10 February 2026.",
        "Heating: Erika Stahl; Harborview; Phone 030 555 1234",
    ]
    passed_on = facts(bytes(documents.mail(body, subject="FW: Heating")), "mail.eml")
    assert any("The heating is cold." in fact for fact in passed_on)
    assert not any("Sent:" in fact or "Subject:" in fact for fact in passed_on)


def test_what_programs_and_companies_put_below_a_mail_is_no_fact(facts: Facts) -> None:
    body = (
        "The boat is in berth 12.\n\nSent from my iPhone\n\nUnsubscribe | Privacy policy | View in browser\n"
        "© 2026 Boats Ltd, 9 Park Row\nThis is an automatically generated e-mail, please do not reply.\n\n"
        "On Mon, 17 Nov 2025 at 18:01, Daniel Brown <daniel@example.org>\nwrote:\n> Where is it?\n"
    )
    assert facts(bytes(documents.mail(body, subject="Boat")), "mail.eml") == ["The boat is in berth 12."]


def test_a_line_of_the_names_of_links_takes_no_longer_when_it_is_made_to() -> None:
    began = time.process_time()
    assert not is_furniture("help - - - " * 36 + "x")
    assert time.process_time() - began < 0.1


def test_a_mail_was_said_when_it_was_sent(reading: Read) -> None:
    mail = documents.mail("The boat is booked for tomorrow, and the house for 20 June.\n", subject="Boat")
    dropped = Capture("0" * 26, SAID_AT, "", datetime(2026, 11, 21, 9, tzinfo=UTC), source="document", trust="document")
    capture = with_reading(dropped, reading(bytes(mail), "mail.eml"))
    assert capture.observed_at.isoformat() == "2026-03-03T20:15:00+02:00"
    told = atoms_of(capture)[-1].content
    assert "tomorrow (4 March 2026)" in told
    assert "20 June (20 June 2026)." in told
    early = replace(dropped, observed_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert with_reading(early, reading(bytes(mail), "mail.eml")).observed_at == early.observed_at, "a date that was given is kept"


def test_of_a_letter_the_head_the_greeting_and_the_closing_are_no_facts(facts: Facts) -> None:
    letter = docx.Document()
    letter.sections[0].header.paragraphs[0].text = "Brunel & Hart LLP"
    letter.sections[0].footer.paragraphs[0].text = "Registered in England"
    for line in (
        "12 November 2025", "Dear Daniel,", "Your salary will be £76,000 per year.", "Kind regards,", "Sophie Turner",
        "Head of People, Brunel & Hart LLP",
    ):  # fmt: skip
        letter.add_paragraph(line)
    out = io.BytesIO()
    letter.save(out)
    assert facts(out.getvalue(), "letter.docx") == [
        "Your salary will be £76,000 per year.",
        "Kind regards; Sophie Turner; Head of People, Brunel & Hart LLP",
    ]


def test_every_entry_of_a_log_is_a_fact_with_the_lines_that_belong_to_it(facts: Facts) -> None:
    log = (
        "2025-11-20T08:15:01Z INFO  backup started on host nas01 by the scheduler\n"
        "2025-11-20T08:16:44Z ERROR backup failed: No space left on device (errno 28)\n"
        "Nov 20 08:17:00 nas01 sshd[311]: Failed password for root from 10.0.0.9 port 22\n"
        '10.0.0.9 - - [20/Nov/2025:08:18:00 +0000] "GET /login HTTP/1.1" 200 512 seen\n'
        "[2025-11-20 08:19:00] the fan of the server in the cellar was replaced by Tom\n"
    )
    found = facts(log.encode(), "server.log")
    assert len(found) == 5
    assert found[1].endswith("ERROR backup failed: No space left on device (errno 28)")


def test_what_a_log_says_again_and_again_is_the_two_first_and_the_last(facts: Facts) -> None:
    log = "".join(f"2025-11-20T08:{at:02}:00Z INFO request {at} served in {at * 7} ms for 'user{at}'\n" for at in range(40))
    found = facts((log + "2025-11-20T09:00:00Z ERROR disk full on nas01\n").encode(), "server.log")
    assert [fact.split(" INFO ")[-1].split(" ERROR ")[-1] for fact in found] == [
        "request 0 served in 0 ms for 'user0'",
        "request 1 served in 7 ms for 'user1'",
        "request 39 served in 273 ms for 'user39'",
        "disk full on nas01",
    ]


def test_of_a_form_what_nobody_filled_in_is_no_fact_and_short_items_that_say_something_are_one_each(facts: Facts) -> None:
    form = docx.Document()
    form.add_heading("Festival", 1)
    for item in ("Band: The Kettles", "The date is fixed", "Tent", "Lamp"):
        form.add_paragraph(item, style="List Bullet")
    for item in ("Call Tom", "Lock up"):
        form.add_paragraph(item, style="List Number")
    form.add_paragraph("Signed: ____________________")
    form.add_paragraph("Place, date: ............................")
    out = io.BytesIO()
    form.save(out)
    assert facts(out.getvalue(), "form.docx") == [
        "Festival: Band: The Kettles",
        "Festival: The date is fixed",
        "Festival: Tent; Lamp",
        "Festival: Call Tom; Lock up",
    ]


def test_of_a_table_that_sets_text_side_by_side_each_line_is_read_and_an_address_is_one_fact(facts: Facts) -> None:
    cv = docx.Document()
    cells = cv.add_table(rows=1, cols=2).rows[0].cells
    cells[0].text = "Ada Miller\nRua das Flores 12, Lisbon\n+351 21 555 0199"
    cells[1].text = "Engineer with ten years in rail signalling."
    out = io.BytesIO()
    cv.save(out)
    assert facts(out.getvalue(), "cv.docx") == [
        "Ada Miller; Rua das Flores 12, Lisbon; +351 21 555 0199",
        "Engineer with ten years in rail signalling.",
    ]


def test_what_a_bank_writes_above_its_table_does_not_name_the_columns(facts: Facts) -> None:
    table = (
        '"Account";"DE12 5001"\r\n"Period:";"January"\r\n"";""\r\n"Day";"Payee";"For";"Amount"\r\n'
        '"05.01.2026";"Stadtwerke München";"Power";"-84,50"\r\n"12.01.2026";"Bäckerei";"Bread";"-7,20"\r\n'
    )
    assert facts(table.encode("cp1252"), "account.csv") == [
        "Account: DE12 5001",
        "Period: January",
        "Day: 05.01.2026; Payee: Stadtwerke München; For: Power; Amount: -84,50",
        "Day: 12.01.2026; Payee: Bäckerei; For: Bread; Amount: -7,20",
    ]


def test_what_is_noted_on_a_cell_stands_with_it(facts: Facts) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Vehicle", "Mileage"], ["Octavia", 84210], ["Bicycle", 1200]):
        sheet.append(row)
    sheet["A2"].comment = Comment("Sold by Uncle Piotr", "Ada")
    out = io.BytesIO()
    book.save(out)
    assert facts(out.getvalue(), "cars.xlsx")[0].endswith("Vehicle: Octavia (note: Sold by Uncle Piotr); Mileage: 84210")


def test_the_time_and_the_level_of_a_log_entry_are_no_names() -> None:
    log = "2025-11-20T08:15:01Z INFO  backup started on nas01\n"
    [atom] = atoms_of(Capture("0" * 26, SAID_AT, log, SAID_AT, source="document", trust="document", source_type="plain"))
    assert {"T08", "INFO"}.isdisjoint((atom.subject, *atom.entities))


def test_of_code_its_remarks_are_facts_and_bare_definitions_are_not(facts: Facts) -> None:
    code = (
        '"""Solves sparse grids."""\n\nclass Solver:\n    """Not safe for several threads."""\n\n'
        "    def __init__(self, grid):\n        self.grid = grid\n\n    def solve(self):\n        # chosen by Lena\n"
        "        return 1\n\n\ndef tax(income: int, year: int = 2025) -> int:\n    return income\n\n\ndef main():\n    pass\n"
    )
    assert facts(code.encode(), "solver.py") == [
        "Solves sparse grids.",
        "Solver: Not safe for several threads.",
        "Solver › solve: chosen by Lena",
        "def tax(income: int, year: int = 2025) -> int:",
    ]


def test_a_remark_behind_code_is_a_fact_with_its_code(facts: Facts) -> None:
    code = (
        "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\nimport os  # noqa: F401 as it is wanted elsewhere\n"
        "MOST = 20  # the database refuses more than 25\nx = 1  # i\n"
        "URL = \"https://a.example/ # no remark at all\"\nNAME = 'it\\'s # not one'  # said by Lena at lunch\n"
    )
    assert facts(code.encode(), "pool.py") == [
        "MOST = 20: the database refuses more than 25",
        "NAME = 'it\\'s # not one': said by Lena at lunch",
    ]
    script = "function retry() {\n  const base = 250; // milliseconds, as Stripe says\n  return 1; /* never ends offline */\n}\n"
    assert facts(script.encode(), "pool.js") == [
        "retry: const base = 250: milliseconds, as Stripe says",
        "retry: return 1: never ends offline",
    ]
    assert facts(b"host: nas01   # stands in the cellar\n", "config.yaml") == ["host: nas01: stands in the cellar"]


def test_the_marks_of_notes_are_no_words(facts: Facts) -> None:
    note = (
        "---\ntitle: Kitchen\nbudget: 900 euros\n---\n\nWe chose the oak worktop. ^block1\n\n> [!warning]- Careful\n"
        "> The wall is load-bearing.\n\n> [!tip] Ask Tom.\n\n```dataview\nTABLE file.ctime FROM #house\n```\n\n"
        "%% haggle with Bauer %%\n\n![[plan.png]]\n\nPick up the ==key== at noon[^1].\n\n[^1]: Tom has it.\n"
    )
    assert facts(note.encode(), "kitchen.md") == [
        "Kitchen: budget: 900 euros",
        "We chose the oak worktop.",
        "Careful: The wall is load-bearing.",
        "Ask Tom.",
        "haggle with Bauer",
        "Pick up the key at noon.",
        "Tom has it.",
    ]


def test_the_foot_of_a_web_page_is_no_fact(facts: Facts) -> None:
    page = (
        "<!doctype html><html><body><article><p>Bake the cake for 50 minutes.</p><footer><p>Edith wrote this in 1952.</p>"
        "</footer></article><footer>© 2024 Cakes Ltd. All rights reserved. <a href='/c'>Cookies</a></footer></body></html>"
    )
    assert facts(page.encode(), "cake.html") == ["Bake the cake for 50 minutes.", "Edith wrote this in 1952."]


def test_the_furniture_of_a_web_page_is_no_fact_and_its_headings_are_places(facts: Facts, reading: Read) -> None:
    page = (
        "<!doctype html><html><body><div class='cookie-banner'><p>We use cookies to improve your experience.</p></div>"
        "<header class='site-header'><a href='/'>Orchard Weekly</a><ul><li>News</li></ul><h1>Apple trees</h1></header>"
        "<div id='breadcrumbs'>Home &gt; Trees</div><main><p>Prune apple trees in late winter.</p><h2>Tools</h2>"
        "<img alt='Logo' src='x'><div class='has-sidebar'><p>Clean the saw with alcohol.</p></div>"
        "<div class='menu'><p>The apple pie costs 6 euros.</p></div>"
        "<div class='share-buttons'>Share it with friends</div><section class='related-posts'><p>Ten roses</p></section>"
        "</main><aside><p>Sign up for our weekly newsletter!</p></aside></body></html>"
    )
    assert facts(page.encode(), "tree.html") == [
        "Prune apple trees in late winter.",
        "Apple trees › Tools: Clean the saw with alcohol.",
        "Apple trees › Tools: The apple pie costs 6 euros.",
    ]
    assert place_of(reading(page.encode(), "tree.html"), "Clean the saw") == "Apple trees › Tools"


def test_numbered_headings_and_the_comments_of_an_example_do_not_set_facts_aside(facts: Facts) -> None:
    """Of facts that the rules make nothing is set aside: `facts` says so."""
    page = (
        "<!doctype html><html><body><h1>3. Packaging<a class='headerlink' href='#x'>¶</a></h1><h2>3.2. Main packages¶"
        "<span class='mw-editsection'>[edit]</span></h2><p>The package must depend on python2 or python2-dbg."
        "<sup class='reference'>[1]</sup></p>"
        "<pre>/* returns Z_OK on success,\n   Z_ERRNO if there is no memory */\nint def(int level);</pre>"
    )
    table = "# A\n\n| What | When |\n|---|---|\n| [Ollama](https://o.example) | never, unless *asked* |\n"
    assert facts(table.encode(), "a.md") == ["What: Ollama (https://o.example); When: never, unless asked"]
    assert facts(page.encode(), "policy.html") == [
        "Packaging › 3.2. Main packages: The package must depend on python2 or python2-dbg.",
        "Packaging › 3.2. Main packages: /* returns Z_OK on success,\n   Z_ERRNO if there is no memory */\nint def(int level);",
    ]


def test_a_page_that_is_all_furniture_by_its_names_is_read_all_the_same(facts: Facts) -> None:
    page = "<!doctype html><html><body><div class='newsletter'><p>The room is upstairs.</p></div><p>Hi.</p></body></html>"
    assert facts(page.encode(), "letter.html") == ["The room is upstairs."]


def test_badges_are_no_facts_and_a_command_keeps_its_lines(facts: Facts) -> None:
    readme = (
        "# gridsolve\n\n[![build](https://img.example/x.svg)](https://ci.example) ![logo](logo.png)\n\nA solver for grids.\n\n"
        "```sh\npip install gridsolve\nexport GRID_THREADS=4\n```\n"
    )
    found = facts(readme.encode(), "README.md")
    assert found[0] == "gridsolve: A solver for grids."
    assert found[1].endswith("pip install gridsolve\nexport GRID_THREADS=4")
    assert len(found) == 2


def test_a_line_at_the_edge_of_both_pages_of_a_short_pdf_is_no_fact(facts: Facts) -> None:
    pages = [
        documents.lines("Harborview Properties Ltd. - Confidential", top=780, size=8)
        + b"\n"
        + documents.lines(f"The {what} is {where}.", "It was painted last year.", "It is checked by Tom.", top=700)
        for what, where in (("boiler", "in the cellar"), ("roof", "new"))
    ]
    found = facts(documents.pdf(*pages), "lease.pdf")
    assert found
    assert not any("Confidential" in fact for fact in found)


def test_a_pdf_printed_from_an_unnamed_page_has_its_file_s_name(reading: Read) -> None:
    assert reading(documents.pdf(documents.lines("The key is red."), title="about:blank"), "cv.pdf").title is None
