"""Recall: from a question to the atoms that answer it, without any language model, and from these to an answer.

One ordered list of stages, each a function of the search so far. Recall never waits for ingest, and a leg that is away makes the
result poorer (`degraded` says so), never an error.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.domain.intent import IntentReading
from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Answer, AnswerEvent, Exchange, Final, Query, Selected, Selection
from lattice_common.domain.score import Weights
from lattice_common.errors import InvalidInput, Unavailable
from lattice_common.language.questions.asked_together import asked_together
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.dense_index import DenseIndex, VectorSpace
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.graph import Graph
from lattice_common.ports.judge import Judge
from lattice_common.ports.lexical_index import LexicalIndex
from lattice_common.ports.reranker import Reranker
from lattice_common.recall.answerable import READ
from lattice_common.recall.answering import AnswerWriter, Material, answering
from lattice_common.recall.atom_view import atoms_by_id
from lattice_common.recall.confidence import confidence
from lattice_common.recall.conversation import Say, self_contained
from lattice_common.recall.currency import doubted_among, newer_first
from lattice_common.recall.diversify import diversify
from lattice_common.recall.document_lines import DocumentLine, Heads, document_lines
from lattice_common.recall.expand import Reach, expand
from lattice_common.recall.gather import Gathered, interleaved, parts_of, pool_of, read_as_list, read_by
from lattice_common.recall.heirs import with_heirs
from lattice_common.recall.intent_model import intended
from lattice_common.recall.introduced import introduced
from lattice_common.recall.judged import OWN, by_judge, of_one_sentence, said_in_one_go
from lattice_common.recall.named_code import names_another
from lattice_common.recall.on_weekday import on_weekday
from lattice_common.recall.partly import LOOKED_AT, with_still_said
from lattice_common.recall.passages import PassageSearch, among, confidence_of, find_passages, heads_of, nearness, silent
from lattice_common.recall.period_rows import at_that_time, with_occurrences
from lattice_common.recall.phrasings import fused, phrasings
from lattice_common.recall.question import Question, Search
from lattice_common.recall.reading import Reading
from lattice_common.recall.rerank import rerank
from lattice_common.recall.score import score
from lattice_common.recall.seed import Legs, Unsearched, seed
from lattice_common.recall.short_calls import ShortCalls
from lattice_common.recall.synthesize.extractive import SENTENCES_OF_A_LIST, Judgements
from lattice_common.recall.timings import Timed, Timings, legs_of
from lattice_common.recall.understand import respelled_query, understand
from lattice_common.recall.weights import weights_for
from lattice_common.recall.who import with_who
from lattice_common.recall.whose import others_last

MAX_LIMIT = 100
PARALLEL_QUESTIONS = 4
"""Threads for the dense leg, which runs beside the lexical one; the target machine has two to four cores."""


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """The settings of recall. `dense_missing` says why there is no dense search although it was asked for; `beside_from` is that
    of `Legs`; `judged`: the judge also reads what is only selected; `rewrite`: for an answer the language model rephrases the
    question."""

    dense_seeds: bool = True
    dense_top_k: int = 20
    seed_min_score: float = 0.0
    bfs_rescore: bool = True
    recommendation_cap: int = 5
    dense_missing: str | None = None
    beside_from: int = 0
    judged: bool = False
    rewrite: bool = False


Stage = Callable[[Search], Search]


class Recall:
    """Safe to call from several threads. Owns a small thread pool for the dense leg."""

    def __init__(
        self,
        catalogue: CatalogueReader,
        lexical: LexicalIndex,
        dense: DenseIndex | None,
        embedder: Embedder | None,
        graph: Graph | None,
        clock: Clock,
        options: RecallOptions,
        weights: Weights,
        writer: AnswerWriter | None = None,
        judge: Judge | None = None,
        *,
        serving: Callable[[], VectorSpace | None] | None = None,
        reranker: Reranker | None = None,
        passages: PassageSearch | None = None,
        timings: Timings | None = None,
        unsearched: Unsearched = tuple,
    ) -> None:
        """`serving` returns the vectors that a search uses, where these may change; otherwise they are `dense` and `embedder`.
        What is `unsearched` is among what a result does without (`degraded`)."""
        fixed = VectorSpace(embedder, dense) if dense is not None and embedder is not None else None
        self._space = (serving or (lambda: fixed)) if options.dense_seeds else (lambda: None)
        pool = ThreadPoolExecutor(PARALLEL_QUESTIONS, thread_name_prefix="recall-dense")
        missing = options.dense_missing if options.dense_seeds else None
        legs = Legs(catalogue, lexical, missing, pool, options.beside_from, unsearched)
        reach = Reach(options.dense_top_k, options.seed_min_score, options.bfs_rescore)
        self._catalogue = catalogue
        self._passages = passages
        self._clock = clock
        self._weights = weights
        self._writer = writer or AnswerWriter()
        self._judge = judge
        self._judges_all = options.judged
        self._short = ShortCalls(self._writer.model)
        self._phrasing = ThreadPoolExecutor(PARALLEL_QUESTIONS, thread_name_prefix="recall-phrasing") if options.rewrite else None
        self.timings = timings or Timings()
        self.stages: tuple[tuple[str, Stage], ...] = (
            ("understand", lambda search: _understand(search, catalogue)),
            ("seed", lambda search: seed(search, legs)),
            ("heirs", lambda search: with_heirs(search, catalogue)),
            ("expand", lambda search: expand(search, graph, reach)),
            ("period", lambda search: at_that_time(with_occurrences(search, catalogue))),
            ("score", lambda search: score(search, weights_for(search, weights))),
            ("rerank", lambda search: search if reranker is None else rerank(search, catalogue, reranker)),
            ("judge", lambda search: by_judge(search, catalogue, weights_for(search, weights))),
            (
                "diversify",
                lambda search: diversify(
                    search, catalogue, weights_for(search, weights), recommendation_cap=options.recommendation_cap
                ),
            ),
            ("currency", lambda search: newer_first(search, catalogue, weights.latest)),
            ("whose", lambda search: others_last(search, catalogue)),
            ("introduced", lambda search: introduced(search, catalogue)),
        )

    def select(self, query: Query) -> Selection:
        """Return the atoms that answer best, best first. Raise `InvalidInput` for a limit outside 1…100."""
        return self._select(respelled_query(query), judged=query.judged or self._judges_all)[0]

    def _select(self, query: Query, *, judged: bool, say: Say | None = None) -> Found:
        """Search a question; with `say` also in other words, where that is wanted: the model is called while the question itself
        is searched."""
        started = time.perf_counter()
        stages: dict[str, float] = {}
        asking = self._phrasing.submit(phrasings, query.text, say, self._clock.new_id()) if self._phrasing and say else None
        search = self.search(query, took=stages, judged=judged)
        weights = weights_for(search, self._weights)
        sure, chosen, degraded = _sure(search, weights), search.chosen, search.degraded
        if asking is not None:
            before = time.perf_counter()
            chosen, otherwise = self._in_other_words(query, chosen, asking.result(), search.reading)
            sure = max(sure, otherwise)
            stages["rewrite"] = (time.perf_counter() - before) * 1000.0
        together = asked_together(query.text)
        gathered = Gathered(together)
        if together.sought:
            before = time.perf_counter()
            parts = parts_of(together, query, self.search, lambda part: _sure(part, weights), weights.floor)
            gathered, chosen = Gathered(together, parts), interleaved(chosen, parts, query.limit)
            if together.parts:  # the ends of a span are no questions with an answer of their own
                sure = max(sure, *(part.sure for part in parts))
            stages["parts"] = (time.perf_counter() - before) * 1000.0
        if self._passages is not None:
            before = time.perf_counter()
            found = find_passages(search, self._passages)
            chosen, degraded = among(search, chosen, found), _with_missing(degraded, found.degraded)
            sure = max(sure, confidence_of(found))
            stages["passages"] = (time.perf_counter() - before) * 1000.0
        there = on_weekday(search, chosen)
        chosen, sure = (chosen, sure) if there is None else (there or chosen, 1.0 if there else 0.0)
        selection = Selection(
            atoms=chosen,
            answerable=bool(chosen) and sure >= weights.floor and not _names_another(query, chosen),
            confidence=sure,
            shape=search.question.shape,
            degraded=degraded,
            trace_id=self._clock.new_id(),
            took_ms=(time.perf_counter() - started) * 1000.0,
            meant=search.question.meant,
        )
        self.timings.question(selection.trace_id, Timed(stages, _counts(search, selection), legs_of(degraded)))
        return selection, search, gathered

    def _in_other_words(
        self, query: Query, chosen: tuple[Selected, ...], texts: Sequence[str], reading: Reading | None
    ) -> tuple[tuple[Selected, ...], float]:
        """Return the results with those of each phrasing; and how certain it is that they answer."""
        if not texts or self._phrasing is None:
            return chosen, 0.0
        found = list(self._phrasing.map(lambda text: self.search(replace(query, text=text)), texts))
        sure = min(_sure(replace(each, reading=reading), weights_for(each, self._weights)) for each in found)
        return fused(chosen, [each.chosen for each in found], query.limit), sure

    def search(
        self, query: Query, until: str | None = None, *, took: dict[str, float] | None = None, judged: bool = False
    ) -> Search:
        """Run the stages, up to and including the one named `until`, if given: measuring and fitting use this. `took` receives
        the milliseconds of each; with `judged` the judge reads the best statements."""
        if not 1 <= query.limit <= MAX_LIMIT:
            raise InvalidInput(f"`limit` is {query.limit}; give a number from 1 to {MAX_LIMIT}.", field="limit")
        columns = self._catalogue.columns()
        question = Question(query, query.text)
        reading = Reading(self._judge) if judged and self._judge is not None else None
        search = Search(question, columns, columns.count, self._clock.now().timestamp(), self._space(), reading=reading)
        for name, stage in self.stages:
            started = time.perf_counter()
            search = stage(search)
            if took is not None:
                took[name] = (time.perf_counter() - started) * 1000.0
            if name == until:
                break
        return search

    def answer(
        self,
        query: Query,
        *,
        atom_ids: Sequence[str] = (),
        history: Sequence[Exchange] = (),
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Return an answer with citations. With `atom_ids`, from these atoms only, in this order. `history` holds the turns
        before the question, oldest first."""
        last: AnswerEvent | None = None
        for event in self.answer_stream(query, atom_ids=atom_ids, history=history, cancel=cancel):
            last = event
        if not isinstance(last, Final):
            raise Unavailable("The answer was cancelled before its end. Ask again.")
        return last.answer

    def answer_stream(
        self,
        query: Query,
        *,
        atom_ids: Sequence[str] = (),
        history: Sequence[Exchange] = (),
        cancel: threading.Event | None = None,
    ) -> Iterator[AnswerEvent]:
        """Yield `answer` as it is written; it ends early, and the model's call with it, within two seconds of `cancel` being
        set."""
        cancel, query = cancel or threading.Event(), respelled_query(query)
        say = partial(self._short.say, cancel=cancel)
        understood = self_contained(query.text, history, say, self._clock.new_id()) if history else None
        asked = replace(query, text=understood) if understood else query
        material = replace(self._material(asked, atom_ids, say), reformulated_query=understood)
        now = query.as_of or self._clock.now()
        yield from answering(material, self._writer, now, self._clock.new_id(), cancel)

    def intent(self, text: str) -> IntentReading:
        """Return whether words tell, ask or want something done."""
        return intended(text, self._short.say, self._clock.new_id(), self._judge)

    def _material(self, query: Query, atom_ids: Sequence[str], say: Say) -> Material:
        question = self.search(query, until="understand").question
        if atom_ids:
            store = self._passages.store if self._passages is not None else None
            known = atoms_by_id(list(atom_ids)[:MAX_LIMIT], self._catalogue, store)
            given = doubted_among([Selected(atom, 0.0) for atom in known])
            return Material(question, given, self._replaced(given, query), bool(given), self._clock.new_id())
        found = self._select(query, judged=True, say=say)
        material = self._made_of(query, question, found)
        answers = material.answerable or any(line.answers for line in material.lines or ())
        if answers or query.include_superseded or not len(found[1].retired):
            return material
        # What no longer holds may answer where nothing else does; each answer says so.
        query = replace(query, include_superseded=True)
        found = self._select(query, judged=True)
        if found[0].answerable and any(each.atom.is_superseded for each in found[0].atoms[:LOOKED_AT]):
            return self._made_of(query, replace(question, query=query), found)
        return material

    def _made_of(self, query: Query, question: Question, found: Found) -> Material:
        """Return what an answer is made of by what was found."""
        selection, search, gathered = found
        if (period := search.question.period) is not None and period.only:
            question = replace(question, period=period)  # of one that an event names, only the memory of the event knows
        if search.reading is not None and gathered.together.parts:
            gathered = read_by(search.reading, gathered, selection.atoms, query.text)
        if gathered.together.gathering is not None:
            # What was paid or done before was: a list tells what is still so.
            before = replace(query, text=gathered.together.widened(query.text), include_superseded=True)
            wide = search if gathered.together.gathering == "list" else self.search(before)
            gathered = replace(gathered, pool=pool_of(wide, self._catalogue, weights_for(search, self._weights)))
            if search.reading is not None and gathered.together.gathering not in ("debt", "left", "total"):
                gathered = read_as_list(search.reading, gathered)
        wholes = _wholes(search, selection.atoms, self._catalogue)
        chosen = _with_parts(selection.atoms, wholes)
        chosen, still = with_still_said(search, chosen, self._catalogue)
        replaced = {old: atom for old, atom in self._replaced(chosen, query).items() if old not in still}
        heads = heads_of(selection.atoms, self._passages) if self._passages is not None else {}
        without = silent(search, selection.atoms, heads)
        return Material(
            question,
            chosen,
            replaced,
            selection.answerable or bool(still),
            selection.trace_id,
            selection.degraded,
            near=nearness(search, selection.atoms),
            silent=without,
            lines=None if still else self._lines(search, selection, without, heads),
            gathered=gathered,
            judgements=Judgements(wholes, _chances(search, chosen, search.introducing | still), search.of_others),
        )

    def _lines(self, search: Search, selection: Selection, silent: Set[str], heads: Heads) -> tuple[DocumentLine, ...] | None:
        """Return what the found documents say; None where the owner's own words answer, and where nothing reads documents."""
        first = selection.atoms[0].atom if selection.atoms else None
        told = first is not None and first.trust in ("user", "assistant") and not is_passage(first)
        if first is None or (told and selection.answerable) or _names_another(search.question.query, selection.atoms):
            return None
        return document_lines(search, selection.atoms, silent, self._weights.documents, heads)

    def _replaced(self, chosen: Sequence[Selected], query: Query) -> dict[str, Atom]:
        """Return what the chosen atoms superseded, by id."""
        ids = [old for selected in chosen for old in selected.atom.supersedes]
        replaced = self._catalogue.get(ids) if ids else []
        return {atom.atom_id: atom for atom in replaced if query.include_archived or not atom.archived}


Found: TypeAlias = tuple[Selection, Search, Gathered]


def _understand(search: Search, catalogue: CatalogueReader) -> Search:
    moment = datetime.fromtimestamp(search.now, tz=UTC)
    question = understand(search.question.query, search.columns, moment)
    return replace(search, question=with_who(question, catalogue.register(), search.columns, search.now))


ANSWERS_ALONE = 0.5
"""Chance by the judge from which news answers without the rest of its sentence, unless that answers more surely."""


def _wholes(search: Search, chosen: Sequence[Selected], catalogue: CatalogueReader) -> dict[str, tuple[Atom, ...]]:
    """Return what was said in one go with each of the best that answers only with it, by id; and with what replaced something and
    does not answer itself, or less surely, the rest of its sentence: "Mrs Kaur has left and Mr Bell takes the class"."""
    reading, text = search.reading, search.question.text
    if reading is None:
        return {}
    best = {each.atom.atom_id: each.atom for each in chosen[:SENTENCES_OF_A_LIST] if each.atom.atom_id in search.columns.row_of}
    rows = np.array([search.columns.row_of[atom_id] for atom_id in best], dtype=np.int64)
    beside = said_in_one_go(rows[rows < search.count], search, best, catalogue)
    reading.said_within({best[each].content: tuple(part.content for part in parts) for each, parts in beside.items()})
    wholes = {each: parts for each, parts in beside.items() if reading.needs_whole(text, best[each].content)}
    if search.question.history or search.question.held_from is not None:
        return wholes
    for each, parts in beside.items():
        if each in wholes or not (best[each].supersedes or best[each].may_update):
            continue
        sentence = of_one_sentence(best[each], parts)
        own, *all_of_it = reading.alone(text, [best[each].content, *(part.content for part in sentence)])  # read already
        if own < max(ANSWERS_ALONE, *all_of_it):
            wholes[each] = sentence
    return wholes


def _chances(search: Search, chosen: Sequence[Selected], certain: frozenset[str]) -> dict[str, float]:
    """Return what the judge makes of the best memories that the owner told, by id, 1 of those that are `certain` to answer; not
    of talk, which it has not learned."""
    about = [each.atom for each in chosen if each.atom.atom_id not in search.of_others][:READ]
    best = [atom for atom in about if atom.trust in OWN and atom.speaker is None and not is_passage(atom)]
    if search.reading is None or not best:
        return {}
    read = search.reading.answers(search.question.text, [atom.content for atom in best])
    chances = {atom.atom_id: chance for atom, chance in zip(best, read, strict=True)}
    return chances | dict.fromkeys(certain & chances.keys(), 1.0)


def _with_parts(chosen: tuple[Selected, ...], wholes: Mapping[str, tuple[Atom, ...]]) -> tuple[Selected, ...]:
    """Return what was chosen, and the parts that it answers with."""
    known = {each.atom.atom_id: each for each in chosen}
    for atom_id, parts in wholes.items():
        for part in parts:
            known.setdefault(part.atom_id, Selected(part, known[atom_id].score))
    return tuple(known.values())


def _sure(search: Search, weights: Weights) -> float:
    """Return how certain it is that the results answer the question. A question only for a time is answered by whatever happened
    then, and by nothing else; one who somebody is, by what says so."""
    if search.introducing:
        return max(confidence(search, weights), weights.floor)
    period = search.question.period
    if period is None or not period.only:
        return confidence(search, weights)
    return max(confidence(replace(search, reading=None), weights), weights.floor) if search.dated else 0.0


def _names_another(query: Query, chosen: Sequence[Selected]) -> bool:
    return names_another(query.text, (each.atom.content for each in chosen))


def _counts(search: Search, selection: Selection) -> dict[str, int]:
    """Return how many a question looked at, by what they were found by, and how many it found."""
    candidates = search.candidates
    return {
        "candidates": len(candidates),
        "by_words": int(np.count_nonzero(candidates.text)),
        "by_meaning": int(np.count_nonzero(np.isfinite(candidates.cosine))),
        "by_graph": int(np.count_nonzero((candidates.reached > 0.0) & (candidates.reached < 1.0))),
        "found": len(selection.atoms),
    }


def _with_missing(known: tuple[str, ...], further: tuple[str, ...]) -> tuple[str, ...]:
    """Return both lists of missing legs as one: a leg that memories had to go without is not named again for passages."""
    legs = {each.partition(":")[0] for each in known}
    return (*known, *(each for each in further if each.partition(":")[0] not in legs))
