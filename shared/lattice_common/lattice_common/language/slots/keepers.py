"""Who has a thing, or where it is: one slot, however it is said ("Tom has my spare key", "it's with Ingrid")."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots.claim import Claim, Stems
from lattice_common.language.slots.clause import Clause, stems
from lattice_common.language.slots.holder import SUBJECT, holder_of
from lattice_common.language.text import fold
from lattice_common.language.vocabulary import vocabulary

_OURS = r"(?:[Tt]he|[Mm]y|[Oo]ur)"
_WHAT = r"(?P<what>[\w -]+?)"
_NAME = r"(?P<who>[Mm]y [\w-]+(?: [A-Z][\w-]+)?|[A-Z][\w-]+(?: [A-Z][\w-]+)?)"
_END = r"(?:\s+(?:now|again|today|yesterday|for now))*\s*[.!]*$"
_WHERE = r"(?: (?:on|from|in|at|of|next door|upstairs|downstairs)\b[\w' -]{0,40}?)?"
"""Words that tell people apart: which Ines, the one on the second floor."""
_HAS = lazy_regex(SUBJECT + r"(?:\s+(?:now|currently))*\s+(?:has|have|'ve got|keeps)\s+(?:the|my|our)\s+" + _WHAT + _END)
_WITH = lazy_regex(rf"^{_OURS} {_WHAT} (?:is|are)(?: now| currently)* with {_NAME}{_WHERE}{_END}")
_GIVEN = lazy_regex(
    rf"^(?:[Ii]|[Ww]e) (?:gave|lent|handed|passed) (?:{_OURS} {_WHAT} to {_NAME}|"
    rf"{_NAME.replace('who', 'who2')} {_OURS} {_WHAT.replace('what', 'what2')}){_WHERE}{_END}"
)
_RETURNED = lazy_regex(
    rf"^{_NAME} (?:(?:gave|brought|handed|has given|has brought) {_OURS} {_WHAT} back|returned "
    rf"{_OURS} {_WHAT.replace('what', 'what2')})"
    rf"(?: to me)?{_END}"
)
_LIES = lazy_regex(
    rf"^{_OURS} {_WHAT} (?:is|are|lies|hangs)(?: now| currently)* "
    rf"(?P<where>(?:in|under|behind|on|inside|beside) {_OURS} [\w' -]+?){_END}"
)
_PORTABLE = vocabulary(
    """key keys car bike book laptop ladder drill passport ticket tickets card charger umbrella camera tent projector badge
    remote document contract file folder suitcase lawnmower"""
)
"""Things that are lent and put away; a thing that is fixed in its place is not "with" somebody."""


def keeper_claims(clause: Clause, author: str) -> Iterator[Claim]:
    """Yield who or what keeps a thing of the author's; that a person gave it back denies that the person has it."""
    if clause.supposed or clause.past or clause.planned or _PORTABLE.isdisjoint(clause.words):
        return
    text = clause.text
    if match := _RETURNED.search(text):
        yield from _kept(clause, author, match["what"] or match["what2"], match["who"], change=True, denies=True)
    elif match := _GIVEN.search(text):
        yield from _kept(clause, author, match["what"] or match["what2"], match["who"] or match["who2"], change=True)
    elif match := _WITH.search(text) or _HAS.search(text):
        yield from _kept(clause, author, match["what"], match["who"])
    elif match := _LIES.search(text):
        yield from _claim(clause, author, match["what"], match["where"], stems(match["where"]))


def _kept(clause: Clause, author: str, what: str, who: str, *, change: bool = False, denies: bool = False) -> Iterator[Claim]:
    if keeper := holder_of(who, author):
        yield from _claim(clause, author, what, who, frozenset((keeper,)), change=change, denies=denies)


def _claim(
    clause: Clause, author: str, what: str, shown: str, value: Stems, *, change: bool = False, denies: bool = False
) -> Iterator[Claim]:
    if fold(what).split()[-1] in _PORTABLE:
        yield Claim(
            slot="keeper",
            holder=author,
            about=stems(what),
            value=value,
            shown=shown,
            denies=denies,
            decisive=not clause.additive and not clause.subordinate,
            change=change or clause.change,
            year=clause.year,
            long_ago=clause.long_ago,
        )
