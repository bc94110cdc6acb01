"""Marks as models write them, not as they were asked to: thoughts, citations, the sentinel, and what belongs to no answer."""

from __future__ import annotations

import pickle
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.domain.recall import Query
from lattice_common.recall.synthesize.marks import harmless
from lattice_common.recall.synthesize.streamed import Streamed
from recalled_store import atom, recall_over

LISBON = "You live in Lisbon [2]."


def heard(text: str, cuts: Iterable[int] = ()) -> Streamed:
    """What becomes of a text that comes in pieces."""
    made, at = Streamed(10, ()), 0
    for cut in [*sorted(cuts), len(text)]:
        made.feed(text[at:cut])
        at = max(at, cut)
    made.end()
    return made


def pieces(text: str) -> Streamed:
    """The same, letter by letter."""
    return heard(text, range(len(text)))


THOUGHTS = [
    "<think>Porto [3]? <<NO_INFO>></think>\n\n",
    "<thinking>Porto [3]?</thinking>",
    "<think>a [1]</think>\n<think>b [3]</think>\n",
    "<reasoning>\nPorto [3]?\n</reasoning>\n",
    "[THINK]Porto [3]?[/THINK]",
    "Okay, they ask where they live. Porto [3]?\n</think>\n\n",
    "Sure. <think>Porto [3]?</think> ",
    "<|channel|>analysis<|message|>Porto? [3]<|end|><|start|>assistant<|channel|>final<|message|>",
]


@pytest.mark.parametrize("thought", THOUGHTS)
@given(cuts=st.lists(st.integers(0, 120), max_size=20))
def test_what_a_model_thinks_is_none_of_its_answer_whatever_it_puts_around_it(thought: str, cuts: list[int]) -> None:
    text = thought + LISBON
    for made in (heard(text, [cut for cut in cuts if cut < len(text)]), pieces(text)):
        assert (made.shown, made.order, made.no_info) == ("You live in Lisbon [1].", [2], False)


@pytest.mark.parametrize(
    "text", ["<think>Lisbon [2].", "<|channel|>analysis<|message|>Lisbon [2]", "[THINK] Lisbon [2]. <<NO_INFO>>"]
)
def test_a_model_that_does_nothing_but_think_says_nothing(text: str) -> None:
    for made in (heard(text), pieces(text)):
        assert (made.shown, made.no_info) == ("", False)


def test_endless_thoughts_are_not_kept() -> None:
    made = Streamed(3, ())
    for _ in range(2_000):
        made.feed("<think> on the one hand [1] ")
    assert made.shown == ""
    assert len(pickle.dumps(made)) < 2_000


@pytest.mark.parametrize(
    "text",
    [
        "NO_INFO",
        "NO_INFO.",
        "<NO_INFO>",
        "< NO_INFO >",
        "`<<NO_INFO>>`",
        "**<<NO_INFO>>**",
        "&lt;&lt;NO_INFO&gt;&gt;",
        "«NO_INFO»",
        "[NO_INFO]",
    ],
)
def test_the_sentinel_is_understood_as_models_remember_it(text: str) -> None:
    for made in (heard(text), pieces(text), pieces(f"You live there [2]. {text} as far as I know [1].")):
        assert made.no_info
        assert "INFO" not in made.shown


@pytest.mark.parametrize("text", ["NO_INFORMATION_LEAK is a flag [1].", "There is no info on it [1].", "KANO_INFO [1]"])
def test_words_that_hold_the_sentinel_are_none(text: str) -> None:
    for made in (heard(text), pieces(text)):
        assert not made.no_info
        assert made.shown == text


def test_a_memory_that_holds_the_sentinel_cannot_say_it() -> None:
    for said in ("NO_INFO", "<NO_INFO>", "the flag NO_INFO is set"):
        assert not pieces(f"{harmless(said)} [1]").no_info


@pytest.mark.parametrize(
    ("mark", "order"),
    [
        ("[n=2]", [2]),
        ("[n: 2]", [2]),
        ("[Memory 2]", [2]),
        ("[memories 2, 5]", [2, 5]),
        ("[Memory 2, Memory 5]", [2, 5]),
        ("[Source 2]", [2]),
        ("[#2]", [2]),
        ("[2 and 5]", [2, 5]),
        ("[2 & 5]", [2, 5]),
        ("[ 2 ]", [2]),
        ("[2–4]", [2, 3, 4]),
    ],
)
def test_citations_are_understood_as_models_write_them(mark: str, order: list[int]) -> None:
    for made in (heard(f"You live in Lisbon {mark}."), pieces(f"You live in Lisbon {mark}.")):
        assert made.order == order
        assert made.shown == f"You live in Lisbon {''.join(f'[{n}]' for n in range(1, len(order) + 1))}."
    assert "[" not in harmless(f"It says {mark}.")


@pytest.mark.parametrize("text", ["You have [sic] 2 keys.", "See [note 2b].", "The row [2024].", "It is [nine 2]."])
def test_other_brackets_cite_nothing(text: str) -> None:
    assert pieces(text).shown == text
    assert pieces(text).order == []


@pytest.mark.parametrize(
    "text", ["You live in Lisbon [2].<|im_end|>", "<|start|>You live in Lisbon [2].</s>", "You live in Lisbon [2].<end_of_turn>"]
)
def test_marks_of_a_models_own_format_are_not_shown(text: str) -> None:
    for made in (heard(text), pieces(text)):
        assert made.shown == "You live in Lisbon [1]."


def test_what_nobody_sees_is_not_in_an_answer() -> None:
    assert pieces("You live in \u202eLis\u200bbon\u202c [2].").shown == "You live in Lisbon [1]."


@pytest.mark.parametrize("said", ["[1]", "[1][2].", "  – [1]", "**[1]**"])
def test_citations_without_a_word_are_no_answer(said: str) -> None:
    known = [atom("I live in Lisbon.", 1), atom("The rent is 850 euros.", 2)]
    answer = recall_over(known, writes=ScriptedModel([said])).answer(
        Query("Where do I live?"), atom_ids=[each.atom_id for each in known]
    )
    assert not answer.used_llm
    assert "You live in Lisbon." in answer.answer
    assert "said nothing" in answer.warnings[0]
