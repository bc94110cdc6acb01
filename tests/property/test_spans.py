"""Whatever the text, spans are exact: segments tile it, quotes stand where they are said to stand, nothing raises."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.domain.capture import Capture, SourceType, Turn
from lattice_common.domain.quote import locate
from lattice_common.domain.segment import Candidate
from lattice_common.ingest.extract import extract
from lattice_common.ingest.ground import ground
from lattice_common.ingest.segment import LONGEST_SEGMENT, segment
from lattice_common.language.dates.mentions import resolve, written
from lattice_common.language.sentences.split import LONGEST, sentences
from lattice_common.language.table import Language
from lattice_common.language.tables import TABLES
from lattice_common.language.words import (
    days,
    months,
    number_words,
    ordinals,
    people_by_role,
    seasons,
    short_months,
    short_weekdays,
    stretches,
    units,
    weekdays,
)

SAID_AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
TYPES: list[SourceType | None] = [None, "chat", "markdown", "code", "plain", "pdf", "docx", "pptx", "xlsx", "xls", "html"]
WORDS = st.sampled_from(
    [
        "I", "we", "went", "yesterday", "Ada:", "Bob:", "Berlin.", "not", "42", "3,5", "# ", "##", "- ", "* ",
        "> ", "|", "```", "---",
        "===", "[x]", "(a)", "…", "?", "!", "。", "it", "They", "next", "Friday", "/*", "*/", "//",
        '"quote"', "“q”", "2025-02-30",
        "9999-12-31", "0000-00-00", "def ", "class ", '"""', "é", "e\u0301", "ﬁ", "ß", "İ", "私は", "[10:02]",
        "****", "| `…", "❦", ":", "My ſister", "İt", "on Thurſday", "5 Aprİl", "is broken.",
        "User: ", "Assistant: ", "You said:\n", "ChatGPT said:\n", "$5",
        "\n", "\n\n", "\t", "\r\n", "\x00", "\u200b", "\u202e", "\U0001f600",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=400), st.lists(WORDS, max_size=80).map(" ".join), st.lists(WORDS, max_size=60).map("".join))


def capture_of(text: str, source_type: SourceType | None = None, turns: tuple[Turn, ...] = ()) -> Capture:
    return Capture("01jd0000000000000000000000", SAID_AT, text, SAID_AT, source_type=source_type, turns=turns)


def check_segments(capture: Capture) -> None:
    at = 0
    for ordinal, piece in enumerate(segment(capture)):
        assert piece.ordinal == ordinal
        assert capture.text[piece.start : piece.end] == piece.text
        assert at <= piece.start < piece.end
        assert not capture.text[at : piece.start].strip()
        assert len(piece.text) <= LONGEST_SEGMENT
        assert all(piece.start <= turn.start <= turn.end <= piece.end for turn in piece.turns)
        at = piece.end
    assert not capture.text[at:].strip()


def check_candidates(capture: Capture) -> None:
    for piece in segment(capture):
        proved, _ = ground(capture, piece, extract(capture, piece))
        for atom in proved:
            assert atom.start is not None
            assert atom.end is not None
            assert piece.start <= atom.start < atom.end <= piece.end
            assert capture.text[atom.start : atom.end] == atom.quote
            assert atom.content.strip()
            assert atom.subject.strip()
            assert 0 <= atom.importance <= 1
            assert "\n" not in atom.content


@given(text=TEXTS, source_type=st.sampled_from(TYPES))
def test_segments_tile_any_text_and_its_facts_stand_where_they_say(text: str, source_type: SourceType | None) -> None:
    capture = capture_of(text, source_type)
    check_segments(capture)
    check_candidates(capture)


EXCHANGED = (("i", "ı"), ("i", "İ"), ("s", "ſ"), ("k", "\u212a"))
"""Letters that a pattern takes for each other when it ignores case."""
LANGUAGES: tuple[Language, ...] = tuple(TABLES)
FRAMES = ("My {} is Ann.", "We met on {} 5 2026, and {} was there.", "{} 12 2026: paid. {} does it.", "We go in {} 2027, or {}.")


@pytest.mark.parametrize("frame", FRAMES)
def test_a_word_of_the_tables_in_letters_that_patterns_take_for_its_own_stops_nothing(frame: str) -> None:
    tables = (months, short_months, weekdays, short_weekdays, seasons, days, units, stretches)
    words = {word for table in tables for word in table(*LANGUAGES)}
    words |= {word for each in LANGUAGES for word in people_by_role(each)}
    words |= set(number_words(1, 99)) | set(ordinals(1, 31)) | {"it", "his", "she", "this", "is", "assistant", "us", "last week"}
    for word in sorted(words):
        for letter, other in EXCHANGED:
            if letter in word:
                check_candidates(capture_of(frame.replace("{}", word.replace(letter, other)), "plain"))


@pytest.mark.parametrize("source_type", ["plain", "markdown", "chat"])
@pytest.mark.parametrize(
    "text", ["**** is broken.", "| `… is not a name of this server` | Put it in.", ":\n* Nadir", "::\n1. 03-16"]
)
def test_a_subject_or_a_heading_without_a_word_stops_nothing(text: str, source_type: SourceType) -> None:
    check_candidates(capture_of(text, source_type))


@pytest.mark.parametrize("said", ["on FRİDAY", "on Frıday", "on Friday"])
def test_a_day_typed_on_a_turkish_keyboard_is_that_day(said: str) -> None:
    assert [mention.valid_from for mention in resolve(said, SAID_AT)] == [datetime(2023, 5, 12, tzinfo=UTC)]


@given(messages=st.lists(st.tuples(st.sampled_from(["Ada", "Bob", ""]), TEXTS), max_size=20))
def test_segments_of_a_conversation_leave_out_no_turn(messages: list[tuple[str, str]]) -> None:
    text, turns = "", []
    for name, words in messages:
        start = len(text) + len(name) + 2
        text += f"{name}: {words}\n"
        turns.append(Turn(start, start + len(words), "user" if name else "assistant", name or None))
    capture = capture_of(text, turns=tuple(turns))
    if turns:
        check_segments(capture)
    check_candidates(capture)


@given(text=TEXTS, quote=TEXTS, content=TEXTS, phrase=TEXTS)
def test_any_claim_about_any_text_is_proved_exactly_or_rejected(text: str, quote: str, content: str, phrase: str) -> None:
    capture = capture_of(text, "plain")
    for piece in segment(capture):
        claims = [
            Candidate(content, quote, "fact", "x", piece.segment_id, date_phrase=phrase),
            Candidate(content, text[1:9], "fact", "x", piece.segment_id, start=3, end=2),
        ]
        proved, rejected = ground(capture, piece, claims)
        assert len(proved) + len(rejected) == len(claims)
        assert all(text[atom.start : atom.end] == atom.quote for atom in proved)


@given(text=TEXTS)
def test_sentences_are_in_order_trimmed_and_leave_out_only_white_space(text: str) -> None:
    at = 0
    for span in sentences(text):
        sentence = text[span.start : span.end]
        assert not text[at : span.start].strip()
        assert sentence == sentence.strip()
        assert 0 < len(sentence) <= LONGEST
        at = span.end
    assert not text[at:].strip()


@given(text=TEXTS, observed_at=st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - hypothesis wants naive bounds
def test_dates_never_raise_and_stand_where_they_say(text: str, observed_at: datetime) -> None:
    for mention in resolve(f"two weeks ago {text} in 999 years", observed_at):
        assert f"two weeks ago {text} in 999 years"[mention.start : mention.end] == mention.phrase
        assert mention.whole[0] < mention.whole[1]
        assert written(mention)


@given(before=TEXTS, quote=st.text(min_size=1, max_size=60), after=TEXTS)
def test_what_stands_in_a_text_is_located(before: str, quote: str, after: str) -> None:
    span = locate(quote, before + quote + after, near=len(before))
    if quote.strip():
        assert span is not None
        assert (before + quote + after)[span.start : span.end] == quote.strip()
    else:
        assert span is None


HOSTILE = {
    "one line without spaces": "x" * 100_000,
    "quotes in quotes": ">" * 10_000 + " deep",
    "brackets": "[" * 50_000 + "]" * 50_000,
    "full stops": "." * 50_000 + "a",
    "spaces": " " * 50_000 + "a",
    "blank lines": "\n" * 50_000,
    "emoji": "\U0001f600" * 50_000,
    "headings": "# a\n" * 20_000,
    "list marks": "- " * 30_000,
    "stars": "*" * 50_000 + "a",
    "pipes": "|" * 50_000,
    "digits": "1" * 50_000,
    "grouped digits": "1,000" * 10_000,
    "dates": "yesterday " * 8_000,
    "names": "Ada: hi\nBob: yes\n" * 3_000,
    "capitals": "A" * 50_000,
    "capitalised": "Ada " * 12_000,
    "combining": "e" + "\u0301" * 50_000,
    "comment marks": "/*" * 20_000,
    "addresses": "a@" * 20_000,
    "long address": "a." * 20_000 + "@",
}


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python `work` runs: a measure of its cost that no clock disturbs."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_cut_to_size_and_read(name: str) -> None:
    capture = capture_of(HOSTILE[name])
    check_segments(capture)
    check_candidates(capture)


@pytest.mark.lengthy
@pytest.mark.parametrize("source_type", ["plain", "markdown", "code"])
@pytest.mark.parametrize(
    "unit", ["I met Tom in Rome yesterday. ", "- tea and 3 cakes\n", "x", "# a\n\nb\n", "> a\n", "| a | b |\n"]
)
def test_twice_the_text_is_about_twice_the_work(unit: str, source_type: SourceType) -> None:
    def work(size: int) -> int:
        text = unit * (size // len(unit))
        capture = capture_of(text, source_type)
        return lines_run(lambda: [ground(capture, piece, extract(capture, piece)) for piece in segment(capture)])

    work(2_000)  # caches of words are filled
    small, large = work(3_000), work(6_000)
    assert large <= 2.6 * small + 2_000
