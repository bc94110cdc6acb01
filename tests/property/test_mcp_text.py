"""What MCP does to text: addresses are taken apart whatever stands around them, and pasted chats lose no word."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_mcp.defang import addresses_in, defanged
from lattice_mcp.stdin import whole
from lattice_mcp.turns import messages_of

LIVE = "https://nora.example/garden"
PIECES = st.sampled_from(
    ["https://", "HTTP://", "//", "www.", "evil.example", LIVE, "/?q=1", "](", "![", "[", "]", ")", "]:", "<img src=", ">", " ",
     "\n", "1", "data:", "javascript:", "text", ".", "\\", "*", "_", "`", "hxxp", ":", "[:]"]
)  # fmt: skip
HALVES = st.sampled_from(["\ud83d", "\ude00", "\U0001f600", "\\", "\\ud83d", "u", '"', "\n", "ü", "words"])
WORDS = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=40)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_only_known_addresses_are_left_and_no_link_stands(text: str) -> None:
    calm = defanged(text, {LIVE})
    assert addresses_in(calm) <= {LIVE}
    assert not {"](", "][", "]:", "<img"} & {calm[at : at + length] for length in (2, 4) for at in range(len(calm))}
    assert defanged(calm, {LIVE}) == calm


@given(st.lists(HALVES, max_size=12).map("".join))
def test_half_characters_are_marked_and_all_else_is_what_was_sent(text: str) -> None:
    sent = json.dumps({text: text}).encode()
    expected = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert json.loads(whole(sent)) == {expected: expected}
    assert whole(whole(sent)) == whole(sent)


@given(st.lists(st.tuples(st.sampled_from(["User", "Assistant"]), WORDS), min_size=2, max_size=8))
def test_a_pasted_chat_comes_apart_into_who_said_what(turns: list[tuple[str, str]]) -> None:
    turns = [(who, f"w {' '.join(words.split())}".replace(":", "")) for who, words in turns]
    text = "\n\n".join(f"{who}: {words}" for who, words in turns)
    expected = [{"role": who.lower(), "content": words.strip()} for who, words in turns]
    assert messages_of(text) == (expected if len({who for who, _ in turns}) == 2 else [])


@pytest.mark.parametrize(
    "text",
    [
        "Notes first.\nUser: hello\nAssistant: hi",
        "User: only one side speaks here",
        "User guide: how to start\nAssistant manager: Tom",
        "The user said: hello",
        "",
    ],
)
def test_what_is_no_chat_with_an_assistant_stays_whole(text: str) -> None:
    assert messages_of(text) == []


def test_labels_in_bold_and_lines_of_their_own_are_labels_too() -> None:
    assert messages_of("**User:** I live in Ghent.\n\n### Assistant:\nNoted.\n\n- really") == [
        {"role": "user", "content": "I live in Ghent."},
        {"role": "assistant", "content": "Noted.\n\n- really"},
    ]
