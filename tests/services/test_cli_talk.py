"""A conversation on the command line: answers as they are written, follow-ups, and the journey of the day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_product import Screen, Shell, running
from lattice_cli.ask import TAKEN_BACK

from tests.services.model_behaviours import disconnect
from tests.services.model_server import model_server


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_on_a_terminal_the_answer_is_shown_once_as_it_is_written(shell: Shell) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines.")
        piped = shell.lattice("ask", "who has the spare key?")
        shell.lc("clear")
        live = shell.lattice("ask", "who has the spare key?", screen=Screen)
    assert (live.code, live.out) == (0, piped.out)


def test_a_document_that_says_otherwise_is_told_below_the_answer(shell: Shell, tmp_path: Path) -> None:
    shell.set("LATTICE_OWNER_NAMES", "Ada Miller")
    form = tmp_path / "form.html"
    with running(shell):
        shell.lc("I live in Berlin.")
        form.write_text("<p>Ada Miller lives in Lisbon.</p>", encoding="utf-8")
        assert shell.lc(str(form)).code == 0
        asked = shell.lattice("ask", "where do I live?")
    assert "Berlin" in asked.out.splitlines()[0]
    assert "! form.html says otherwise: Ada Miller lives in Lisbon." in asked.out


def test_what_a_model_broke_off_is_taken_back_on_a_terminal(shell: Shell) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines.")
    with model_server(disconnect("The spare key is with Sofia and")) as server:
        shell.set("LLM_BASE_URL", server.base_url)
        shell.set("LLM_MODEL", "scripted")
        with running(shell):
            live = shell.lattice("ask", "who has the spare key?", screen=Screen)
    shown, _, answer = live.out.partition(TAKEN_BACK)
    assert "Sofia" in shown
    assert answer.strip().startswith("Ines [1]")
    assert "Sofia" not in answer


def test_a_follow_up_leans_on_what_was_asked_before_until_it_is_cleared(shell: Shell) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines. The bike key is with Tom.")
        shell.lattice("ask", "who has the spare key?")
        follow_up = shell.lattice("ask", "and", "the bike key?")
        shell.lc("clear")
        alone = shell.lattice("ask", "and the bike key?")
    assert "(understood as: who has the bike key?)" in follow_up.out
    assert "understood as" not in alone.out


def test_a_question_may_come_through_a_pipe(shell: Shell) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines.")
        assert "Ines" in shell.lattice("ask", piped=b"who has the spare key?\n").out
    assert shell.lattice("ask", piped=b" \n").code == 2


@pytest.mark.parametrize("up", [True, False])
def test_the_status_tells_the_journey_of_the_day(shell: Shell, up: bool) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines.")
        shell.lattice("ask", "where is the spare key?")
        shell.lattice("ask", "who is my dentist?")
        there = shell.lc("status").out
    told = there if up else shell.lc("status").out
    lines = told.splitlines()
    assert lines[0] == "1 memory, 1 day deep"
    assert lines[1] == "Mostly about: spare key (1)"
    at = lines.index("Today:")
    assert lines[at + 1 : at + 3] == ["  spare key: where is the spare key?", "  dentist: who is my dentist?"]


def test_the_status_for_scripts_has_the_journey(shell: Shell) -> None:
    with running(shell):
        shell.lattice("ask", "who is my dentist?")
        today = json.loads(shell.lc("status", "--json").out)["today"]
    assert today == [{"topic": "dentist", "turns": 1, "questions": ["who is my dentist?"]}]


def test_a_server_elsewhere_is_named_by_its_address(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LATTICE_API_URL", "http://127.0.0.1:9")
    said = shell.lattice("ask", "who is my dentist?")
    assert (said.code, "http://127.0.0.1:9" in said.err) == (3, True)


def test_the_status_says_which_language_model_is_used_or_why_none_is(shell: Shell) -> None:
    shell.set("LLM_PROVIDER", "none")
    with running(shell):
        assert "Language model: No language model is set up" in shell.lattice("status").out
    with model_server(disconnect()) as server:
        shell.set("LLM_BASE_URL", server.base_url)
        shell.set("LLM_PROVIDER", "auto")
        shell.set("LLM_MODEL", "tiny")
        shell.set("SYNTHESIS_MODEL", "large")
        with running(shell):
            assert f"Language model: tiny, large for answers at 127.0.0.1:{server.port}" in shell.lattice("status").out
    assert "Language model" not in shell.lattice("status").out


def test_the_status_says_what_a_language_model_may_look_over(shell: Shell) -> None:
    with running(shell):
        assert "Looks over" not in shell.lattice("status").out
    shell.set("LATTICE_CONSOLIDATE_ENRICH", "true")
    shell.set("LATTICE_SERENDIPITY", "true")
    with running(shell):
        assert "Looks over: sums up and seeks ideas; 0 of 24 calls in the last day" in shell.lattice("status").out
        assert json.loads(shell.lattice("status", "--json").out)["reflection"]["serendipity"] is True


def test_forgetting_shows_what_goes_and_asks_before_it_is_done(shell: Shell) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines. My sister lives in Turin.")
        shown = shell.lattice("forget", "--about", "Ines")
        assert shown.code == 1
        assert "This would be forgotten (1):" in shown.out
        assert "Nothing was changed." in shown.out
        done = shell.lattice("forget", "--about", "Ines", "--yes")
        assert "In the trash until 20" in done.out
        assert "lattice undo " in done.out
        at_once = shell.lattice("forget", "--about", "Turin", "--now", "--yes")
        assert "Forgotten: 1 memory." in at_once.out
        assert shell.lattice("forget", "--about", "Turin", "--yes").code == 1
        assert shell.lattice("forget").code == 2
