"""Times that a question names by an event: "before I changed jobs", "when we lived in Leeds", "the week after the wedding", "on
Finn's birthday".

Which day that was is known by the memory of the event (`recall/anchor.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, TypeAlias

from lattice_common.language.dates.yearly import last_of, next_of, yearly_day
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.questions.asked_period import asks_nothing_else, looks_ahead
from lattice_common.language.questions.happenings import Happening, happenings_in
from lattice_common.language.text import analyze, query_tokens
from lattice_common.language.words import any_of, number_words

Side: TypeAlias = Literal["before", "after", "during", "on"]

HELD = 0.6
"""Share of the clause's tokens that a memory must contain to be about the event."""

_WORD = r"(?:(?<=\w )|(?<=\w, ))(?P<word>before|after|since|when|while|until)(?: that| the time)? "
_ABOUT = r"(?:i|we|he|she|they|my|our|the|his|her|their|[A-Z]\w+)\b[^?,;]*"
_CLAUSE = lazy_regex(rf"{_WORD}(?P<clause>{_ABOUT})", re.IGNORECASE)
_GLOSSED = lazy_regex(rf"{_WORD}(?P<clause>[^?,;]+)", re.IGNORECASE)
"""A gloss may lack articles and pronouns: "when live in Leeds"."""
_STRETCH = lazy_regex(
    r"\b(?:(?:in|on|during) )?(?:the |that )?(?P<unit>day|night|morning|evening|week|weekend|fortnight|month) "
    rf"(?P<word>before|after|of|when) (?P<clause>{_ABOUT}|\w+[^?,;]*)",
    re.IGNORECASE,
)
_EVENT = lazy_regex(
    r"\b(?:on|at|during) (?:the day of )?(?P<clause>(?:the|my|our|his|her|their|(?:[\w'’-]+ and )?[\w'’-]+['’]s?)"
    r"(?: [\w'’&-]+){0,4}? "
    r"(?:wedding|funeral|burial|christening|baptism|graduation|housewarming|confirmation|engagement party|leaving party))\b",
    re.IGNORECASE,
)
_YEARLY = lazy_regex(
    r"\b(?:on|at|in) (?P<whose>my|our|(?:my |our )?[\w-]+(?:['’]s?)(?: [\w-]+['’]s?)?)"
    r"(?: (?:last|next|\d{1,3}(?:st|nd|rd|th)))? (?P<day>birthday|name day|anniversary)"
    r"(?=[ ]?(?:[?.,;:!)]|$)| (?:do|did|does|have|has|had|was|were|and|or|with|this|last|next|in|at|before|after|year|for)\b)",
    re.IGNORECASE,
)
"""Not "on my birthday list"; "in": as a gloss may have it."""
_STAY = lazy_regex(r"\b(?:were|was|are|am|stayed|been) (?:away |all )?(?:in|at|on|with)\b", re.IGNORECASE)
_SIDES: dict[str, Side] = {
    "before": "before", "until": "before", "after": "after", "since": "after", "when": "during", "while": "during", "of": "on",
}  # fmt: skip
_DAYS = {"day": 1, "night": 1, "morning": 1, "evening": 1, "weekend": 7, "week": 7, "fortnight": 14, "month": 31}
ROUND = ("18th", "21st", "30th", "40th", "50th", "60th", "70th", "80th", "90th", "100th")
"""A birthday may go without its name: "my 40th"."""
BIRTHDAY = "birthday"
_YEARS = rf"(?:\d{{1,3}}|{any_of(number_words(1, 100))})\b"
_TURNED = rf"\bturn(?:s|ed) {_YEARS}"
_AGE = rf"(?:turn(?:s|ed)?|is|am|'m|'s|became|becomes) (?:now )?{_YEARS}"
_OWN_BIRTHDAY = lazy_regex(rf"\bmy (?:\w+ )?birthday\b|\bmy \d{{1,3}}(?:st|nd|rd|th)\b(?! \w)|\bI {_AGE} today\b", re.IGNORECASE)
_BIRTHDAY = lazy_regex(rf"\bbirthday\b|['’]s \d{{1,3}}(?:st|nd|rd|th)\b(?! \w)|{_TURNED}|{_AGE} today\b", re.IGNORECASE)


_ON_IT = lazy_regex(
    rf"^(?:it(?:['’]s| is) )?(?:my|(?:my |our )?[\w-]+['’]s?) (?:\w+ )?birthday(?: party)?(?= ?[,.!;:(]|$| today)|\btoday\b|"
    rf"{_TURNED}|"
    r"\bmy \d{1,3}(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
"""Says that it is the day, and does not only look forward to it."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """How the time asked about is given: the tokens of a clause, and on which side of its event the time is. `sought`: the tokens
    to look for; `happenings`: what the clause names or tells, and `rest` its other tokens; `days`: how long the time is, where
    that is said; `only`: the question asks for nothing else; `stay`: the event lasted; `yearly`: what comes back every year, for
    those whom the tokens name, for the owner without any; `ahead`: the next one is meant."""

    side: Side
    tokens: tuple[str, ...]
    sought: tuple[str, ...]
    happenings: tuple[Happening, ...] = ()
    rest: frozenset[str] = frozenset()
    days: int | None = None
    only: bool = False
    stay: bool = False
    yearly: str = ""
    ahead: bool = False

    def tells(self, content: str) -> bool:
        """Return whether a statement is about the event."""
        said = set(analyze(content))
        if self.yearly == BIRTHDAY:
            own = bool(_OWN_BIRTHDAY.search(content))
            return (_BIRTHDAY.search(content) is not None and not own and set(self.tokens) <= said) if self.tokens else own
        if self.rest <= said and any(each.told.search(content.lower()) for each in self.happenings):
            return True
        return len(set(self.tokens) & said) >= HELD * len(set(self.tokens))

    def day_in(self, content: str, told: date, today: date) -> date | None:
        """Return the last day of a yearly event, or the next, by a statement that names the day, or was told on it."""
        month_day = yearly_day(content) or (told.month * 100 + told.day if _ON_IT.search(content) else 0)
        return next_of(month_day, today) if self.ahead else last_of(month_day, today + timedelta(days=1))


def anchor_in(question: str, said: str | None = None) -> Anchor | None:
    """Return the anchor of a question, which is the gloss of what was `said` in another language, if that is given;
    None where it has none, or one without words to look for."""
    if match := _YEARLY.search(question):
        return _yearly(question, match, said)
    if match := _STRETCH.search(question):
        word = uncased(match["word"])
        anchor = _of_clause(match["clause"], "on" if word == "when" else _SIDES[word], _beside(question, match))
        return replace(anchor, days=_DAYS[uncased(match["unit"])]) if anchor else None
    if match := _EVENT.search(question):
        return _of_clause(match["clause"], "on", _beside(question, match))
    match = (_CLAUSE if said is None else _GLOSSED).search(question)
    if match is None:
        return None
    side, stay = _SIDES[uncased(match["word"])], bool(_STAY.search(match["clause"]))
    anchor = _of_clause(match["clause"], side, _beside(question, match) if stay and side == "during" else None)
    return replace(anchor, stay=stay and side == "during") if anchor else None


def _beside(question: str, match: re.Match[str]) -> str:
    return f"{question[: match.start()]} {question[match.end() :]}"


def _of_clause(clause: str, side: Side, beside: str | None) -> Anchor | None:
    """Return the anchor of a clause; where there are other words `beside` it, the question may ask for nothing else."""
    tokens, happenings = tuple(query_tokens(clause)), happenings_in(clause)
    rest = clause.lower()
    for each in happenings:
        rest = each.without(rest)
    sought = tuple(dict.fromkeys((*tokens, *(token for each in happenings for token in query_tokens(each.sought)))))
    only = beside is not None and asks_nothing_else(beside)
    return Anchor(side, tokens, sought, happenings, frozenset(query_tokens(rest)), only=only) if tokens else None


def _yearly(question: str, match: re.Match[str], said: str | None) -> Anchor:
    day, whose = uncased(match["day"]), "" if uncased(match["whose"]) in ("my", "our") else match["whose"]
    names = tuple(query_tokens(whose))
    further = query_tokens("turned" if names else " ".join(ROUND)) if day == BIRTHDAY else ()
    sought = (*query_tokens(day), *names, *(each for each in further if not each.isdigit()))
    tokens = names if day == BIRTHDAY else (*names, *query_tokens(day))
    only = asks_nothing_else(_beside(question, match))
    return Anchor("on", tokens, sought, days=1, only=only, yearly=day, ahead=looks_ahead(question, said))
