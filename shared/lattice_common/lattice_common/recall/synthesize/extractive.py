"""An answer of the found sentences themselves, each cited: it needs no language model, and cannot invent anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.document_card import DOCUMENT
from lattice_common.domain.passage import is_passage, passage_of
from lattice_common.domain.recall import Answer, Citation, Selected
from lattice_common.domain.status import holds as holds_true
from lattice_common.language.answer_words import say, with_its_dates
from lattice_common.language.claims.repeated import says_no_more
from lattice_common.language.dates.mentions import in_words, resolve
from lattice_common.language.people.addressed import addressed
from lattice_common.language.questions.answer_type import answer_type, holds, said_when
from lattice_common.language.questions.asked_of_reply import asks_of_a_reply, topic_of
from lattice_common.language.questions.asked_value import asked_value, says_age_of
from lattice_common.language.sentences.wording import with_capital
from lattice_common.language.text import analyze
from lattice_common.recall.answerable import READ, named_in
from lattice_common.recall.document_lines import DocumentLine
from lattice_common.recall.from_passage import about_of, fits, quote_of, words_beside, worth_of
from lattice_common.recall.gather import Gathered
from lattice_common.recall.named_code import names_another
from lattice_common.recall.question import Question
from lattice_common.recall.reading import log_odds_of
from lattice_common.recall.synthesize.changes import HARDLY, day_of_change, known_time, leads_of, newer_beside_older, says
from lattice_common.recall.synthesize.counts import listed
from lattice_common.recall.synthesize.marks import defang
from lattice_common.recall.synthesize.meant import as_meant, is_advice
from lattice_common.recall.synthesize.occurring import leads_of_occurrences
from lattice_common.recall.synthesize.of_parts import of_parts
from lattice_common.recall.synthesize.reckoned import reckoned
from lattice_common.recall.synthesize.remaining import not_of_another
from lattice_common.recall.synthesize.value_asked import value_asked

SENTENCES = 3
SENTENCES_OF_A_LIST = 5
"""Sentences of an answer that can be read at a glance; a list is worth two more."""
CLOSE_TO_BEST, CLOSE_WHEN_READ = 1.5, 1.9
"""How far below the best score a further sentence may be. Scores are logits (bench/fit_weights.py), so 1.5 means at least a fifth
of the best one's chance of answering. Where the judge has read them all, its log-odds are part of the score (`READ_WEIGHT`;
bench/told.py, author D: 75.6 instead of 74.2 % are told what answers, of several lives in one store 33.6 instead of 30.6 %)."""
READ_WEIGHT = 0.2
NOISE = 10
"""The atom at this position answers nothing, in nearly every question of bench/notes: a further sentence must be nearer to the
best score than to its score."""
LOOKED_AT = 3
"""Best results of which a passage may be quoted."""
LEAST_QUOTED, LEAST_OF_CARD = 1.1, 0.9
"""Score below which a sentence of a document answers nothing, and that of the memory which stands for a document. Measured by
bench/passages.py."""
SURELY = 1.4
"""Score from which a sentence of a document answers, whatever the statements around it are worth."""
AS_GOOD = 0.35
"""How much less evidence than the best another fact from documents may have to be told beside it."""
AS_LIKELY = 0.5
"""Of the chance of the line that answers best, from which on something else that was learned is told beside it."""
BETWEEN = " … "
"""What stands between two lines of a passage of which one surely answers."""
AS_SURE = 0.9
"""Chance by the judge from which a statement certainly answers, however few of the question's words it has."""
FAR_BEHIND = 10.0
"""How much less the search may make of what came later: what fills the slot that is asked for stands so far above all else."""
NEAREST = 1
"""Atoms that an "I don't know" names."""

_IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")
_MARKER = re.compile(r"\[(\d{1,3}(?:\s*[,–-]\s*\d{1,3})*)\]")


@dataclass(frozen=True, slots=True)
class Judgements:
    """What the judge made of the best memories. `wholes`, by id: what was said in one go with one that answers only with it, all
    of it in its order; `chances`, by id, that one answers. `of_others`: ids of those that speak of somebody else than the
    question."""

    wholes: Mapping[str, tuple[Atom, ...]] = field(default_factory=dict)
    chances: Mapping[str, float] = field(default_factory=dict)
    of_others: frozenset[str] = frozenset()


def extractive_answer(
    question: Question,
    chosen: Sequence[Selected],
    replaced: Mapping[str, Atom],
    *,
    answerable: bool,
    trace_id: str,
    now: datetime,
    degraded: Sequence[str] = (),
    near: Mapping[str, float] | None = None,
    silent: Set[str] = frozenset(),
    lines: Sequence[DocumentLine] | None = None,
    gathered: Gathered | None = None,
    judgements: Judgements | None = None,
) -> Answer:
    """Return an answer that cites the best atoms. `replaced` holds what they superseded; `near` the cosines of their parts with
    the question; `silent` the captures of documents that answer nothing; `lines` what was read of documents, which then decides;
    `gathered` what several answer together; `judgements` what the judge made of the best. Without an answerable question it says
    so, and names the nearest. Computed results as of `now` come first."""
    warnings = tuple(f"Searched without all of memory: {missing}" for missing in degraded)
    if not chosen:
        return Answer(say(question.text, "nothing"), False, (), (), (), warnings, trace_id)
    near, read, of_a_time = near or {}, judgements or Judgements(), question.period is not None and question.period.only
    quotes: dict[str, str] = {}
    nearest = list(chosen[:NEAREST])
    if lines and not of_a_time:
        told = _read_of_documents(question, lines, answerable=answerable)
        nearest = [lines[0].selected]
        quotes = _quotes_of(lines)
    else:
        about = _about_whom_is_asked(chosen, read)
        told = (
            _told(question, about, near, read.chances, replaced)
            if answerable and about
            else _surely_quoted(question, chosen, near)
        )
        if not of_a_time and any(each.atom.capture_id in silent for each in told):
            told = _from_others(question, told, chosen, near, silent)
    lead, told, unknown = _gathered(question, _all_of_a_reply(question, told, chosen), chosen, gathered, now)
    answerable = bool(told)
    judged = read if answerable else Judgements()
    if not lead:
        best = _as_sure_and_newer(question, told, chosen, judged.chances) or nearest
        about = _about_whom_is_asked(chosen, judged)
        told = newer_beside_older(best, about, judged.chances, of_a_time=answer_type(question.text) == "time")
    is_one = answerable and not lead and not unknown and len(told) == 1 and not is_passage(told[0].atom)
    value = value_asked(question, told[0].atom, replaced) if is_one else None
    if not lead and value is None:  # where it has the value that was asked for, nothing that was said with it is missing
        told = _without_less(_whole(told, chosen, judged.wholes))

    def quote(atom: Atom) -> str:
        return _all_it_says(question, atom) or quotes.get(atom.atom_id) or _best_line(question, atom, near)

    occurring = leads_of_occurrences(question, {each.atom.atom_id: quote(each.atom) for each in told}, now)
    leads = {} if lead else {**leads_of(question.text, told, judged.chances), **occurring}
    lead = lead or _either(question, told, lines or ())
    cited = _cited_by(told, replaced, numbered=bool(lead))
    replaced = _not_told(told, replaced)
    numbers = {atom.atom_id: n for n, atom in enumerate(cited, start=1)}
    sentences = (
        [value.cited(numbers)] if value else [_told_with(question, each, leads, replaced, numbers, quote) for each in told]
    )
    text = _joined(question, sentences) if answerable else say(question.text, "nearest", sentences[0])
    text = f"{lead}{chr(10) if len(told) > 1 else ' '}{text}" if lead else text
    if unknown:
        text += f" {say(question.text, 'unknown', '; '.join(unknown))}"
    return Answer(
        answer=text,
        answered=answerable,
        citations=tuple(_cited(n, atom, quote) for n, atom in enumerate(cited, start=1)),
        atoms=tuple(chosen),
        related_subjects=subjects(chosen),
        warnings=warnings,
        trace_id=trace_id,
    )


def _all_of_a_reply(question: Question, told: list[Selected], chosen: Sequence[Selected]) -> list[Selected]:
    """Return all that was found of an assistant's reply, in its order, where a question of what it said is of no single thing in
    it: "What did it say about the tomatoes?" of "Feed weekly."."""
    if not asks_of_a_reply(question.text):
        return told
    first = told[0].atom if told else None
    if first is None or is_passage(first) or first.trust != "assistant":
        return _reply_to(question, chosen) or told
    if not set(question.tokens).isdisjoint(analyze(first.content)):
        return told
    reply = [each for each in chosen if each.atom.capture_id == first.capture_id and each.atom.trust == "assistant"]
    reply = [each for each in reply if not is_passage(each.atom)][:SENTENCES]
    return sorted(reply, key=lambda each: each.atom.source_span.start)


def _reply_to(question: Question, chosen: Sequence[Selected]) -> list[Selected]:
    """Return the passage of an assistant's reply to what the question is about, by the words that it replied to and its own."""
    topic = topic_of(question.text)
    for each in chosen[:LOOKED_AT]:
        if topic and is_passage(each.atom) and each.atom.trust == "assistant":
            said = frozenset(analyze(" ".join((*about_of(each.atom), each.atom.content))))
            if len(topic & said) > ABOUT_IT * len(topic):
                return [each]
    return []


ABOUT_IT = 0.5
"""Of what a question of a reply is about, what the reply and what it replied to have at least."""


def _best_line(question: Question, atom: Atom, near: Mapping[str, float]) -> str:
    """Return the line of a passage that bears the question out; a memory whole."""
    return quote_of(question, atom, near).words if is_passage(atom) else atom.content


def _all_it_says(question: Question, atom: Atom) -> str | None:
    """Return what is quoted of a reply that is asked for: all that it says, on one line; None of anything else."""
    if not (is_passage(atom) and atom.trust == "assistant" and asks_of_a_reply(question.text)):
        return None
    words = " ".join(atom.content.split())
    return words if len(words) <= LONGEST_REPLY else f"{words[:LONGEST_REPLY].rpartition(' ')[0]} …"


LONGEST_REPLY = 600
"""Characters that are quoted of a reply."""


def _gathered(
    question: Question,
    told: list[Selected],
    chosen: Sequence[Selected],
    gathered: Gathered | None,
    now: datetime,
) -> tuple[str, list[Selected], tuple[str, ...]]:
    """Return what several statements give together: a computed sentence, the statements that are told, and the parts of the
    question without an answer."""
    if gathered is not None and gathered.together.parts and (told or any(part.answerable for part in gathered.parts)):
        by_part = of_parts(gathered, chosen)
        return ("", list(by_part.told), by_part.unknown) if by_part.told else ("", told, ())
    if told and is_passage(told[0].atom):  # a passage holds numbers of many things: only memories are reckoned with
        return "", told, ()
    memories = [each for each in chosen if not is_passage(each.atom)]
    pool = gathered.pool if gathered is not None and gathered.pool else memories
    spanned = gathered.parts if gathered is not None and gathered.together.span is not None else ()
    # What is added or counted names all that is asked for, though none of it alone answers; and a birth says an age.
    gathering = gathered.together.gathering if gathered is not None else None
    alone = asked_value(question.text) == "age" or gathering in ("debt", "left", "total", "count", "first", "latest")
    chances = gathered.chances if gathered is not None else {}
    made = reckoned(question, told, pool, now, spanned, chances) if told or spanned or alone else None
    if made is not None:
        return made.text, list(made.used), ()
    if gathered is not None and (stock := gathered.together.stock) is not None:
        return "", not_of_another(stock, told), ()
    if told and gathered is not None and gathering == "list":
        return "", listed(gathered.together.english, pool, told, question.period, chances), ()
    return "", told, ()


def escape_markers(content: str) -> str:
    """Return content with full-width brackets in place of what looks like a citation ("[3]")."""
    return _MARKER.sub(r"［\1］", content)


def _read_of_documents(question: Question, lines: Sequence[DocumentLine], *, answerable: bool) -> list[Selected]:
    """Return the statement or passage with the line that answers, and what else was learned that may as well, or both of two of
    which one answers; nothing where no line does. What the owner said answers only where the statements around it do."""
    best = lines[0]
    if not best.answers or (not answerable and _is_owners(best.selected.atom)):
        return []
    either = any(each.answers for each in lines[1:])
    further = {
        each.selected.atom.atom_id: each.selected
        for each in lines[1:]
        if (each.answers if either else each.chance >= AS_LIKELY * best.chance and not is_passage(each.selected.atom))
    }
    further.pop(best.selected.atom.atom_id, None)
    told = [best.selected, *(each for each in further.values() if not _is_the_same(each, best.selected, lines))][:SENTENCES]
    return sorted(told, key=lambda selected: selected.atom.observed_at) if question.history else told


def _is_the_same(one: Selected, other: Selected, lines: Sequence[DocumentLine]) -> bool:
    """Return whether two lines say the same, one of them with the number of its item: a memory and the passage that it is of."""
    first, second = (next(line.words for line in lines if line.selected is each) for each in (one, other))
    return _without_number(first) == _without_number(second)


def _without_number(words: str) -> str:
    return _ITEM_NUMBER.sub("", words).strip(" .")


_ITEM_NUMBER = re.compile(r"^\s*(?:[-*•]|\(?[\da-z]{1,3}(?:\.\d{1,2})*[.)]?)\s+(?=[A-ZÀ-Þ])")


def _quotes_of(lines: Sequence[DocumentLine]) -> dict[str, str]:
    """Return by passage what is quoted of it: its likeliest line, or both that are told of it."""
    quotes: dict[str, str] = {}
    for each in lines:
        atom = each.selected.atom
        if is_passage(atom) and (each.answers or atom.atom_id not in quotes):
            quotes[atom.atom_id] = BETWEEN.join(filter(None, (quotes.get(atom.atom_id), each.words)))
    return quotes


def _either(question: Question, told: Sequence[Selected], lines: Sequence[DocumentLine]) -> str:
    """Return what stands before two lines of which one answers, and which is not known; nothing before others."""
    several = len({_without_number(each.words) for each in lines if each.answers}) > 1
    return say(question.text, "either") if several and lines[0].selected in told else ""


def _is_owners(atom: Atom) -> bool:
    return atom.trust in ("user", "assistant") and not is_passage(atom)


def _told(
    question: Question,
    chosen: Sequence[Selected],
    near: Mapping[str, float],
    chances: Mapping[str, float],
    replaced: Mapping[str, Atom],
) -> list[Selected]:
    """Return the best statement and those close to it, with what these may have outdated, in order of time for a question about
    the past. For a question of when: those of them with a date that is about it, perhaps none. For a question about a time: what
    happened in it, in order."""
    if question.period is not None and question.period.only:
        return sorted(chosen[:SENTENCES_OF_A_LIST], key=lambda selected: selected.atom.valid_from or selected.atom.observed_at)
    of_before = question.history or question.held_from is not None
    many = SENTENCES_OF_A_LIST if question.shape == "aggregation" or question.history else SENTENCES
    before = _as_before(chosen) if of_before else {}
    known = {older: newer for older, newer in before.items() if older in chances and newer in chances}
    chances = {**chances, **{older: max(chances[older], chances[newer]) for older, newer in known.items()}}
    worth = _worth(chosen, chances, before)
    best, least = _best(chosen, many, worth, chances)
    told = _of_fact(question, [each for each in best if worth[each.atom.atom_id] >= least], chances)
    newer = {each.atom.atom_id for each in told}
    told += [each for each in chosen if each not in best and each.outdated_by in newer and worth[each.atom.atom_id] >= least]
    if answer_type(question.text) == "time":
        told = [each for each in told if _says_when(question, each.atom, replaced)]
    told = _of_age(question, chosen) or _quoting(question, told, chosen, near)
    return sorted(told, key=lambda selected: selected.atom.observed_at) if question.history else told


def _of_fact(question: Question, told: list[Selected], chances: Mapping[str, float]) -> list[Selected]:
    """Return what is told without what is wished, supposed, quoted, joked or dropped, where something that is so is likelier to
    answer and the question asks for nothing else: who asks where I live does not ask which house was nearly bought."""
    so = max((chances.get(each.atom.atom_id, 0.0) for each in told if holds_true(each.atom.status)), default=0.0)
    if question.statuses or question.history:
        return told
    return [each for each in told if holds_true(each.atom.status) or chances.get(each.atom.atom_id, 0.0) >= so]


def _says_when(question: Question, atom: Atom, replaced: Mapping[str, Atom]) -> bool:
    """Return whether a statement, or one that it replaced and that is told with it, says when: news of another place leaves the
    day as it was."""
    told = [atom, *(replaced[old] for old in atom.supersedes if old in replaced)]
    return any(holds(each, "time", question.text, question.tokens) for each in told)


def _best(
    chosen: Sequence[Selected], many: int, worth: Mapping[str, float], chances: Mapping[str, float]
) -> tuple[Sequence[Selected], float]:
    """Return the statements that are likeliest to answer, and what one must be worth to be told: by their order, and by what the
    judge makes of them where it has read them all."""
    if all(each.atom.atom_id in chances for each in chosen[:READ]):
        best = sorted(chosen[:READ], key=lambda each: -worth[each.atom.atom_id])[:many]
        surest = max(chances[each.atom.atom_id] for each in best)
        likely = [each for each in best if chances[each.atom.atom_id] >= HARDLY * surest]
        return likely, worth[best[0].atom.atom_id] - CLOSE_WHEN_READ
    best = list(chosen[:many])
    highest = max(worth[each.atom.atom_id] for each in best)
    least = highest - CLOSE_TO_BEST
    return best, max(least, (highest + chosen[NOISE - 1].score) / 2) if len(chosen) >= NOISE else least


def _as_sure_and_newer(
    question: Question, told: list[Selected], chosen: Sequence[Selected], chances: Mapping[str, float]
) -> list[Selected]:
    """Return what is told, and what was said since of which the judge is as sure that it answers: "My manager is Priya." is not
    all that is known where "Leon is covering as my manager." came later. What came later does not answer how it was."""
    if question.history or question.period is not None or len(told) != 1 or chances.get(told[0].atom.atom_id, 0.0) < AS_SURE:
        return told
    since = told[0].atom.observed_at
    newer = [
        each
        for each in chosen[:SENTENCES]
        if each is not told[0]
        and each.atom.observed_at > since
        and chances.get(each.atom.atom_id, 0.0) >= AS_SURE
        and each.score > told[0].score - FAR_BEHIND
    ]
    return told + newer


def _of_age(question: Question, chosen: Sequence[Selected]) -> list[Selected]:
    """Return the best statement that says how old somebody is whom the question names; nothing for other questions."""
    if asked_value(question.text) != "age":
        return []
    named = named_in(question)
    return [each for each in chosen[:READ] if any(says_age_of(name, each.atom.content) for name in named)][:1]


def _whole(told: Sequence[Selected], chosen: Sequence[Selected], wholes: Mapping[str, tuple[Atom, ...]]) -> list[Selected]:
    """Return what is told, each with what was said in one go with it where it answers only so."""
    by_id = {each.atom.atom_id: each for each in chosen}
    found: dict[str, Selected] = {}
    for each in told:
        parts = [by_id[part.atom_id] for part in wholes.get(each.atom.atom_id, ()) if part.atom_id in by_id]
        for one in parts or [each]:
            found.setdefault(one.atom.atom_id, one)
    return list(found.values())


def _without_less(told: Sequence[Selected]) -> list[Selected]:
    """Return what is told but for what another says, too: "You like tea." beside "You like tea and toast."."""
    kept: list[Selected] = []
    for place, each in enumerate(told):
        if not any(_says_all_of(other, each) for other in (*kept, *told[place + 1 :])):
            kept.append(each)
    return kept


def _says_all_of(other: Selected, one: Selected) -> bool:
    """Return whether both hold, and the one has no word that the other lacks."""
    if one.outdated_by or other.outdated_by or one.atom.status != other.atom.status:
        return False
    if any(each.atom.is_superseded or is_passage(each.atom) for each in (one, other)):
        return False
    return says_no_more(one.atom.content, other.atom.content)


def _as_before(chosen: Sequence[Selected]) -> dict[str, str]:
    """Return, by the older, which of the chosen may have outdated it: of a time before, it answers in the newer one's place."""
    ids = {each.atom.atom_id for each in chosen}
    return {older: each.atom.atom_id for each in chosen for older in each.atom.may_update if older in ids}


def _worth(chosen: Sequence[Selected], chances: Mapping[str, float], before: Mapping[str, str]) -> dict[str, float]:
    """Return the score of each by id, with what the judge makes of it; one that may have outdated another has at least the
    other's, for it answers in its place, whatever its words. With `before` it is the other way round."""
    odds = dict(zip(chances, log_odds_of(list(chances.values())), strict=True))
    worth = {each.atom.atom_id: each.score + READ_WEIGHT * odds.get(each.atom.atom_id, 0.0) for each in chosen}
    for each in chosen:
        if each.outdated_by in worth:
            worth[each.outdated_by] = max(worth[each.outdated_by], worth[each.atom.atom_id])
    for older, newer in before.items():
        worth[older] = max(worth[older], worth[newer])
    return worth


def _quoting(question: Question, told: list[Selected], chosen: Sequence[Selected], near: Mapping[str, float]) -> list[Selected]:
    """Quote a sentence of a passage alone where it answers better than what was learned from documents; the owner's statements
    come before both. Both together would repeat things, and mix what a document says with what is known."""
    passages = [each for each in chosen[:LOOKED_AT] if is_passage(each.atom)]
    memories = [each for each in told if not is_passage(each.atom)]
    if told and all(each.atom.trust not in ("user", "assistant") for each in (*told, *chosen[:LOOKED_AT])):
        further = [each for each in chosen[:LOOKED_AT] if each not in told and not is_passage(each.atom)]
        memories = [each for each in (*memories, *further) if fits(question, each.atom)]
    if memories and told[0] is memories[0] and memories[0].atom.trust in ("user", "assistant"):
        return memories
    words = words_beside([each.atom for each in chosen])
    beside = {each.atom.atom_id: words[each.atom.capture_id] for each in chosen}
    quotes = [(quote_of(question, each.atom, near, beside[each.atom.atom_id]), each) for each in passages]
    quoted, selected = max(quotes, key=lambda found: found[0].score, default=(None, None))
    worths = {each.atom.atom_id: worth_of(question, each.atom, near, beside[each.atom.atom_id]) for each in memories}
    if not any(each.atom.trust in ("user", "assistant") for each in memories):
        memories.sort(key=lambda each: -worths[each.atom.atom_id])
        memories = [each for each in memories if worths[each.atom.atom_id] >= worths[memories[0].atom.atom_id] - AS_GOOD]
    worth = worths[memories[0].atom.atom_id] if memories else 0.0
    if quoted is None or selected is None or (memories and worth >= quoted.score):
        least = LEAST_OF_CARD if memories and memories[0].atom.kind == DOCUMENT else LEAST_QUOTED
        return memories if not near or worth >= least else []
    return [selected] if quoted.fits and quoted.score >= LEAST_QUOTED else []


def _from_others(
    question: Question, told: Sequence[Selected], chosen: Sequence[Selected], near: Mapping[str, float], silent: Set[str]
) -> list[Selected]:
    """Return what is told without the documents that are silent about something that is asked: another document instead of the
    first. What the owner said is not told in its place: it was less near."""
    if told[0].atom.capture_id not in silent:
        return [each for each in told if each.atom.capture_id not in silent]
    others = [each for each in chosen if each.atom.trust not in ("user", "assistant") and each.atom.capture_id not in silent]
    return _surely_quoted(question, others, near) if others else []


def _surely_quoted(question: Question, chosen: Sequence[Selected], near: Mapping[str, float]) -> list[Selected]:
    """Return the sentence of a document that certainly answers though no statement does: its words and the question's are the
    same."""
    best = chosen[:LOOKED_AT]
    if not near or any(each.atom.trust in ("user", "assistant") for each in best):
        return []
    if names_another(question.text, (each.atom.content for each in chosen)):
        return []
    told = _quoting(question, [each for each in best if not is_passage(each.atom)], chosen, near)
    words = words_beside([each.atom for each in chosen])
    return [each for each in told[:1] if _bears_out(question, each.atom, near, words[each.atom.capture_id]) >= SURELY]


def _bears_out(question: Question, atom: Atom, near: Mapping[str, float], beside: frozenset[str]) -> float:
    return quote_of(question, atom, near, beside).score if is_passage(atom) else worth_of(question, atom, near, beside)


def _cited(n: int, atom: Atom, quote: Callable[[Atom], str]) -> Citation:
    found = citation(n, atom)
    return replace(found, quote=quote(atom)) if is_passage(atom) else found


def _told_with(
    question: Question,
    selected: Selected,
    leads: Mapping[str, str],
    replaced: Mapping[str, Atom],
    numbers: Mapping[str, int],
    quote: Callable[[Atom], str],
) -> str:
    """Return the sentence of a statement with its number, and behind it how it was before, with the numbers of that."""
    atom = selected.atom
    lead, before = leads.get(atom.atom_id, ""), _before(question, atom, replaced, numbers)
    return f"{lead}{_sentence(question, selected, quote)} [{numbers[atom.atom_id]}]{before}"


def _sentence(question: Question, selected: Selected, quote: Callable[[Atom], str]) -> str:
    atom = selected.atom
    if is_passage(atom):
        words = defang(escape_markers(quote(atom)))
        if is_advice(question.text, atom):
            return as_meant(question.text, atom, words)
        named = passage_of(atom)
        return f"{named}: {words}" if named else words
    content = with_capital(_told_to_owner(question.text, atom).rstrip())
    # A date or an earlier question in brackets may come after the sentence's own end.
    if _IN_BRACKETS.sub("", content).rstrip("”")[-1:] not in ".!?…)]":
        content += "."
    if question.shape == "temporal" or question.history:
        content = _dated(question, atom, content)
    if atom.is_superseded and not selected.in_part:
        content = f"{content.rstrip('.')} ({say(question.text, 'no longer')})."
    return with_its_dates(content)


def _cited_by(told: Sequence[Selected], replaced: Mapping[str, Atom], *, numbered: bool) -> list[Atom]:
    """Return what is cited, in its order: each statement that is told, and behind it what it superseded, which is quoted beside
    it; all of the latter come last where a computed sentence has `numbered` what is told."""
    former = {each.atom.atom_id: [replaced[old] for old in each.atom.supersedes if old in replaced] for each in told}
    if numbered:
        cited = [*(each.atom for each in told), *(old for olds in former.values() for old in olds)]
    else:
        cited = [atom for each in told for atom in (each.atom, *former[each.atom.atom_id])]
    return list({atom.atom_id: atom for atom in cited}.values())


def _not_told(told: Sequence[Selected], replaced: Mapping[str, Atom]) -> dict[str, Atom]:
    """Return what was superseded and is not told by itself: once is enough."""
    own = {each.atom.atom_id for each in told}
    return {old: atom for old, atom in replaced.items() if old not in own}


def _about_whom_is_asked(chosen: Sequence[Selected], judgements: Judgements) -> list[Selected]:
    return [each for each in chosen if each.atom.atom_id not in judgements.of_others]


def until_then(words: str, atom: Atom, old: Atom, n: int) -> str:
    """Return a sentence on how it was before `atom` superseded `old`, and until when, which cites `old` by its number; in the
    language of `words`, a question or its answer."""
    return f" ({say(words, 'until', day_of_change(atom, old))}{with_its_dates(_told_to_owner(words, old))}) [{n}]"


def _before(question: Question, atom: Atom, replaced: Mapping[str, Atom], numbers: Mapping[str, int]) -> str:
    return "".join(until_then(question.text, atom, replaced[old], numbers[old]) for old in atom.supersedes if old in replaced)


def _told_to_owner(question: str, atom: Atom) -> str:
    """Return an asserted statement in the second person; others keep their words, after how they were meant."""
    content = shown(atom)
    plain = holds_true(atom.status) and not is_advice(question, atom)
    return addressed(atom, content) if plain else as_meant(question, atom, content)


def shown(atom: Atom) -> str:
    """Return its content on one line, with nothing in it that could be taken for a citation; addresses that its owner did not
    give are defanged."""
    content = escape_markers(" ".join(atom.content.split()))
    return content if atom.trust == "user" else defang(content)


def _dated(question: Question, atom: Atom, content: str) -> str:
    """Prefix the day of the event, or of its telling where that is what was asked about; the month or the year where no day is
    known, and nothing where the content names that time."""
    moment = atom.valid_from or atom.observed_at
    known = known_time(atom, moment)
    if says(content, known) or (not _is_owners(atom) and (atom.valid_from is None or resolve(content, atom.observed_at))):
        return content  # the day on which a paper was read says nothing, and beside its own dates another one misleads
    if atom.valid_from is None and not question.history and not said_when(atom, question.text, question.tokens):
        return content
    led = "said on" if atom.valid_from is None else "on" if known == in_words(moment) else "in"
    return f"{say(question.text, led, known)}{content}"


def _joined(question: Question, sentences: Sequence[str]) -> str:
    as_list = question.shape == "aggregation" or (question.period is not None and question.period.only)
    if as_list and len(sentences) > 1:
        return "\n".join(f"- {sentence}" for sentence in sentences)
    return " ".join(sentences)


def citation(n: int, atom: Atom) -> Citation:
    """Return the citation of an atom under a number: by what was said, or by what its owner wrote in its place."""
    quote = atom.content if atom.edits else atom.source_quote
    return Citation(n, atom.atom_id, quote, atom.source_id, atom.observed_at)


def subjects(chosen: Sequence[Selected]) -> tuple[str, ...]:
    """Return the other subjects of these atoms."""
    return tuple(dict.fromkeys(selected.atom.subject for selected in chosen if selected.atom.subject))[:5]
