"""Whether each sentence of an answer is supported by the memories that it cites. By rules, whoever wrote it.

Checked are numbers (also written out, and the tools' results from the memories' own numbers and dates), names, dates (as seen
from today: "two weeks ago"), who did it, negation, that the sentence is about the same thing at all, and that no word replaces
another. Sentences without a citation are doubted as well. Linear in the answer for each memory cited; never raises.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cached_property

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.recall import Doubt, DoubtReason
from lattice_common.language.claims.answers import DEICTIC, ENDED, SAID, YES_OR_NO
from lattice_common.language.claims.exchanged import exchanged
from lattice_common.language.claims.names import another_doer, strangers, unknown_name, unknown_person
from lattice_common.language.claims.negation import contradiction
from lattice_common.language.claims.numbers import MAY_HOLD_A_NUMBER, numbers
from lattice_common.language.claims.paraphrase import no_longer, other_bound, other_measure, without_the_same
from lattice_common.language.dates.mentions import DateMention, resolve
from lattice_common.language.places.exonyms import also_called
from lattice_common.language.sentences.split import sentences
from lattice_common.language.vocabulary import vocabulary
from lattice_common.recall.tools import ToolResult, date_diff

MOST_CITED = 12
"""Memories of one sentence that are checked: a sentence with more citations was not made from them."""
MOST_DATES = 12
"""Dates between which spans are counted."""

_LAST_DAY = datetime(9999, 12, 31)  # noqa: DTZ001 - compared with local times without an offset

Days = tuple[datetime, datetime]
"""`[from, to)`, local times without an offset: a day is the same day in every zone it was told in."""

_CITED = re.compile(r"[ \t]*\[(\d{1,3})\]")
_LEADING = re.compile(r"[\s)\"”’.*_]*(?:\[\d{1,3}\][\s.)]*)+")
_WORD = re.compile(r"[^\W\d_]{2,}|\d")
_YEAR = re.compile(r"\d{4}")
_SPAN_OF_TIME = re.compile(r"([\w.]+)[ -](day|week|month|year)s?\b", re.IGNORECASE)


_LETTERS = re.compile(r"[^\W\d_]+")
_NOT_ENGLISH = vocabulary(
    """der das und ist sind du dein deine deinen dir dich ihr nicht hast bist wohnst wohnt ein eine einen einem im mit für
    seit auf bei von zu ja nein le les des est sont une ton votre vous dans avec pour tu el los las una tus en con para eres
    vives su sus il lo gli sono hai nel della tuo tua ta tes è это ты твой вы ваш в на и не с у"""
)
"""Frequent words of other languages that do not occur in English."""


@dataclass(frozen=True)
class Evidence:
    """What the memories that a sentence cites allow it to say. `context` may license, never demand."""

    content: str
    context: str
    names: str
    dates: tuple[Days, ...]
    said: tuple[Days, ...]
    told: int
    replaces: bool

    @cached_property
    def numbers(self) -> set[float]:
        return numbers(f"{self.content}\n{self.context}")[1]


def doubts(
    answer: str, cited: Sequence[Atom], replaced: Mapping[str, Atom], results: Sequence[ToolResult], now: datetime
) -> tuple[Doubt, ...]:
    """Return the sentences of `answer` that are not borne out, in order; `[n]` in it cites `cited[n - 1]`."""
    found: list[Doubt] = []
    known: dict[tuple[int, ...], Evidence] = {}
    for span in cited_sentences(answer):
        sentence = answer[span.start : span.end]
        marks = tuple(dict.fromkeys(int(n) for n in _CITED.findall(sentence) if 1 <= int(n) <= len(cited)))[:MOST_CITED]
        claim = _bare(sentence)
        if not marks:
            if _claims_something(claim):
                found.append(Doubt(span.start, span.end, "uncited"))
            continue
        if marks not in known:
            known[marks] = evidence_of([cited[n - 1] for n in marks], replaced)
        if fault := _fault(claim, known[marks], results, now):
            found.append(Doubt(span.start, span.end, *fault))
    return tuple(found)


def claims_in(answer: str) -> int:
    """Return how many of its sentences claim something: those that could be doubted."""
    said = (answer[span.start : span.end] for span in cited_sentences(answer))
    return sum(bool(_CITED.search(each)) or _claims_something(_bare(each)) for each in said)


def cited_in(sentence: str) -> set[int]:
    """Return the numbers that a sentence cites."""
    return {int(n) for n in _CITED.findall(sentence)}


def without_citations(sentence: str) -> str:
    """Return a sentence without the numbers that it cites."""
    return _CITED.sub("", sentence).strip()


def evidence_of(atoms: Sequence[Atom], replaced: Mapping[str, Atom]) -> Evidence:
    """Return what these memories, and those that they superseded, license."""
    before = [replaced[old] for atom in atoms for old in atom.supersedes if old in replaced]
    named = [word for atom in (*atoms, *before) for word in (atom.subject, atom.speaker or "", *atom.entities)]
    dates = [days for atom in (*atoms, *before) for days in _dates_of(atom)]
    return Evidence(
        content="\n".join(atom.content for atom in atoms),
        context="\n".join([atom.source_quote for atom in atoms] + [old.content for old in before]),
        names="\n".join(named),
        dates=tuple(dates),
        said=tuple(_day(atom.observed_at) for atom in atoms),
        told=len(atoms),
        replaces=bool(before),
    )


def cited_sentences(answer: str) -> list[Span]:
    """Return the sentences with the citations that stand behind their full stops."""
    found: list[Span] = []
    for span in sentences(answer):
        behind = _LEADING.match(answer, span.start, span.end)
        if behind and found:
            found[-1] = Span(found[-1].start, behind.end())
            span = Span(behind.end(), span.end)
        if span.start < span.end:
            found.append(span)
    return found


def _bare(sentence: str) -> str:
    return YES_OR_NO.sub("", _CITED.sub("", sentence).strip(" -*•\t"))


def _claims_something(claim: str) -> bool:
    """Return whether a sentence makes a claim: it is no lead-in ("Here is what I know:"), nor a "Yes."."""
    return len(_WORD.findall(claim)) > 1 and not claim.rstrip(" *_").endswith((":", "?"))


Fault = tuple[DoubtReason, str]


def _fault(claim: str, evidence: Evidence, results: Sequence[ToolResult], now: datetime) -> Fault | None:
    mentions = resolve(claim, now)
    checks: tuple[Callable[[], Fault | None], ...] = (
        lambda: _wrong_date(claim, mentions, evidence),
        lambda: _wrong_number(claim, mentions, evidence, results, now),
        lambda: _wrong_name(claim, evidence),
        lambda: _denied(claim, evidence),
        lambda: ("content", ", ".join(strange)) if (strange := _strange(claim, evidence)) else None,
        lambda: ("content", other) if (other := _exchanged(claim, evidence)) else None,
    )
    return next((fault for check in checks if (fault := check())), None)


def _denied(claim: str, evidence: Evidence) -> Fault | None:
    if _other_language(claim) != _other_language(evidence.content):
        return None
    word = contradiction(claim, evidence.content, evidence.context)
    if word is None and not evidence.replaces:
        word = no_longer(claim, f"{evidence.content}\n{evidence.context}")
    return ("negation", word) if word else None


def _strange(claim: str, evidence: Evidence) -> list[str]:
    if _other_language(claim) or not claim.isascii():
        return []
    return strangers(claim, evidence.content, f"{evidence.context}\n{evidence.names}")


def _exchanged(claim: str, evidence: Evidence) -> str | None:
    if _other_language(claim) or _other_language(evidence.content):
        return None
    return exchanged(claim, evidence.content, f"{evidence.context}\n{evidence.names}")


def _other_language(text: str) -> bool:
    """Return whether a text is not in English. Texts in two languages can be compared by their numbers and dates only."""
    words = _LETTERS.findall(text.lower())
    return sum(word in _NOT_ENGLISH or not word.isascii() for word in words) * 6 > len(words)


def _wrong_name(claim: str, evidence: Evidence) -> Fault | None:
    known = (evidence.content, evidence.context, evidence.names, also_called(evidence.content))
    if _other_language(claim):
        if _script(claim) != _script(evidence.content):
            return None
        if not _other_language(evidence.content):
            person = unknown_person(claim, known)
            return ("name", person) if person else None
        claim = _LETTERS.sub(lambda word: word[0].lower() if word[0].lower() in _NOT_ENGLISH else word[0], claim)
    if name := unknown_name(claim, known):
        return "name", name
    other = another_doer(claim, evidence.content, evidence.names, "")
    return ("name", other) if other else None


def _script(text: str) -> str:
    """Return the one that its first letter is of, as Unicode names it: LATIN, CYRILLIC, CJK, …"""
    return next((unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()), "")


def _wrong_date(claim: str, mentions: Sequence[DateMention], evidence: Evidence) -> Fault | None:
    told = evidence.said if _tells_when_it_was_said(claim, evidence) else ()
    for mention in mentions:
        start, end = _days(mention)
        allowed = (*evidence.dates, *told)
        if any(start <= low and high <= end for low, high in allowed):
            continue
        phrase = mention.phrase.lower()
        if not _YEAR.search(phrase) and not DEICTIC.search(phrase) and _same_but_for_the_year(phrase, start, allowed, evidence):
            continue
        if any(start < high and low < end for low, high in allowed) and mention.precision == "about":
            continue
        return "date", mention.phrase
    return None


def _tells_when_it_was_said(claim: str, evidence: Evidence) -> bool:
    """Return whether a date in the claim is the day on which the evidence was said: it may date what has no date of its own, and
    what ended when its successor was told."""
    return not evidence.dates or bool(SAID.search(claim)) or (evidence.replaces and bool(ENDED.search(claim)))


def _same_but_for_the_year(phrase: str, start: datetime, allowed: Sequence[Days], evidence: Evidence) -> bool:
    """Return whether a date agrees except for the year: "On 14 May" means the 14 May of the memory, whichever year this is, and
    "on Tuesdays" is the memory's own phrase."""
    if any((low.month, low.day) == (start.month, start.day) for low, _ in allowed):
        return True
    return phrase in evidence.content.lower() or phrase in evidence.context.lower()


def _wrong_number(
    claim: str, mentions: Sequence[DateMention], evidence: Evidence, results: Sequence[ToolResult], now: datetime
) -> Fault | None:
    if not MAY_HOLD_A_NUMBER.search(claim):
        return None
    if bound := other_bound(claim, evidence.content):
        return "date", bound
    rest = claim
    for mention in reversed(mentions):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    told = f"{evidence.content}\n{evidence.context}"
    if other := other_measure(rest, told):
        return "number", other
    missing = numbers(without_the_same(rest, told))[0] - evidence.numbers
    if not missing:
        return None
    # The number of cited memories is licensed as well: "two dogs [1][2]".
    missing -= {float(evidence.told)} if evidence.told > 1 else set()
    missing -= _worked_out(evidence, results, now)
    missing -= _spans(rest, evidence, now) if missing else set()
    return ("number", f"{min(missing):g}") if missing else None


def _worked_out(evidence: Evidence, results: Sequence[ToolResult], now: datetime) -> set[float]:
    """Return the tools' results from numbers and dates that the memories contain. A sum of other numbers is an invention."""
    days = {moment.date() for low, high in (*evidence.dates, *evidence.said) for moment in (low, high - timedelta(days=1))}
    days.add(now.date())
    made: set[Decimal] = set()
    held = evidence.numbers
    for result in results:
        fits = all(abs(float(number)) in held or number in made for number in result.numbers)
        if fits and all(each in days for each in result.dates):
            made.update(result.outcomes)
    return {abs(float(number)) for number in made}


def _spans(claim: str, evidence: Evidence, now: datetime) -> set[float]:
    """Return the numbers of days, weeks, months and years between two dates of the memories, or between one of them and today."""
    asked = {(number, match[2].lower()) for match in _SPAN_OF_TIME.finditer(claim) for number in numbers(match[1])[1]}
    if not asked:
        return set()
    days: list[date] = list(dict.fromkeys(low.date() for low, _ in evidence.dates))[:MOST_DATES]
    days.append(now.date())
    apart = [date_diff(first, last) for at, first in enumerate(days) for last in days[at + 1 :]]
    held = {(float(abs(between[f"{unit}s"])), unit) for between in apart for unit in ("day", "week", "month", "year")}
    return {number for number, _ in asked & held}


def _dates_of(atom: Atom) -> list[Days]:
    found = [_days(mention) for text in {atom.content, atom.source_quote} for mention in resolve(text, atom.observed_at)]
    found += [_day(moment) for moment in (atom.valid_from, atom.valid_until) if moment]
    return found


def _days(mention: DateMention) -> Days:
    return _naive(mention.whole[0]), _naive(mention.whole[1])


def _day(moment: datetime) -> Days:
    midnight = _naive(moment).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight, midnight + timedelta(days=1) if midnight < _LAST_DAY else datetime.max  # noqa: DTZ901 - compared only


def _naive(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None)
