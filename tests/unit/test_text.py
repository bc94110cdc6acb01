"""What `language.text` makes of what people write."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lattice_common.language.text import MAX_TOKEN, STOP_WORDS, analyze, fold, query_tokens, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna's", "anna"),
        ("Anna’s", "ANNA"),
        ("the Joneses’", "Joneses"),
        ("Müller", "Muller"),
        ("Mu\u0308ller", "Müller"),
        ("naïve café", "naive cafe"),
        ("Ærøskøbing", "aeroskobing"),
        ("Łódź", "lodz"),
        ("Straße", "STRASSE"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "full width"),
        ("paintings", "painted"),
        ("she's running", "run"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("U.S.A.", "usa"),
        ("don't like", "not like"),
        ("won’t", "not"),
        ("$1,200.50", "1200.50"),
        ("“quoted”", "quote"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("й", "и"),
    ],
)
def test_what_differs_in_form_only_has_the_same_tokens(one: str, other: str) -> None:
    assert analyze(one) == analyze(other)


@pytest.mark.parametrize(
    ("text", "findable"),
    [
        ("mail Anna.K@example.com now", ["anna.k@example.com", "Anna", "example.com", "example"]),
        ("see https://www.example.org/a-b/c?x=1.", ["https://www.example.org/a-b/c?x=1", "www.example.org", "example"]),
        ("released 1.2.3 on 2023-05-08 at 10:30", ["1.2.3", "2023-05-08", "2023", "10:30"]),
        ("a follow-up e-mail", ["followup", "follow up", "email", "e-mail", "mail"]),
        ("camelCaseWord and HTTPServer", ["camelCaseWord", "camelcaseword", "camel case word", "http server", "httpserver"]),
        ("set LATTICE_WEB_PORT", ["lattice_web_port", "lattice", "port"]),
        ("writes C++ and C#", ["C++", "C#", "c"]),
        ("ran 5km on the 3rd, iPhone15", ["5km", "5 km", "3rd", "3", "iphone15", "phone 15"]),
        ("O'Brien works at AT&T", ["obrien", "O’Brien", "Brien", "AT&T"]),
        ("call +351 912-345-678", ["912-345-678", "912"]),
        ("我喜欢喝咖啡。", ["咖啡", "喜欢", "我喜欢"]),
        ("東京タワーへ行った", ["東京", "タワー"]),
        ("한국어를 배운다", ["한국어", "배운다"]),
        ("ฉันชอบกาแฟ", ["กาแฟ"]),
        ("हिन्दी में लिखा", ["हिन्दी", "लिखा"]),
        ("живёт в Москве", ["Москве", "живет"]),
        ("貓 sat", ["貓", "sat"]),
        ("#holiday @ben 🎉", ["holiday", "ben"]),
    ],
)
def test_wholes_and_parts_are_found(text: str, findable: list[str]) -> None:
    tokens = set(analyze(text))
    for asked in findable:
        assert query_tokens(asked), asked
        missing = set(query_tokens(asked)) - tokens
        assert not missing, (asked, missing)


def test_repetitions_and_order_are_kept_and_stop_words_are_not() -> None:
    assert analyze("The cat saw the other cat, and a dog.") == ["cat", "saw", "cat", "dog"]


def test_negations_are_kept() -> None:
    assert analyze("She does not eat meat, never, no!") == ["not", "eat", "meat", "never", "no"]


def test_a_query_is_distinct_tokens_without_the_words_that_ask() -> None:
    assert query_tokens("Tell me, what did Anna's friend Anna say about painting? When?") == ["anna", "friend", "say", "paint"]
    assert query_tokens("Who? What? Where?") == []
    assert query_tokens("") == []


def test_words_are_folded_but_not_stemmed() -> None:
    assert words("Anna's paintings don't sell — naïve, e-mail 咖啡店") == [
        "anna", "paintings", "do", "not", "sell", "naive", "e", "mail", "咖啡", "啡店",
    ]  # fmt: skip


def test_every_stop_word_is_folded_so_that_it_can_match() -> None:
    assert all(fold(word) == word for word in STOP_WORDS)


def test_folding_is_idempotent_for_every_character() -> None:
    folded = fold(" ".join(chr(code) for code in range(sys.maxunicode + 1)))
    assert fold(folded) == folded


@given(st.text())
@example("\u0345\u03b1\u0300")
def test_folding_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


anything = st.one_of(
    st.text(st.characters(exclude_categories=[])),
    st.text(st.sampled_from("aB1_.,'’@-+#/:&?我ก\u0300\u0e31 \n"), max_size=200),
)


@given(anything)
def test_tokens_are_short_clean_and_the_same_every_time(text: str) -> None:
    tokens = analyze(text)
    assert all(token and len(token) <= MAX_TOKEN and not any(char.isspace() for char in token) for token in tokens)
    assert analyze(text) == tokens
    assert set(query_tokens(text)) <= set(tokens)
    assert all(0 < len(word) <= MAX_TOKEN for word in words(text))


@given(st.lists(anything, max_size=4))
def test_text_by_text_or_joined_by_a_line_break_is_the_same(texts: list[str]) -> None:
    assert analyze("\n".join(texts)) == [token for text in texts for token in analyze(text)]


@given(st.text(st.characters(exclude_categories=[]), min_size=1, max_size=6), st.integers(1, 300))
def test_the_number_of_tokens_is_bounded_by_the_length(part: str, times: int) -> None:
    text = part * times
    assert len(analyze(text)) <= 2 * 18 * len(text) + 2  # NFKC writes one character as 18 at most; a part and its whole


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["a", "a.", "aB", "我", "\u0300\u0327", "@", "x'", "1,", "http://", "é", "a-", "_", "a\u0300", "1a", "www.", "."]
)
def test_a_long_text_without_spaces_takes_linear_time(part: str) -> None:
    """Quadratic work on 2 MB would take hours, and be ended by the suite's time limit rather than a clock here."""
    text = part * (2_000_000 // len(part))
    assert len(analyze(text)) <= 2 * len(text)
    assert len(words(text)) <= 2 * len(text)
