"""What becomes of an older statement that the judge finds outdated: for certain it is retired, likely its owner is asked, and
otherwise it stays; through the running product, with a judge that says what it was told to."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.adapters.memory.scripted_model import Saying, ScriptedModel
from lattice_common.adapters.models import onnx_judge
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, Model, load_model, open_embedded
from lattice_common.domain.atom import Relation
from lattice_common.domain.capture import Command, DeleteAtom, PreferAtom, SetStatuses, SettleJudged, UndoChange
from lattice_common.domain.judgement import Relatedness, Status
from lattice_common.domain.recall import Query
from lattice_common.errors import Conflict, NotFound
from lattice_common.ingest.reconcile.ledger import Ledger
from lattice_common.ports.language_model import ModelRequest
from lattice_common.settings import Settings

from tests.dying import Died, dying_at, left_by
from tests.pipeline.living import PATIENCE, atom_saying, atoms_of, change, current, finished, say, send, started
from tests.pipeline.modelled import asked, open_modelled, sentence_by_sentence
from tests.working import until

LEEDS, YORK = "I live in Leeds.", "Finally unpacked the last box here in York."
TRAM = "My tram to work leaves from Leeds station."
CERTAIN, LIKELY, PERHAPS, HARDLY = 0.97, 0.7, 0.4, 0.1
THEN, NOW = "2026-01-05T10:00:00Z", "2026-06-01T10:00:00Z"


def judge(share: float, *olds: str, new: str = YORK) -> ScriptedJudge:
    return ScriptedJudge({(old, new): share for old in olds or (LEEDS,)})


ONE_TOPIC = {(LEEDS, TRAM): 0.0, (TRAM, LEEDS): 0.0}
"""Not about different things."""


def moved(root: Path, share: float, **settings: Any) -> Embedded:
    """Leeds, then York."""
    store = started(root, judge=judge(share), **settings)
    say(store, LEEDS, observed_at=THEN)
    say(store, YORK, observed_at=NOW)
    return store


def pairs(store: Embedded) -> list[tuple[str, str]]:
    return [(newer.content, older.content) for newer, older in store.lattice.in_review(10)]


def fields(store: Embedded) -> dict[str, object]:
    """All atoms as their files have them."""
    return {atom_id: store.lattice.fields(atom) for atom_id, atom in atoms_of(store).items()}


def test_what_is_outdated_for_certain_is_retired_with_a_reason_and_comes_back_exactly(tmp_path: Path) -> None:
    with started(tmp_path, judge=judge(CERTAIN)) as store:
        say(store, LEEDS, observed_at=THEN)
        before = fields(store)
        receipt = say(store, YORK, observed_at=NOW)
        old = atom_saying(store, "Leeds")
        assert (old.is_superseded, old.superseded_by) == (True, receipt.atom_ids[0])
        assert old.superseded_reason == f"replaced by “{YORK}”"
        assert receipt.atoms_updated == 1
        assert current(store) == [YORK]
        change(store, UndoChange(receipt.capture_id))
        assert fields(store) == before


def test_all_old_statements_that_no_longer_hold_go_in_one_change(tmp_path: Path) -> None:
    scripted = ScriptedJudge({(LEEDS, YORK): CERTAIN, (TRAM, YORK): CERTAIN} | ONE_TOPIC)
    with started(tmp_path, judge=scripted) as store:
        say(store, LEEDS, observed_at=THEN)
        say(store, TRAM, observed_at="2026-01-06T10:00:00Z")
        receipt = say(store, YORK, observed_at=NOW)
        assert current(store) == [YORK]
        assert receipt.atoms_updated == 2
        change(store, UndoChange(receipt.capture_id))
        assert current(store) == sorted([LEEDS, TRAM])


def test_news_ends_one_thing_and_nothing_of_another_topic_beside_it(tmp_path: Path) -> None:
    key = "The spare key is with Ines in Leeds."
    with started(tmp_path, judge=ScriptedJudge({(LEEDS, YORK): CERTAIN, (key, YORK): 0.95})) as store:
        say(store, key, observed_at=THEN)
        say(store, LEEDS, observed_at="2026-01-06T10:00:00Z")
        say(store, YORK, observed_at=NOW)
        assert current(store) == sorted([key, YORK])
        assert pairs(store) == []


def read_as(status: Status) -> ScriptedJudge:
    """A judge that is certain that York ends Leeds, and reads the news as said in that way."""
    return ScriptedJudge({(LEEDS, YORK): CERTAIN}, meant={YORK: ("tell", status)})


def test_what_ends_something_was_not_just_dropped(tmp_path: Path) -> None:
    with started(tmp_path, judge=read_as("rejected")) as store:
        say(store, LEEDS, observed_at=THEN)
        say(store, YORK, observed_at=NOW)
        assert current(store) == [YORK]
        assert atom_saying(store, "York").status == "asserted"


@pytest.mark.parametrize(("status", "asked"), [("wished", []), ("joked", []), ("uncertain", [(YORK, LEEDS)])])
def test_what_is_not_said_for_true_retires_nothing_and_is_asked_about_where_it_may_be_true(
    tmp_path: Path, status: Status, asked: list[tuple[str, str]]
) -> None:
    with started(tmp_path, judge=read_as(status)) as store:
        say(store, LEEDS, observed_at=THEN)
        say(store, YORK, observed_at=NOW)
        assert current(store) == sorted([LEEDS, YORK])
        assert pairs(store) == asked
        assert atom_saying(store, "York").status == status


def test_what_is_likely_outdated_stays_and_is_asked_about(tmp_path: Path) -> None:
    with moved(tmp_path, LIKELY) as store:
        assert current(store) == sorted([LEEDS, YORK])
        newer, older = atom_saying(store, "York"), atom_saying(store, "Leeds")
        assert newer.may_update == (older.atom_id,)
        assert pairs(store) == [(YORK, LEEDS)]
        assert store.lattice.status().in_review == 1
        assert [each.content for each in store.lattice.doubted_by(older)] == [YORK]


def test_what_is_neither_stays_as_it_is(tmp_path: Path) -> None:
    with moved(tmp_path, HARDLY) as store:
        assert current(store) == sorted([LEEDS, YORK])
        assert pairs(store) == []
        assert atom_saying(store, "York").may_update == ()


def test_recall_puts_the_newer_first_though_only_the_older_is_found_by_its_words(tmp_path: Path) -> None:
    with moved(tmp_path, LIKELY, dense_seeds=False) as store:
        found = store.lattice.select(Query("Do I live in Leeds?")).atoms
        assert [each.atom.content for each in found[:2]] == [YORK, LEEDS]
        assert found[1].outdated_by == found[0].atom.atom_id


def test_a_doubted_statement_follows_after_five_others_and_never_falls_out_for_them(tmp_path: Path) -> None:
    with moved(tmp_path, LIKELY, dense_seeds=False) as store:
        for street in ("Mill", "Park", "Kirkgate", "Vicar", "Albion", "Boar"):
            say(store, f"I cycled down {street} Lane in Leeds.")
        for limit, place in ((12, 5), (4, 3)):
            found = store.lattice.select(Query("Do I live in Leeds?", limit=limit)).atoms
            doubted = [at for at, each in enumerate(found) if each.outdated_by is not None]
            assert doubted == [place], [each.atom.content for each in found]
            assert (found[0].atom.content, found[place].atom.content) == (YORK, LEEDS)


def test_what_is_perhaps_touched_stays_unquestioned_and_comes_after_the_newer(tmp_path: Path) -> None:
    with moved(tmp_path, PERHAPS, dense_seeds=False) as store:
        assert pairs(store) == []
        assert atom_saying(store, "York").updates == (atom_saying(store, "Leeds").atom_id,)
        found = store.lattice.select(Query("Do I live in Leeds?")).atoms
        assert [(each.atom.content, each.outdated_by) for each in found] == [(YORK, None), (LEEDS, None)]


def test_how_it_was_is_asked_without_what_came_later(tmp_path: Path) -> None:
    with moved(tmp_path, PERHAPS, dense_seeds=False) as store:
        found = store.lattice.select(Query("Did I use to live in Leeds?")).atoms
        assert [each.atom.content for each in found][:1] == [LEEDS]


def test_the_answer_says_since_when_and_how_it_was_before(tmp_path: Path) -> None:
    with moved(tmp_path, LIKELY) as store:
        answer = store.lattice.answer(Query("Where do I live?"))
        assert f"Since 1 June 2026: {YORK} [1] Before: You live in Leeds. [2]" in answer.answer


def test_an_answer_from_chosen_memories_knows_what_may_be_outdated_among_them(tmp_path: Path) -> None:
    with moved(tmp_path, LIKELY) as store:
        chosen = [atom_saying(store, words).atom_id for words in ("Leeds", "York")]
        answer = store.lattice.answer(Query("Where do I live?"), atom_ids=chosen)
        assert answer.answer.startswith(f"Since 1 June 2026: {YORK} [1] Before: You live in Leeds.")


def test_a_language_model_is_shown_what_may_be_outdated(tmp_path: Path) -> None:
    shown: list[str] = []

    def said(request: ModelRequest) -> Saying:
        shown.extend(message.content for message in request.messages)
        return "You unpacked the last box in York [1]."

    in_use = ModelsInUse(None, ScriptedModel(said), dict, lambda: None)
    model = Model(HashedEmbedder(), judge=judge(LIKELY))
    with open_embedded(Settings(data_dir=tmp_path, embed_model="none"), model=model, models=in_use) as store:
        store.start()
        say(store, LEEDS, observed_at=THEN)
        say(store, YORK, observed_at=NOW)
        store.lattice.answer(Query("Where do I live?"))
    assert any('"content": "I live in Leeds."' in each and '"may_be_outdated_by": 1' in each for each in shown)


def test_the_owner_says_that_it_was_replaced_and_takes_that_back(tmp_path: Path) -> None:
    with moved(tmp_path, LIKELY) as store:
        before = fields(store)
        newer, older = atom_saying(store, "York").atom_id, atom_saying(store, "Leeds").atom_id
        change_id = store.lattice.settle(newer, older, "replaced", timeout=PATIENCE)
        assert (current(store), pairs(store)) == ([YORK], [])
        with pytest.raises(Conflict):
            store.lattice.settle(newer, older, "replaced", timeout=PATIENCE)
        change(store, UndoChange(change_id))
        assert fields(store) == before
        assert pairs(store) == [(YORK, LEEDS)]


def test_the_owner_says_that_both_hold_and_is_not_asked_again(tmp_path: Path) -> None:
    with moved(tmp_path, LIKELY) as store:
        newer, older = atom_saying(store, "York").atom_id, atom_saying(store, "Leeds").atom_id
        change_id = store.lattice.settle(newer, older, "both", timeout=PATIENCE)
        assert (current(store), pairs(store)) == (sorted([LEEDS, YORK]), [])
        assert store.lattice.answer(Query("Where do I live?")).answer.count("Before:") == 0
        with pytest.raises(NotFound):
            store.lattice.settle(newer, older, "both", timeout=PATIENCE)
        change(store, UndoChange(change_id))
        assert pairs(store) == [(YORK, LEEDS)]


@pytest.mark.parametrize("source", ["document", "assistant"])
def test_nobody_less_trusted_retires_or_doubts_what_the_owner_said(source: Any, tmp_path: Path) -> None:
    scripted = judge(CERTAIN)
    with started(tmp_path, judge=scripted) as store:
        say(store, LEEDS, observed_at=THEN)
        metadata = CaptureMetadata(observed_at=NOW)
        finished(store, send(store, IngestRequest(text=YORK, source=source, source_type="plain", metadata=metadata)))
        assert not atom_saying(store, "Leeds").is_superseded
        assert (scripted.asked, pairs(store)) == ([], [])


def test_statements_of_one_capture_leave_each_other_alone(tmp_path: Path) -> None:
    with started(tmp_path, judge=judge(CERTAIN)) as store:
        say(store, f"{LEEDS} {YORK}", observed_at=THEN)
        assert current(store) == sorted([LEEDS, YORK])


def test_what_is_told_late_of_an_earlier_time_is_retired_by_what_is_known(tmp_path: Path) -> None:
    with started(tmp_path, judge=judge(CERTAIN)) as store:
        say(store, YORK, observed_at=NOW)
        say(store, LEEDS, observed_at=THEN)
        assert current(store) == [YORK]


def test_a_deleted_newer_statement_makes_the_older_one_current(tmp_path: Path) -> None:
    with moved(tmp_path / "certain", CERTAIN) as store:
        change(store, DeleteAtom(atom_saying(store, "York").atom_id))
        assert current(store) == [LEEDS]
    with moved(tmp_path / "likely", LIKELY) as store:
        change(store, DeleteAtom(atom_saying(store, "York").atom_id))
        assert pairs(store) == []
        [found] = store.lattice.select(Query("Where do I live?")).atoms
        assert found.outdated_by is None


def test_a_rule_that_the_judge_refutes_retires_nothing(tmp_path: Path) -> None:
    berlin, lisbon = "I live in Berlin.", "I moved from Berlin to Lisbon."
    for share, left in ((0.01, [berlin, lisbon]), (0.2, [lisbon])):
        with started(tmp_path / str(share), judge=judge(share, berlin, new=lisbon)) as store:
            say(store, berlin, observed_at=THEN)
            say(store, lisbon, observed_at=NOW)
            assert current(store) == sorted(left)


class CountingJudge(ScriptedJudge):
    """Refutes nothing, and counts how often it is asked."""

    calls = 0

    def relations(self, pairs: Sequence[tuple[str, str]]) -> list[Relatedness]:
        self.calls += 1
        return [Relatedness(updates=0.2, adds=0.2, same=0.0, unrelated=0.6)] * len(pairs)


def test_what_is_retired_already_is_not_judged_with_each_statement_of_its_slot(tmp_path: Path) -> None:
    """A text of two hundred moves held the writer for a minute: each was judged beside each that it had long replaced."""
    cities = [
        "Berlin",
        "Lisbon",
        "Ghent",
        "Turin",
        "Oslo",
        "Kiel",
        "Leeds",
        "York",
        "Porto",
        "Lyon",
        "Bern",
        "Riga",
        "Graz",
        "Cork",
    ]
    counting = CountingJudge()
    with started(tmp_path, judge=counting) as store:
        say(store, " ".join(f"I moved to {city}." for city in cities))
        assert current(store) == ["I moved to Cork."]
    assert counting.calls <= 2 * len(cities), "there are 78 pairs of cities"


@pytest.mark.parametrize(("tie", "kept"), [("updates", "may_update"), ("extends", "may_update"), ("contradicts", "contradicts")])
def test_a_doubt_takes_the_place_of_a_weaker_tie_but_not_of_a_contradiction(tie: Any, kept: str, tmp_path: Path) -> None:
    """A rule that saw both fill one slot had linked them; two relations of one pair are never kept."""
    with moved(tmp_path, HARDLY) as store:
        newer, older = atom_saying(store, "York"), atom_saying(store, "Leeds")
    ledger = Ledger()
    ledger.relate(newer, Relation(tie, older.atom_id))
    ledger.doubt(newer, older)
    assert [(each.type, each.target) for each in ledger.now(newer).relations] == [(kept, older.atom_id)]


def imported(store: Embedded, text: str, observed_at: str) -> None:
    request = IngestRequest(text=text, priority="bulk", metadata=CaptureMetadata(observed_at=observed_at))
    finished(store, send(store, request))


def judged(store: Embedded) -> None:
    """Returns once all that was stored has been looked at, and what was found is carried out."""
    until("the judge to have caught up", lambda: store.judging_behind() == 0 and not store.writer.state().waiting)


def settling(store: Embedded) -> list[str]:
    """The commands by which the product settled what it judged late, newest first."""
    said = [store.stores.worklog.read(entry) for entry in store.stores.worklog.entries()]
    return [each.command_id for each in said if isinstance(each, Command) and isinstance(each.action, SettleJudged)]


def test_an_import_is_judged_later_in_its_order_and_the_finding_can_be_undone(tmp_path: Path) -> None:
    scripted = ScriptedJudge({(LEEDS, YORK): CERTAIN, (LEEDS, TRAM): LIKELY, (TRAM, YORK): LIKELY})
    with started(tmp_path, judge=scripted) as store:
        for text, day in ((LEEDS, THEN), (TRAM, "2026-02-01T10:00:00Z"), (YORK, NOW)):
            imported(store, text, day)
        judged(store)
        assert current(store) == sorted([TRAM, YORK])
        assert atom_saying(store, "I live in Leeds").superseded_reason == f"replaced by “{YORK}”"
        assert (YORK, TRAM) in pairs(store)
        for command in settling(store):
            change(store, UndoChange(command))
        assert current(store) == sorted([LEEDS, TRAM, YORK])
        assert pairs(store) == []


def test_imported_news_that_perhaps_touches_something_comes_before_it(tmp_path: Path) -> None:
    with started(tmp_path, judge=judge(PERHAPS), dense_seeds=False) as store:
        for text, day in ((LEEDS, THEN), (YORK, NOW)):
            imported(store, text, day)
        judged(store)
        assert pairs(store) == []
        found = store.lattice.select(Query("Do I live in Leeds?")).atoms
        assert [each.atom.content for each in found] == [YORK, LEEDS]


def test_imported_news_ends_one_thing_too(tmp_path: Path) -> None:
    key = "The spare key is with Ines in Leeds."
    with started(tmp_path, judge=ScriptedJudge({(LEEDS, YORK): CERTAIN, (key, YORK): 0.95})) as store:
        for text, day in ((key, THEN), (LEEDS, "2026-01-06T10:00:00Z"), (YORK, NOW)):
            imported(store, text, day)
        judged(store)
        assert current(store) == sorted([key, YORK])
        assert pairs(store) == []


def test_an_imported_old_statement_is_retired_by_what_was_told_before_the_import(tmp_path: Path) -> None:
    with started(tmp_path, judge=judge(CERTAIN)) as store:
        say(store, YORK, observed_at=NOW)
        imported(store, LEEDS, THEN)
        judged(store)
        assert current(store) == [YORK]


def test_an_import_into_a_new_store_is_judged_though_the_writer_was_never_idle(tmp_path: Path) -> None:
    """What waits in the journal when the product first starts is stored before anything else happens."""
    with _opened(tmp_path, judge(CERTAIN)) as store:
        for text, day in ((LEEDS, THEN), (YORK, NOW)):
            send(store, IngestRequest(text=text, priority="bulk", metadata=CaptureMetadata(observed_at=day)))
        store.start()
        until("the move to be known", lambda: current(store) == [YORK])


def test_how_an_import_means_something_is_asked_later_and_can_be_undone(tmp_path: Path) -> None:
    scripted = ScriptedJudge({(LEEDS, YORK): CERTAIN}, meant={YORK: ("tell", "joked")})
    with started(tmp_path, judge=scripted) as store:
        for text, day in ((LEEDS, THEN), (YORK, NOW)):
            imported(store, text, day)
        judged(store)
        assert atom_saying(store, YORK).status == "joked"
        assert current(store) == sorted([LEEDS, YORK]), "a joke retires nothing"
        said = [store.stores.worklog.read(entry) for entry in store.stores.worklog.entries()]
        [command] = [each.command_id for each in said if isinstance(each, Command) and isinstance(each.action, SetStatuses)]
        change(store, UndoChange(command))
        assert atom_saying(store, YORK).status == "asserted"


def test_what_was_undone_is_not_retired_again(tmp_path: Path) -> None:
    with started(tmp_path, judge=judge(CERTAIN)) as store:
        imported(store, LEEDS, THEN)
        imported(store, YORK, NOW)
        judged(store)
        [command] = settling(store)
        change(store, UndoChange(command))
        say(store, "The cat sleeps all day.")
        judged(store)
        assert len(current(store)) == 3
    with started(tmp_path, judge=judge(CERTAIN)) as store:
        say(store, "It rains.")
        judged(store)
        assert {LEEDS, YORK} <= set(current(store))


class Wavering(ScriptedJudge):
    """Certain at first, and of another mind whenever it is asked again."""

    def relations(self, pairs: Any) -> list[Relatedness]:
        before = [pair for pair in pairs if pair in self.asked]
        found = super().relations(pairs)
        return [Relatedness(0.0, 1.0, 0.0, 0.0)] * len(found) if before else found


@pytest.mark.slow
def test_a_redo_after_a_crash_carries_out_what_was_decided(tmp_path: Path) -> None:
    """Before the plan the judge, which has changed its mind, is asked again; after it nothing is decided anew."""
    first = tmp_path / "first"
    with started(first) as store:
        say(store, LEEDS, observed_at=THEN)
    steps, _, _ = _died_at(first, 0)
    ends = [_died_at(first, step)[1:] for step in range(1, steps + 1)]
    assert {tuple(left) for decided, left in ends if decided} == {(YORK,)}
    assert sorted([LEEDS, YORK]) in [left for decided, left in ends if not decided], "a judge that is asked again is seen here"


def _died_at(first: Path, step: int) -> tuple[int, bool, list[str]]:
    """How many steps were passed, whether a decision was on disk then, and what is current after the next start."""
    root = first.with_name(f"died-{step}")
    shutil.copytree(first, root)
    wavering = Wavering({(LEEDS, YORK): CERTAIN})
    with _opened(root, wavering) as store:
        capture_id = send(store, IngestRequest(text=YORK, metadata=CaptureMetadata(observed_at=NOW)))
        with dying_at(step) as passed, contextlib.suppress(Died):
            while not store.ingest.next_part(capture_id):
                pass
        left = left_by(root, root.with_name(f"{root.name}-left"))
    decisions = (f"{capture_id}.plan.json", f"{capture_id}.receipt.json")
    decided = any(path.name in decisions for path in (left / "journal").rglob("*.json"))
    with started(left, judge=wavering) as again:
        finished(again, capture_id)
        return len(passed), decided, current(again)


def _opened(root: Path, scripted: ScriptedJudge) -> Embedded:
    return open_embedded(Settings(data_dir=root, embed_model="none"), model=Model(HashedEmbedder(), judge=scripted))


def test_a_language_model_is_offered_the_likely_ones_only(tmp_path: Path) -> None:
    bought, given = "I bought a ticket for the concert in Ghent.", "I gave the concert ticket to Nora."
    shares = {(LEEDS, YORK): CERTAIN, (TRAM, YORK): LIKELY, (bought, given): LIKELY, (LEEDS, given): HARDLY}
    scripted = ScriptedJudge(shares | ONE_TOPIC)
    offered: list[tuple[str, str]] = []
    read = sentence_by_sentence()

    def said(request: ModelRequest) -> Saying:
        if request.purpose != "supersede":
            return read(request)
        statements = asked(request)["statements"]
        offered.extend((old["statement"], each["statement"]) for each in statements for old in each["older"])
        return json.dumps({"outdated": [{"new": each["new"], "old": old["old"]} for each in statements for old in each["older"]]})

    store = open_modelled(tmp_path, ScriptedModel(said), judge=scripted)
    with store:
        store.start()
        for text, day in ((LEEDS, "02"), (TRAM, "03"), (bought, "04"), (YORK, "05"), (given, "06")):
            say(store, text, observed_at=f"2026-01-{day}T10:00:00Z")
        assert offered == [(TRAM, YORK), (bought, given)]
        assert current(store) == sorted([YORK, given])
        assert pairs(store) == []


def test_without_the_judges_file_ready_says_so_and_the_rules_alone_retire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_judge, "GRAPH", "no-such-judge.onnx")
    settings = Settings(data_dir=tmp_path / "data", embed_model="none")
    with open_embedded(settings, model=load_model(settings)) as store:
        store.start()
        said = store.lattice.readiness()
        assert "judge" in said.parts["judge"]
        assert said.parts["judge"] != "up"
        assert any(each.startswith("judge: ") for each in store.lattice.status().degraded)
        _rules_alone(store)


def test_a_judge_that_is_not_wanted_is_off_and_the_rules_alone_retire(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", embed_model="none", judge="none")
    with open_embedded(settings, model=load_model(settings)) as store:
        store.start()
        assert store.lattice.readiness().parts["judge"] == "off"
        assert not any(each.startswith("judge: ") for each in store.lattice.status().degraded)
        _rules_alone(store)


def _rules_alone(store: Embedded) -> None:
    for text, day in (("I live in Berlin.", "02"), ("I moved from Berlin to Lisbon.", "03"), (YORK, "04")):
        say(store, text, observed_at=f"2026-01-{day}T10:00:00Z")
    assert current(store) == sorted(["I moved from Berlin to Lisbon.", YORK])
    assert (pairs(store), store.judging_behind()) == ([], 0)


def test_a_preferred_older_statement_ends_the_question_too(tmp_path: Path) -> None:
    with moved(tmp_path, LIKELY) as store:
        change(store, PreferAtom(atom_saying(store, "Leeds").atom_id, atom_saying(store, "York").atom_id))
        assert (current(store), pairs(store)) == ([LEEDS], [])
