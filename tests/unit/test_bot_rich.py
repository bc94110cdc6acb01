"""Long texts become several messages that lose nothing, and nothing is cut that belongs together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lattice_bot.rich import LIMIT, MOST_SPANS, Rich, Span, apart, defanged, joined, marked, shortened, split, units

WORDS = st.text(alphabet="abcde .!?\n👀é漢[1]", max_size=60)
KINDS = st.sampled_from(["bold", "italic", "code", "pre"])


@st.composite
def riches(draw: st.DrawFn) -> Rich:
    """Plain and emphasised pieces, addresses among them."""
    whole = Rich("")
    for kind, text in draw(st.lists(st.tuples(st.none() | KINDS, WORDS | st.just("https://example.org/a?b=c")), max_size=12)):
        whole = whole + (marked(text, kind) if kind else text)
    return whole


@given(riches(), st.integers(8, 40))
def test_the_pieces_are_the_text_and_each_fits(rich: Rich, limit: int) -> None:
    pieces = split(rich, limit)
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(rich.text.split())
    assert all(0 < units(piece.text) <= limit for piece in pieces)


@given(riches(), st.integers(8, 40))
def test_nothing_is_cut_inside_an_entity_that_fits_into_a_message(rich: Rich, limit: int) -> None:
    kept = [(span.kind, piece.text[span.start : span.end]) for piece in split(rich, limit) for span in piece.spans]
    for span in rich.spans:
        text = rich.text[span.start : span.end]
        if text.strip() and units(text) <= limit:
            assert (span.kind, text) in kept


@given(riches(), st.integers(8, 40))
def test_spans_lie_in_their_piece(rich: Rich, limit: int) -> None:
    for piece in [*split(rich, limit), shortened(rich, limit)]:
        assert all(0 <= span.start < span.end <= len(piece.text) for span in piece.spans)


def test_a_long_answer_is_split_at_sentences() -> None:
    sentences = [f"Sentence number {number} says a little about the lake. [1] " for number in range(200)]
    pieces = split(Rich("".join(sentences)))
    assert len(pieces) == 3
    assert all(piece.text.endswith("[1] ") for piece in pieces)
    assert all(piece.text.startswith("Sentence") for piece in pieces)


def test_4097_units_are_two_messages_and_a_pair_of_surrogates_is_two_units() -> None:
    assert len(split(Rich("a" * LIMIT))) == 1
    assert len(split(Rich("a" * (LIMIT + 1)))) == 2
    assert len(split(Rich("👀" * (LIMIT // 2)))) == 1
    assert len(split(Rich("👀" * (LIMIT // 2) + "a"))) == 2


def test_addresses_are_made_inert_and_joining_moves_spans() -> None:
    assert defanged("see https://evil.example/x?y=1 now").spans == (Span(4, 30, "code"),)
    both = joined([marked("a", "bold"), marked("b", "italic")], " ")
    assert (both.text, both.spans) == ("a b", (Span(0, 1, "bold"), Span(2, 3, "italic")))


def test_a_tree_that_is_longer_than_a_message_is_cut_between_its_lines() -> None:
    lines = [f"├─ topic number {number} of this long day (1)" for number in range(300)]
    pieces = split(marked("\n".join(lines), "pre"))
    assert len(pieces) > 2
    assert [line for piece in pieces for line in piece.text.splitlines()] == lines
    assert all([span.kind for span in piece.spans] == ["pre"] for piece in pieces)


def test_all_that_telegram_makes_a_link_of_is_code() -> None:
    text = (
        "https://a.example/b, tg://resolve?x=1, www.c.example or d.example/e?f by @mallory (mail ines@example.com) and /undo it."
    )
    found = [text[span.start : span.end] for span in defanged(text).spans]
    assert found == ["https://a.example/b,", "tg://resolve?x=1,", "www.c.example", "d.example/e?f", "@mallory", "/undo"]


def test_addresses_in_other_letters_and_in_numbers_are_code() -> None:
    text = "Im пример.рф, at xn--e1afmkfd.xn--p1ai/x or on 192.0.2.7:80/y there is more."
    found = [text[span.start : span.end] for span in defanged(text).spans]
    assert found == ["пример.рф", "xn--e1afmkfd.xn--p1ai/x", "192.0.2.7:80/y"]


def test_no_message_has_more_entities_than_telegram_takes() -> None:
    whole = defanged(" ".join(f"a{number}.example" for number in range(450)))
    pieces = split(whole)
    assert [len(piece.spans) for piece in pieces] == [MOST_SPANS] * 4 + [50]
    assert "".join(piece.text for piece in pieces) == whole.text


def test_words_with_dots_and_slashes_are_no_links() -> None:
    assert defanged("It costs 3.50 euros, e.g. at 9.30 p.m. or and/or on 24/7, v1.2.3, i.e. 5.5 kg … done.").spans == ()


def test_what_is_taken_apart_stays_readable_and_is_no_link() -> None:
    assert apart("https://a.example/b by @mallory: /undo") == "https[:]//a[.]example/b by @ mallory: / undo"
    assert defanged(apart("www.c.example and d.example/e")).spans == ()
