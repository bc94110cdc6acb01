"""Only confirmed use strengthens a memory: its owner's verdicts and their telling it again; not being recalled, nor being told
back what an answer said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.composition import Embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import CountRecalls, UndoChange
from lattice_common.domain.feedback import Verdict
from lattice_common.domain.recall import Query, Selected
from lattice_common.domain.tier import tier_at, times_told

from tests.pipeline.hands import file_of, follow
from tests.pipeline.living import atom_saying, atoms_of, change, finished, rebuilt, say, send, started

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOME = "I live in Lisbon."
TOLD = (HOME, "My sister Ada lives in Porto.", "The spare key is with Ines.", "My dentist is Dr. Roth.", "My rent is 950 euros.")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def store(tmp_path: Path, clock: FixedClock) -> Iterator[Embedded]:
    with started(tmp_path, clock=clock) as store:
        for words in TOLD:
            say(store, words)
        clock.advance(timedelta(days=3))
        yield store


def standing(store: Embedded) -> dict[str, tuple[str, float, float, float, int]]:
    """What ranks a memory, beside what is asked."""
    return {
        atom_id: (atom.content, atom.quality_score, atom.confidence, atom.importance, times_told(atom))
        for atom_id, atom in atoms_of(store).items()
    }


def found(store: Embedded, question: str) -> list[Selected]:
    return list(store.lattice.select(Query(question, explain=True)).atoms)


def relay(store: Embedded, text: str, channel: str | None) -> None:
    finished(store, send(store, IngestRequest(text=text, metadata=CaptureMetadata(channel=channel))))


def test_forty_rounds_of_recalling_and_telling_back_the_answer_change_nothing(store: Embedded, clock: FixedClock) -> None:
    questions = ("Where do I live?", "Where does my sister live?", "Who has the spare key?", "How much is my rent?")
    before = standing(store)
    ranked = [[(each.atom.atom_id, each.signals["quality"]) for each in found(store, question)] for question in questions]
    for number in range(40):
        question = questions[number % len(questions)]
        answer = store.lattice.answer(Query(question), channel="page")
        assert answer.answered
        relay(store, answer.answer, (None, "mcp", "telegram", "lc")[number // 4 % 4])
        if number % 8 == 0:  # and as an assistant's turn of a conversation that is sent on, and in the words of the memory
            said = Message(role="assistant", name="Assistant", content=answer.answer)
            finished(store, send(store, IngestRequest(messages=[said])))
            say(store, answer.citations[0].quote)
        clock.advance(timedelta(minutes=7))
    change(store, CountRecalls({each: {"count": 25, "last": clock.now().isoformat()} for each in before}, 1))
    assert standing(store) == before
    again = [[(each.atom.atom_id, each.signals["quality"]) for each in found(store, question)] for question in questions]
    assert again == ranked
    assert not any("recalls" in each.signals for each in found(store, questions[0]))


def test_what_an_answer_said_of_a_memory_that_was_replaced_since_is_told_anew(store: Embedded, clock: FixedClock) -> None:
    answer = store.lattice.answer(Query("Who has the spare key?"))
    assert "Ines" in answer.answer
    clock.advance(timedelta(hours=1))
    say(store, "The spare key is with Tom now.")
    clock.advance(timedelta(hours=1))
    say(store, "The spare key is with Ines.")
    assert "Ines" in store.lattice.answer(Query("Who has the spare key?")).answer


def test_told_again_a_memory_is_surer_and_counts_how_often(store: Embedded, clock: FixedClock, tmp_path: Path) -> None:
    before = atom_saying(store, "Lisbon")
    for _ in range(2):
        clock.advance(timedelta(days=2))
        last = say(store, HOME)
    after = atom_saying(store, "Lisbon")
    assert (before.confidence, after.confidence) == (0.8, 0.9)
    assert (times_told(before), times_told(after)) == (1, 3)
    change(store, UndoChange(last.capture_id))
    assert (atom_saying(store, "Lisbon").confidence, times_told(atom_saying(store, "Lisbon"))) == (0.85, 2)
    state = store.state_hash()
    store.close()
    assert rebuilt(tmp_path)[0] == state


def test_what_an_assistant_a_document_or_an_import_repeats_is_no_surer(store: Embedded, clock: FixedClock) -> None:
    before = standing(store)
    clock.advance(timedelta(days=2))
    relay(store, HOME, "mcp")
    finished(store, send(store, IngestRequest(text=HOME, source="document")))
    of_old = CaptureMetadata(observed_at=(NOON - timedelta(days=9)).isoformat())
    finished(store, send(store, IngestRequest(text=HOME, metadata=of_old, priority="bulk")))
    assert {each: standing(store)[each] for each in before} == before


def test_a_thumb_lifts_what_was_cited_and_lowers_a_little_what_was_shown_beside(store: Embedded) -> None:
    answer = store.lattice.answer(Query("Where do I live?"))
    cited = {each.atom_id for each in answer.citations}
    beside = {each.atom.atom_id for each in answer.atoms[:5]} - cited
    assert beside
    given = store.lattice.feedback("up", trace_id=answer.trace_id, atom_ids=[], channel="page")
    assert {atom.quality_score for atom_id, atom in atoms_of(store).items() if atom_id in cited} == {1.1}
    assert {atom.quality_score for atom_id, atom in atoms_of(store).items() if atom_id in beside} == {0.95}
    assert store.lattice.feedback("up", trace_id=answer.trace_id, atom_ids=[], channel="page").change_id is None
    store.lattice.feedback("wrong", trace_id=answer.trace_id, atom_ids=[], channel="page")
    assert {atom.quality_score for atom_id, atom in atoms_of(store).items() if atom_id in cited} == {0.8}
    assert {atom.quality_score for atom_id, atom in atoms_of(store).items() if atom_id in beside} == {1.0}
    store.lattice.feedback("up", trace_id=answer.trace_id, atom_ids=[], channel="page")
    assert {atom.quality_score for atom_id, atom in atoms_of(store).items() if atom_id in beside} == {0.95}
    assert given.change_id


def test_a_verdict_shows_in_the_ranking_and_in_what_explains_it(store: Embedded, clock: FixedClock) -> None:
    say(store, "The plumber Maria charges 60 euros.")
    say(store, "The plumber Marek charges 60 euros.")
    question = "Which plumber charges 60 euros?"
    first, second, *_ = found(store, question)
    assert 0.0 < first.score - second.score < 0.8
    for _ in range(6):
        store.lattice.feedback("up", trace_id=None, atom_ids=[second.atom.atom_id], channel="page")
    lifted, other, *_ = found(store, question)
    assert (lifted.atom.atom_id, other.atom.atom_id) == (second.atom.atom_id, first.atom.atom_id)
    signal = lifted.signals["quality"]
    assert signal.value == pytest.approx(0.6)
    assert signal.contribution == pytest.approx(signal.value * signal.weight)
    assert lifted.score - second.score == pytest.approx(signal.contribution, abs=1e-6)


def test_quality_stays_between_a_tenth_and_two(store: Embedded) -> None:
    atom_id = atom_saying(store, "Lisbon").atom_id
    verdicts: tuple[tuple[Verdict, float], ...] = (("up", 2.0), ("wrong", 0.1))
    for verdict, end in verdicts:
        for _ in range(25):
            store.lattice.feedback(verdict, trace_id=None, atom_ids=[atom_id], channel="page")
        assert atoms_of(store)[atom_id].quality_score == end


def shown(store: Embedded, words: str) -> str:
    return str(store.lattice.fields(atom_saying(store, words))["tier"])


def test_a_memory_is_of_the_moment_for_two_days_and_until_it_is_used(store: Embedded, clock: FixedClock) -> None:
    say(store, "My bike is at the repair shop.")
    say(store, "I met Tom at the market.")
    assert {shown(store, words) for words in ("bike", "market")} == {"stm"}
    clock.advance(timedelta(hours=47))
    assert shown(store, "market") == "stm"
    clock.advance(timedelta(hours=2))
    assert (shown(store, "bike"), shown(store, "market")) == ("semantic", "episodic")


def test_recalling_or_telling_again_promotes_what_is_of_its_day(store: Embedded, clock: FixedClock) -> None:
    say(store, "The market is loud.")
    say(store, "The parcel is at the corner shop.")
    for words in ("market", "parcel"):
        made_ephemeral(store, atom_saying(store, words))
    clock.advance(timedelta(days=9))
    assert {shown(store, words) for words in ("market", "parcel")} == {"stm"}
    change(store, CountRecalls({atom_saying(store, "market").atom_id: {"count": 1, "last": clock.now().isoformat()}}, 1))
    say(store, "The parcel is at the corner shop.")
    assert {shown(store, words) for words in ("market", "parcel")} == {"semantic"}
    assert {atom_saying(store, words).tier for words in ("market", "parcel")} == {"semantic"}


def made_ephemeral(store: Embedded, atom: Atom) -> None:
    """By a hand, in its file."""
    path = file_of(store, atom)
    text = path.read_text().replace(f"tier: {atom.tier}", "tier: stm")
    path.write_text(text.replace(f"persistence: {atom.persistence}", "persistence: ephemeral"))
    follow(store, path)


def test_the_tier_of_a_file_is_what_a_memory_is_for_good(store: Embedded) -> None:
    atom = replace(atom_saying(store, "Lisbon"), tier="episodic")
    assert tier_at(atom, NOON + timedelta(days=30)) == "episodic"
    assert tier_at(replace(atom, tier="stm"), NOON + timedelta(days=30)) == "stm"
