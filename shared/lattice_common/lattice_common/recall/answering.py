"""From selected atoms to an answer: written by a language model where there is one, else made of the sentences found.

The model's text is shown as it comes and checked at its end. Any failure, also half-way, ends in the extractive answer with a
warning; the last event always carries the whole answer, which replaces what was shown.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Answer, AnswerEvent, Doubt, Final, Found, Selected, Token
from lattice_common.language.names import names_of
from lattice_common.language.text import analyze
from lattice_common.ports.language_model import LanguageModel
from lattice_common.recall.answer_check import cited_in, claims_in, doubts
from lattice_common.recall.document_lines import DocumentLine
from lattice_common.recall.gather import Gathered
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.extractive import Judgements, citation, extractive_answer, subjects, until_then
from lattice_common.recall.synthesize.marks import defang, urls_in
from lattice_common.recall.synthesize.pack import packed
from lattice_common.recall.synthesize.with_model import Failed, Left, NotKnown, Written, written

_NUMBER = re.compile(r"\d[\d.,:]*")


@dataclass(frozen=True, slots=True)
class AnswerWriter:
    """The model that writes answers, if any. `seconds` is the limit for one answer, `context_tokens` what the model can read at
    once; `scrubs`: personal data is redacted before it leaves the machine."""

    model: LanguageModel | None = None
    context_tokens: int = 8192
    seconds: float = 120.0
    scrubs: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """What an answer is made of. `replaced` are the atoms that the chosen ones superseded, by id."""

    question: Question
    chosen: tuple[Selected, ...]
    replaced: Mapping[str, Atom]
    answerable: bool
    trace_id: str
    degraded: tuple[str, ...] = ()
    reformulated_query: str | None = None
    near: Mapping[str, float] = field(default_factory=dict)
    """Cosines of sentences that may be quoted, by their words."""
    silent: frozenset[str] = frozenset()
    """Captures of documents that tell nothing of something that the question names."""
    lines: tuple[DocumentLine, ...] | None = None
    """Lines of documents that may answer, the likeliest first; None where none were read."""
    gathered: Gathered | None = None
    """What was gathered for a question that several statements answer together; None where the atoms were given."""
    judgements: Judgements | None = None


def answering(
    material: Material, writer: AnswerWriter, now: datetime, fence: str, cancel: threading.Event
) -> Iterator[AnswerEvent]:
    """Yield the events of an answer; no `Final` once `cancel` is set. `fence` is a random word that no atom can contain."""
    yield Found(material.chosen, material.answerable, material.reformulated_query)
    model = writer.model
    if model is None or not material.answerable or not material.chosen:
        yield from _extracted(material, now)
        return
    if not model.available():
        yield from _extracted(
            material, now, _fell_back(model, "cannot be asked now (`lattice status` says why)") if model.model_id else ""
        )
        return
    atoms = [selected.atom for selected in material.chosen]
    pack = packed(
        material.question.text,
        atoms,
        material.replaced,
        today=now,
        fence=fence,
        context_tokens=writer.context_tokens,
        outdated_by={each.atom.atom_id: each.outdated_by for each in material.chosen if each.outdated_by},
    )
    if pack is None:
        yield from _extracted(material, now, _fell_back(model, "has no room in its context for a single memory"))
        return
    outcome = yield from written(
        pack,
        model,
        allowed_urls=_owners_urls(pack.atoms),
        context_tokens=writer.context_tokens,
        seconds=writer.seconds,
        cancel=cancel,
    )
    match outcome:
        case Left():
            return
        case NotKnown():
            answer = _extract(material, now, answerable=False)
            yield Final(replace(answer, model=model.model_id, pii_protected=_protected(writer, model)))
        case Failed(why=why):
            yield Final(_warned(_extract(material, now), _fell_back(model, why)))
        case Written():
            judged = _judged(material, outcome, pack.atoms, now)
            if judged is None:
                yield Final(_warned(_extract(material, now), _fell_back(model, "wrote nothing that the memories say")))
                return
            if judged.answer.startswith(outcome.text) and (rest := judged.answer[len(outcome.text) :]):
                yield Token(rest)
            yield Final(replace(judged, model=model.model_id, pii_protected=_protected(writer, model)))


def _extracted(material: Material, now: datetime, warning: str = "") -> Iterator[AnswerEvent]:
    answer = _extract(material, now)
    if warning:
        answer = _warned(answer, warning)
    yield Token(answer.answer)  # all of it is there at once
    yield Final(answer)


def _extract(material: Material, now: datetime, *, answerable: bool | None = None) -> Answer:
    answer = extractive_answer(
        material.question,
        material.chosen,
        material.replaced,
        answerable=material.answerable if answerable is None else answerable,
        trace_id=material.trace_id,
        now=now,
        degraded=material.degraded,
        near=material.near,
        silent=material.silent,
        lines=material.lines,
        gathered=material.gathered,
        judgements=material.judgements,
    )
    return replace(answer, reformulated_query=material.reformulated_query)


def _judged(material: Material, outcome: Written, pack: Sequence[Atom], now: datetime) -> Answer | None:
    """Return the answer with what its sentences are worth; None when none of them is borne out."""
    cited = [pack[n - 1] for n in outcome.cited]
    said = defang(outcome.text, _owners_urls(cited))
    found = doubts(said, cited, material.replaced, outcome.results, now)
    unsupported = {n for doubt in found if doubt.reason != "uncited" for n in cited_in(said[doubt.start : doubt.end])}
    if unsupported and len(found) == claims_in(said):
        return None
    changes, former = _changes(said, cited, material.replaced)
    citations = tuple(citation(n, atom) for n, atom in enumerate((*cited, *former), start=1))
    return Answer(
        answer=said + changes,
        answered=True,
        citations=tuple(replace(each, supported=each.n not in unsupported) for each in citations),
        atoms=material.chosen,
        related_subjects=subjects(material.chosen),
        warnings=(*(f"Searched without all of memory: {missing}" for missing in material.degraded), *_warnings(found)),
        trace_id=material.trace_id,
        doubts=found,
        reformulated_query=material.reformulated_query,
    )


def _changes(text: str, cited: Sequence[Atom], replaced: Mapping[str, Atom]) -> tuple[str, list[Atom]]:
    """Return sentences on what changed, for each cited atom that superseded another which the text does not mention; and those
    others, cited there by the numbers that follow."""
    said = set(analyze(text))
    numbers = {atom.atom_id: n for n, atom in enumerate(cited, start=1)}
    former: list[Atom] = []
    added = ""
    for atom in cited:
        for old in (replaced[old_id] for old_id in atom.supersedes if old_id in replaced):
            if said & _telling(old.content, atom.content):
                continue
            if old.atom_id not in numbers:
                former.append(old)
                numbers[old.atom_id] = len(numbers) + 1
            added += until_then(text, atom, old, numbers[old.atom_id])
    return added, former


def _telling(old: str, new: str) -> set[str]:
    """Return the tokens that show that a text is about `old`: those of its names and numbers that `new` does not have, where
    there are any; else its other words."""
    known = set(analyze(new))
    named = {token for word in (*_NUMBER.findall(old), *(name.word for name in names_of(old))) for token in analyze(word)}
    return named - known or named or set(analyze(old)) - known


def _warnings(found: Sequence[Doubt]) -> tuple[str, ...]:
    unsupported = sum(doubt.reason != "uncited" for doubt in found)
    uncited = len(found) - unsupported
    said = []
    if unsupported:
        said.append(f"{_sentences(unsupported)} not borne out by what is cited.")
    if uncited:
        said.append(f"{_sentences(uncited)} without a source in your memory.")
    return tuple(said)


def _sentences(count: int) -> str:
    return "One sentence of this answer is" if count == 1 else f"{count} sentences of this answer are"


def _owners_urls(atoms: Sequence[Atom]) -> set[str]:
    """Return the URLs in the owner's own words: the only ones that an answer may show as links."""
    return {url for atom in atoms if atom.trust == "user" for url in urls_in(f"{atom.content}\n{atom.source_quote}")}


def _warned(answer: Answer, warning: str) -> Answer:
    return replace(answer, warnings=(*answer.warnings, warning), fell_back=True)


def _fell_back(model: LanguageModel, why: str) -> str:
    return f"The language model {model.model_id} {why}; this answer quotes what was remembered."


def _protected(writer: AnswerWriter, model: LanguageModel) -> bool:
    return writer.scrubs and not model.local
