"""What each module of hand-written rules still brings beside the judge, on held-out (dev) data: `python -m bench.ablation`.

Each row leaves one module out and counts what becomes worse and what better. All goes through the product's own functions,
but for the stores: what is known is a dictionary, and each piece of news meets its whole life.

    --only lives,pairs,status,intent,kinds,texts,recall   some of the tables
    --lives N                                             every which life (4: each fourth)
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from lattice_common import logs
from lattice_common.composition import Model, open_embedded
from lattice_common.composition.models import load_model
from lattice_common.domain.atom import Atom
from lattice_common.domain.judgement import STATUSES as PRODUCT_STATUSES
from lattice_common.domain.judgement import Relatedness, Status, UtteranceReading
from lattice_common.domain.recall import Query
from lattice_common.domain.status import holds
from lattice_common.ingest.extract import status as status_stage
from lattice_common.ingest.reconcile import Thresholds, reconcile
from lattice_common.ingest.reconcile.judging import MOST_JUDGED, Boundaries, Judging
from lattice_common.language.facts.kinds import classify
from lattice_common.language.people.coreference import Resolved
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.judge import Judge
from lattice_common.recall.intent_model import intended
from lattice_common.settings import Settings

from bench import texts as text_bench
from bench.status import NAMES
from bench.understanding import NO_LLM, say
from train.corpus import INTENTS, KINDS, RELATIONS, STATUSES, lives, memories, pairs, utterances

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "pipeline"))
from tests.pipeline.known_atoms import KnownAtoms, statement
from tests.pipeline.labelled_pairs import fresh_pairs, life_pairs

BEFORE = datetime(2025, 3, 1, 9, tzinfo=UTC)
LATER = datetime(2025, 6, 1, 9, tzinfo=UTC)
TABLES = ("rules", "labelled", "lives", "pairs", "status", "intent", "kinds", "texts", "recall")
NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Left:
    """One module left out: (module, name, what stands there instead) for each place that calls it."""

    name: str
    places: tuple[tuple[str, str, Any], ...] = ()

    def out(self) -> ExitStack:
        """Leave it out for the duration of a `with`; what was cached of it is forgotten before and after."""
        stack = ExitStack()
        stack.callback(_forget_cached)
        for module, name, instead in self.places:
            stack.enter_context(patch.object(import_module(f"lattice_common.{module}"), name, instead))
        _forget_cached()
        return stack


def _forget_cached() -> None:
    import_module("lattice_common.language.slots.of_atom").claims_of.cache_clear()


@dataclass
class Remembering:
    """A judge that is asked about each text and pair once, however many rows ask."""

    judge: Judge
    pairs: dict[tuple[str, str], Relatedness] = field(default_factory=dict)
    texts: dict[str, UtteranceReading] = field(default_factory=dict)

    @property
    def model_id(self) -> str:
        return self.judge.model_id

    @property
    def boundaries(self) -> Mapping[str, float]:
        return self.judge.boundaries

    def relations(self, asked: Sequence[tuple[str, str]]) -> list[Relatedness]:
        new = [pair for pair in dict.fromkeys(asked) if pair not in self.pairs]
        self.pairs.update(zip(new, self.judge.relations(new) if new else (), strict=True))
        return [self.pairs[pair] for pair in asked]

    def utterances(self, asked: Sequence[str]) -> list[UtteranceReading]:
        new = [text for text in dict.fromkeys(asked) if text not in self.texts]
        self.texts.update(zip(new, self.judge.utterances(new) if new else (), strict=True))
        return [self.texts[text] for text in asked]

    def meant(self, parts: Sequence[tuple[str, str]]) -> list[UtteranceReading]:
        return self.judge.meant(parts)

    def ends(self, found: Sequence[Relatedness], alike: Sequence[float], *, whole: bool = True) -> list[float]:
        return self.judge.ends(found, alike, whole=whole)

    def seeks(self, vector: Vectors, embedder: str) -> tuple[Vectors, float]:
        return self.judge.seeks(vector, embedder)

    def answers(self, question: str, statements: Sequence[str]) -> list[float]:
        return self.judge.answers(question, statements)


# Supersession: what is known, and one piece of news.


@dataclass(frozen=True, slots=True)
class Meeting:
    """What is known, one newer statement, and the relation that it has to each (an index of RELATIONS)."""

    known: tuple[str, ...]
    news: str
    labels: tuple[int, ...]


def _life_meetings(every: int) -> list[Meeting]:
    return [
        Meeting(life.statements, news.text, tuple(news.label(place) for place in range(len(life.statements))))
        for life in lives("dev")[::every]
        for news in life.news
    ]


def _pair_meetings() -> list[Meeting]:
    return [Meeting((pair.old,), pair.new, (pair.label,)) for pair in pairs("dev")]


def _labelled_meetings() -> list[Meeting]:
    """Pairs of the tests that no rule was made for: plain ones, without dates, speakers and other sources."""
    label = {"retire": RELATIONS.index("updates"), "duplicate": RELATIONS.index("same")}
    return [
        Meeting((old,), new, (label.get(expected, RELATIONS.index("adds")),))
        for expected, old, new, options in (*fresh_pairs(), *life_pairs())
        if not options
    ]


_SLOT_FAMILIES = {
    "slots/people": "person_claims",
    "slots/habits": "habit_claims",
    "slots/things": "thing_claims",
    "slots/keepers": "keeper_claims",
}
_RECONCILE = "ingest.reconcile.reconcile"
_JUDGING = "ingest.reconcile.judging"
SUPERSESSION = (
    Left("nothing"),
    Left("slots, all", ((_RECONCILE, "sought_keys", lambda _: ()), (_RECONCILE, "slot_keys", lambda _: ()))),
    *(Left(name, (("language.slots.of_atom", function, lambda *_: []),)) for name, function in _SLOT_FAMILIES.items()),
    Left("slots/contacts", (("language.slots.people", "contact_claims", lambda *_: []),)),
    Left("slots/appointments", (("language.slots.things", "points", lambda *_: {}),)),
    Left("claims/passing", ((_JUDGING, "is_passing", lambda _: False), (_JUDGING, "comes_back", lambda _: False))),
    Left("claims/correction", ((_JUDGING, "corrects", lambda *_: False), (_RECONCILE, "corrects", lambda *_: False))),
    Left("claims/sameness", ((_RECONCILE, "same_meaning", lambda *_: True),)),
    Left("facts/status_rules", (("ingest.extract.status", "RULES", ()),)),
)


def _supersession(name: str, meetings: Sequence[Meeting], model: Model, judge: Judge) -> None:
    print(f"\n{name}: {len(meetings)} newer statements, {sum(len(each.known) for each in meetings)} pairs")
    print(
        f"  {'left out':<20} {'settled':>8} {'asked':>7} {'missed':>7} {'wrongly retired':>16} {'asked':>6} {'same found':>11}"
        f" {'dropped wrongly':>16}"
    )
    texts = list(dict.fromkeys(text for each in meetings for text in (*each.known, each.news)))
    assert model.embedder is not None
    vectors = dict(zip(texts, model.embedder.embed(texts), strict=True))
    for left in SUPERSESSION:
        with left.out():
            _row(left.name, Counter[str](), meetings, vectors, judge, model.embedder.model_id)
    _row("the judge", Counter[str](), meetings, vectors, None, model.embedder.model_id)


def _row(
    name: str,
    counts: Counter[str],
    meetings: Sequence[Meeting],
    vectors: Mapping[str, Vectors],
    judge: Judge | None,
    embedder: str,
) -> None:
    for each in meetings:
        counts.update(_outcome(each, vectors, judge, embedder))
    ending, same, told = max(counts["ending"], 1), max(counts["is same"], 1), len(meetings)
    print(
        f"  {name:<20} {counts['settled'] / ending:>8.1%} {counts['asked'] / ending:>7.1%} {counts['missed'] / ending:>7.1%}"
        f" {counts['retired wrongly']:>7} = {counts['retired wrongly'] / told:>6.2%} {counts['asked wrongly']:>6}"
        f" {counts['same found'] / same:>11.1%} {counts['dropped wrongly']:>16}",
        flush=True,
    )


def _rules_alone(meetings: Sequence[Meeting]) -> None:
    print(f"\nby rules alone: {len(meetings)} newer statements, no judge, no vectors")
    for left in SUPERSESSION[:-4]:
        counts = Counter[str]()
        with left.out():
            for each in meetings:
                counts.update(_outcome(each, {}, None, ""))
        print(
            f"  {left.name:<20} settled {counts['settled']} of {counts['ending']}, news that retired wrongly"
            f" {counts['retired wrongly']}, said again {counts['same found']}, dropped wrongly {counts['dropped wrongly']}",
            flush=True,
        )


def _outcome(meeting: Meeting, vectors: Mapping[str, Vectors], judge: Judge | None, embedder: str) -> Iterator[str]:
    known = KnownAtoms()
    atoms = [
        replace(statement(text, BEFORE + timedelta(minutes=n), capture=n + 1), seq=n + 1) for n, text in enumerate(meeting.known)
    ]
    known.atoms = {atom.atom_id: atom for atom in atoms}
    status = status_stage.status_of_text(meeting.news, judge)
    new = statement(meeting.news, LATER, capture=len(atoms) + 1, status=status)
    own = {atom.atom_id: vectors[text] for atom, text in zip(atoms, meeting.known, strict=True) if text in vectors}
    news = {new.atom_id: vectors[meeting.news]} if meeting.news in vectors else {}
    decided = reconcile(
        [new], news, known, lambda ids: {each: own[each] for each in ids if each in own},
        Thresholds(), judging=None if judge is None else _judging(judge, atoms, own, embedder),
    )  # fmt: skip
    retired = {change.atom_id for change in decided.changes if change.after.get("is_superseded")}
    asked = {each.target for atom in decided.atoms for each in atom.relations if each.type == "may_update"}
    labels = dict(zip((atom.atom_id for atom in atoms), (RELATIONS[label] for label in meeting.labels), strict=True))
    for atom_id, label in labels.items():
        if label == "updates":
            yield "ending"
            yield "settled" if atom_id in retired else "asked" if atom_id in asked else "missed"
        if label == "same":
            yield "is same"
    may_end = {atom_id for atom_id, label in labels.items() if label in ("updates", "same")}
    if retired - may_end:
        yield "retired wrongly"
    if asked - may_end:
        yield "asked wrongly"
    for duplicate in decided.duplicates:
        yield "same found" if labels[duplicate.of] == "same" else "dropped wrongly"


def _judging(judge: Judge, atoms: Sequence[Atom], own: Mapping[str, Vectors], embedder: str) -> Judging:
    """What the search would find: the statements of this life by the better of their two cosines."""
    cosines: dict[frozenset[str], float] = {}

    def near(atom: Atom, vector: Vectors | None) -> list[str]:
        assert vector is not None
        sought, least = judge.seeks(vector, embedder)
        best = {each.atom_id: max(float(own[each.atom_id] @ sought), float(own[each.atom_id] @ vector)) for each in atoms}
        cosines.update({frozenset((atom.atom_id, other)): cosine for other, cosine in best.items()})
        return [other for other in sorted(best, key=lambda each: -best[each]) if best[other] >= least][:MOST_JUDGED]

    known = judge.boundaries
    boundaries = Boundaries(known["certain"], known["likely"], known["perhaps"], known["refuted"])
    return Judging(judge, boundaries, near, lambda one, other: cosines.get(frozenset((one.atom_id, other.atom_id)), 0.0))


# Status, intent and kind of an utterance.


def _status(judge: Judge) -> None:
    told = [(each.text, _named(STATUSES[each.status])) for each in utterances("dev") if each.status >= 0]
    rules = status_stage.RULES
    print(f"\nstatus: {len(told)} utterances; of each rule what it decides, and of these right with it and without it")
    whole = {text: status_stage.status_of_text(text, judge) for text, _ in told}
    _status_row("nothing", told, whole)
    with patch.object(status_stage, "RULES", ()):
        _status_row("status_rules", told, {text: status_stage.status_of_text(text, judge) for text, _ in told})
    _status_row("the judge", told, {text: status_stage.status_of_text(text, None) for text, _ in told})
    for rule in rules:
        fires = [(text, right) for text, right in told if rule.pattern.search(" ".join(text.lower().replace("’", "'").split()))]
        with patch.object(status_stage, "RULES", tuple(each for each in rules if each is not rule)):
            without = {text: status_stage.status_of_text(text, judge) for text, _ in fires}
        with_it, by_judge = (sum(found[text] == right for text, right in fires) for found in (whole, without))
        verdict = "-" if not fires else "=" if with_it == by_judge else f"{with_it - by_judge:+}"
        print(
            f"  {rule.status:<10} fires {len(fires):>3}  right {with_it:>3}  without {by_judge:>3}  {verdict:>4}"
            f"  {rule.example[:70]}"
        )


def _named(name: str) -> Status:
    named = NAMES.get(name, name)
    return next(each for each in PRODUCT_STATUSES if each == named)


def _status_row(name: str, told: Sequence[tuple[str, Status]], found: Mapping[str, Status]) -> None:
    exact = sum(found[text] == right for text, right in told)
    untrue = [text for text, right in told if not holds(right)]
    stated = sum(holds(found[text]) for text in untrue)
    true = [text for text, right in told if holds(right)]
    kept = sum(holds(found[text]) for text in true)
    print(
        f"  {name:<14} exact {exact / len(told):.1%}, not so but stated {stated} of {len(untrue)},"
        f" so and kept {kept} of {len(true)}"
    )


_INTENT = "language.intents.intent"
INTENT_RULES = (
    Left("nothing"),
    Left("commands", ((_INTENT, "order_in", lambda _: None),)),
    Left("to keep", ((_INTENT, "_TO_KEEP", NEVER),)),
    Left("question marks", ((_INTENT, "_QUESTION_MARKS", ()),)),
    Left("all that is certain", (("recall.intent_model", "certain_intent", lambda _: None),)),
)


def _intent(judge: Judge) -> None:
    said = [(each.text, INTENTS[each.intent]) for each in utterances("dev")]
    print(f"\nintent: {len(said)} utterances")
    for left in INTENT_RULES:
        with left.out():
            _intent_row(left.name, said, judge)
    _intent_row("the judge", said, None)


def _intent_row(name: str, said: Sequence[tuple[str, str]], judge: Judge | None) -> None:
    found = [(right, intended(text, lambda _: None, "fence", judge).intent) for text, right in said]
    right = sum(one == other for one, other in found)
    lost = sum(one == "tell" != other for one, other in found)
    print(f"  {name:<20} right {right / len(found):.1%}, told and not kept {lost}")


def _kinds(judge: Judge) -> None:
    told = [(each.text, KINDS[each.kind]) for each in utterances("dev") if each.kind >= 0]
    by_rules = [_kind_by_rules(text) for text, _ in told]
    shares = [reading.kind for reading in judge.utterances([text for text, _ in told])]
    by_judge = [max(share, key=lambda name: share[name]) for share in shares]
    both = [judged if ruled == "fact" else ruled for ruled, judged in zip(by_rules, by_judge, strict=True)]
    print(f"\nkinds: {len(told)} utterances; right by rules, by the judge, and by rules where they say anything but `fact`")
    for kind in (None, *KINDS):
        chosen = [n for n, (_, right) in enumerate(told) if kind in (None, right)]
        most = max(len(chosen), 1)
        right = [sum(found[n] == told[n][1] for n in chosen) / most for found in (by_rules, by_judge, both)]
        print(f"  {kind or 'all':<15} {len(chosen):>4}  rules {right[0]:>6.1%}  judge {right[1]:>6.1%}  both {right[2]:>6.1%}")
    for kind in sorted(set(by_rules)):
        said = [n for n, found in enumerate(by_rules) if found == kind]
        right = [sum(found[n] == told[n][1] for n in said) for found in (by_rules, by_judge)]
        print(f"  where rules say {kind:<15} {len(said):>4}  rules {right[0]:>3}  judge {right[1]:>3}")


def _kind_by_rules(text: str) -> str:
    return classify(
        text, question=False, trust="user", dated=False, entities=0, reply=False, conversation=False, unit="prose"
    ).kind


# Texts, and questions.

_RULES = "ingest.extract.rules"
EXTRACTION = (
    Left("nothing"),
    Left("sentences/singles", ((_RULES, "singled", lambda *given: list(given[2])),)),
    Left(
        "people/coreference",
        (
            (_RULES, "with_names", lambda *given: given[3]),
            ("language.sentences.pronouns", "resolve_pronouns", lambda *given: Resolved(given[0])),
        ),
    ),
    Left("facts/recommendations", ((_RULES, "recommends", lambda *_: True),)),
    Left("letters/trimmed", ((_RULES, "trimmed", lambda *given: given[2]),)),
)


def _texts() -> None:
    rows = text_bench.parts(text_bench.DATA)["held out"]
    print(f"\ntexts: {len(rows)}, held out of those that the rules were tuned on")
    for left in EXTRACTION:
        with left.out():
            counts = text_bench.measure(rows).counts
        gold = max(counts["gold"], 1)
        print(
            f"  {left.name:<22} atoms {counts['atoms']:>4}, found {counts['found'] / gold:.1%},"
            f" by themselves {counts['own'] / gold:.1%}, invented {counts['invented']},"
            f" no facts but stated {counts['stated']} of {counts['not facts']}"
        )


_UNDERSTAND = "recall.understand"
RECALL = (
    Left("nothing"),
    Left("questions/asked_period", ((_UNDERSTAND, "asked_period", lambda *_: None),)),
    Left("recall/anchor", ((_UNDERSTAND, "anchor_in", lambda *_, **__: None),)),
    Left("questions/asked_slot", ((_UNDERSTAND, "asked_slots", lambda _: ()),)),
    Left("questions/asked_status", ((_UNDERSTAND, "asked_statuses", lambda _: ()),)),
    Left("people (who is who)", (("recall.pipeline", "with_who", lambda question, *_: question),)),
    Left("glosses", ((_UNDERSTAND, "english_gloss", lambda _: None),)),
)


def _recall(model: Model) -> None:
    first, three, asked = Counter[str](), Counter[str](), 0
    for memory in memories("dev"):
        with TemporaryDirectory() as folder, open_embedded(Settings(data_dir=Path(folder), **NO_LLM), model=model) as product:
            product.start()
            ids = {name: say(product, text, f"{date}T09:00:00Z") for name, (date, text) in memory.statements.items()}
            for question, gold, _, _ in memory.questions:
                right = {atom_id for name in gold for atom_id in ids.get(name, ())}
                asked += 1
                for left in RECALL:
                    with left.out():
                        found = [each.atom.atom_id for each in product.lattice.select(Query(question, limit=3)).atoms]
                    first[left.name] += bool(right.intersection(found[:1]))
                    three[left.name] += bool(right.intersection(found))
    print(f"\nrecall: {asked} questions to {len(memories('dev'))} memories")
    for left in RECALL:
        print(f"  {left.name:<24} first {first[left.name] / asked:.1%}, among three {three[left.name] / asked:.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(TABLES))
    parser.add_argument("--lives", type=int, default=1)
    given = parser.parse_args()
    logs.configure("error", json=None)
    model = load_model(Settings())
    if model.judge is None or model.embedder is None:
        sys.exit(f"Nothing to compare the rules with: {model.judge_missing or model.missing}")
    judge = Remembering(model.judge)
    tables: dict[str, Callable[[], None]] = {
        "status": lambda: _status(judge),
        "intent": lambda: _intent(judge),
        "kinds": lambda: _kinds(judge),
        "pairs": lambda: _supersession("pairs", _pair_meetings(), model, judge),
        "texts": _texts,
        "labelled": lambda: _supersession("fresh and life", _labelled_meetings(), model, judge),
        "rules": lambda: _rules_alone([*_labelled_meetings(), *_pair_meetings(), *_life_meetings(given.lives)]),
        "lives": lambda: _supersession("lives", _life_meetings(given.lives), model, judge),
        "recall": lambda: _recall(model),
    }
    for name, print_table in tables.items():
        if name in given.only.split(","):
            begun = time.process_time()
            print_table()
            print(f"  {time.process_time() - begun:.0f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
