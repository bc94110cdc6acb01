"""Where texts are cut into passages, and what a passage brings along."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from lattice_common.domain.capture import Capture, Original, Place, SourceType, Turn
from lattice_common.domain.forgetting import MARK
from lattice_common.domain.passage import Passage
from lattice_common.ingest.passages.cut import LONG, LONG_TALK, LONGEST_PASSAGE, passages_of

SAID_AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
PROSE = "The committee met in the usual room and went through the usual list without haste. "


def document(text: str, source_type: SourceType = "markdown", places: tuple[Place, ...] = ()) -> Capture:
    return Capture(
        "0" * 26, SAID_AT, text, SAID_AT, source="document", trust="document", source_type=source_type, title="Lease",
        places=places, original=Original("lease.pdf", len(text), "0" * 64),
    )  # fmt: skip


def cut(text: str, source_type: SourceType = "docx", places: tuple[Place, ...] = ()) -> list[Passage]:
    return passages_of(document(text, source_type, places))


def test_no_passage_goes_over_a_page_and_each_says_its_own() -> None:
    pages = [f"Words of page {number}. {PROSE * 3}" for number in range(1, 4)]
    text, places = "", []
    for number, page in enumerate(pages, 1):
        places.append(Place(len(text), len(text) + len(page), f"page {number}"))
        text += f"{page}\n\n"
    found = cut(text, "pdf", tuple(places))
    assert [(each.place, each.content) for each in found] == [
        (f"page {number}", page.strip()) for number, page in enumerate(pages, 1)
    ]


def test_rows_of_one_sheet_go_together_under_the_head_of_their_table() -> None:
    head, rule = "| Payment | Amount |", "| --- | --- |"
    rows = [f"| Payment number {n} of the year | {n}.50 EUR |" for n in range(60)]
    lines = [head, rule, *rows]
    places, at = [], 0
    for number, line in enumerate(lines, 1):
        places.append(Place(at, at + len(line), f"sheet Budget, row {number}"))
        at += len(line) + 1
    found = cut("\n".join(lines), "xlsx", tuple(places))
    assert 3 < len(found) < 10
    assert found[0].table_head == ""
    assert all(each.table_head == head and each.text.startswith(head) for each in found[1:])
    assert all("\n".join(rows).count(line) == 1 for each in found[1:] for line in each.content.splitlines())


def test_paragraphs_of_a_document_without_pages_go_together() -> None:
    lines = ["Erika Miller", "5 High Street", "10115 Berlin", "Dear Mr Brandl,", "your contract starts on 1 April."]
    places, at = [], 0
    for number, line in enumerate(lines, 1):
        places.append(Place(at, at + len(line), f"paragraph {number}"))
        at += len(line) + 2
    assert [each.content for each in cut("\n\n".join(lines), "docx", tuple(places))] == ["\n\n".join(lines)]


def test_sections_begin_passages_and_short_ones_go_together() -> None:
    short = "\n\n".join(f"## Part {n}\n\nA few words of it, and then a few more for good measure." for n in range(4))
    found = cut(f"# Lease\n\n{short}\n\n## Deposit\n\n{PROSE * 4}\n\n## Notice\n\n{PROSE}")
    assert [each.headings for each in found] == [("Lease",), ("Lease", "Part 3"), ("Lease", "Notice")]
    assert all(f"Part {n}" in found[0].content for n in range(3))
    assert "## Deposit" in found[1].content


def test_what_was_taken_out_is_not_shown_and_a_page_without_words_is_no_passage() -> None:
    places = (Place(0, 40, "page 1"), Place(42, 80, "page 2"))
    text = f"The {MARK * 9} {MARK * 4} is with Ines.".ljust(40) + "\n\n" + MARK * 38
    assert [each.content for each in cut(text, "pdf", places)] == ["The […] is with Ines."]


def test_of_a_short_file_of_plain_words_each_statement_is_a_memory_and_no_passage_is_needed() -> None:
    assert not cut("The wine lies in the third cellar.", "plain")
    assert [each.content for each in cut("The wine lies in the third cellar.", "pdf")] == ["The wine lies in the third cellar."]


def test_a_note_has_passages_from_a_length_on_and_a_conversation_from_a_greater_one() -> None:
    def told(length: int, *, talk: bool) -> Capture:
        text = (PROSE * 200)[:length]
        turns = (Turn(0, length - 1, "user"), Turn(length - 1, length, "assistant")) if talk else ()
        return Capture("0" * 26, SAID_AT, text, SAID_AT, turns=turns)

    assert not passages_of(told(LONG, talk=False))
    assert {each.trust for each in passages_of(told(LONG + 1, talk=False))} == {"user"}
    assert not passages_of(told(LONG_TALK, talk=True))
    assert {each.trust for each in passages_of(told(LONG_TALK + 1, talk=True))} == {"assistant"}, "never the owner's word"


def test_of_a_short_conversation_the_assistants_long_replies_are_passages_and_nothing_else() -> None:
    asked, reply, short = "How do I proof the dough? " * 20, PROSE * 12, "You are welcome."
    text = f"{asked}\n{reply}\n{short}"
    end = len(asked) + 1 + len(reply)
    turns = (Turn(0, len(asked), "user"), Turn(len(asked) + 1, end, "assistant"), Turn(end + 1, len(text), "assistant"))
    found = passages_of(Capture("0" * 26, SAID_AT, text, SAID_AT, turns=turns))
    assert len(found) > 1
    assert {each.trust for each in found} == {"assistant"}
    assert (found[0].start, found[-1].end) == (len(asked) + 1, end - 1)  # the blank at its end is left out
    assert len(text) < LONG_TALK


def test_a_reply_stands_below_what_it_answers_in_a_conversation_that_was_pasted_too() -> None:
    text = f"User: How do I proof the dough in winter?\nAssistant: {PROSE * 3}\nUser: Thanks!\nAssistant: You're welcome."
    found = passages_of(Capture("0" * 26, SAID_AT, text, SAID_AT, source_type="plain"))
    assert {each.headings for each in found} == {("How do I proof the dough in winter?",)}
    assert {each.trust for each in found} == {"assistant"}


def test_a_file_that_looks_like_a_conversation_is_a_document_and_all_of_it_is_searched() -> None:
    text = f"User: How do I proof the dough in winter? {PROSE}\nAssistant: {PROSE * 3}"
    found = passages_of(Capture("0" * 26, SAID_AT, text, SAID_AT, source_type="plain", source="document", trust="document"))
    assert found[0].content.startswith("User: How do I proof")
    assert {each.trust for each in found} == {"document"}


@given(st.text(alphabet="ab #|-.\n", max_size=4_000), st.lists(st.integers(0, 4_000), max_size=5))
def test_passages_stand_in_the_text_in_order_bounded_and_leave_no_word_out(text: str, cuts: list[int]) -> None:
    bounds = sorted({each for each in cuts if each < len(text)})
    places = tuple(
        Place(start, end, f"page {n}") for n, (start, end) in enumerate(zip(bounds, [*bounds[1:], len(text)], strict=False))
    )
    found = cut(text, places=places)
    assert all(each.content == text[each.start : each.end].strip() for each in found)
    assert all(0 < each.end - each.start <= LONGEST_PASSAGE for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    kept = "".join(each.content for each in found)
    assert sorted(filter(str.isalnum, kept)) == sorted(filter(str.isalnum, text))
    assert len({each.passage_id for each in found}) == len(found)
