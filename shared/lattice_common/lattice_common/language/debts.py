"""Debts in words: which one a question asks about, and what a statement says was lent, borrowed, or paid back.

Who it was with is as the statement names them ("Callum", "my brother"); the other side is the owner, who may go unnamed, as
notes are written ("Lent Callum 240 pounds").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lattice_common.language.patterns import lazy_regex

SOUGHT = "lent, borrowed, owes, owe, paid back"
"""Words that statements about a debt have, beside those of a question."""

_ASKED_WHO = r"(?P<who>(?:my |our )?[\w'.-]+(?: [A-Z][\w'.-]+)*)"
_ASKED = tuple(
    (lazy_regex(pattern, re.IGNORECASE), mine, repaid)
    for pattern, mine, repaid in (
        (r"\bwho(?: all| still| else)* (?:owes?|debts|must) (?:me|us)\b|\bwho (?:me|us) (?:must|owes?)\b", False, False),
        (r"\bwhom? (?:do|must) (?:i|we) (?:still )?owe\b", True, False),
        (rf"\b(?:does|do|did) {_ASKED_WHO} (?:(?:still|even|now) )*owe (?:me|us)\b", False, False),
        (rf"^(?!.*\bwho\b).*\b(?:owes?|debts) (?:me|us) {_ASKED_WHO}", False, False),
        (rf"^(?!.*\bwho\b).*\b(?:me|us) (?:must|owes?) (?:(?:still|yet) )*{_ASKED_WHO}", False, False),
        (rf"^(?!.*\bwho\b).*\b{_ASKED_WHO} (?:me|us) (?:must|owes?)\b", False, False),
        (rf"\b(?:do|must) (?:i|we) (?:(?:still|even|now) )*owe (?:to )?{_ASKED_WHO}", True, False),
        (rf"^(?:how much|what) owe (?:i|we) (?:still )?{_ASKED_WHO}", True, False),
        (rf"^how much\b.*\b(?:has|did) {_ASKED_WHO} (?:already |so far )?(?:paid?|given?) (?:(?:me|us) )?back\b", False, True),
        (rf"^how much\b.*\b(?:have|did) (?:i|we) (?:already |so far )?(?:paid?|given?) {_ASKED_WHO} back\b", True, True),
    )
)  # fmt: skip
_PRONOUN = r"(?!(?:I|He|She|They|We|It|You|The|This|That|There|What)\b)"
_NAME = r"[A-Z][\w'’-]+"
_WHO = rf"(?P<who>(?:[Mm]y|[Oo]ur) [a-z][\w-]*(?: {_NAME})?|{_PRONOUN}{_NAME}(?: {_NAME})*)"
_OWNER = (
    r"(?:^|(?<=[.;:,!] )|\b(?:I|[Ww]e)(?:['’]ve| have| had)? )"
    r"(?i:(?:have |also |already |just |only |finally |still |now |today )*)"
)
_GAVE = r"(?i:gave|given|paid|sent|transferred|handed|returned|repaid|wired)"
_OF_THEIRS = r"(?:(?i:has|have|had|already|finally|also|now|just) )*"
_LATER = r"(?:I|[Ww]e)(?:['’]ll|['’]d| will| must| should| have to| need to| owe| promised| said)\b"


@dataclass(frozen=True, slots=True)
class AskedDebt:
    """`who`: with whom; None asks for everybody. `mine`: the owner owes; `repaid`: what was paid back is asked for."""

    who: str | None
    mine: bool
    repaid: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """Money between the owner and `who`. `to_them`: it went to them. `debt`: it has to come back; `owed`: the statement only says
    that there is a debt, and with `left` that it is all there is. `back`: it pays back; `settled`: all of it."""

    who: str
    to_them: bool
    debt: bool = False
    owed: bool = False
    left: bool = False
    back: bool = False
    settled: bool = False


_LEFT = lazy_regex(r"\b(?:still|now|only|left|remaining|the rest)\b", re.IGNORECASE)
_BACK = lazy_regex(
    r"\bback\b|\bow(?:es?|ed)\b|\bloan\b|\bdebts?\b|\binstal+ments?\b|\brepa(?:id|y\w*)\b|\breturned\b|\bsettl\w+", re.IGNORECASE
)
_SETTLED = lazy_regex(
    r"\b(?:paid|repaid|transferred|settled|squared)\b|\b(?:money|the rest|everything|all of it)\b", re.IGNORECASE
)
_IN_PART = lazy_regex(r"\b(?:some|part|half|bits?|first|instal+ments?|most)\b", re.IGNORECASE)
_DEBTS = tuple(
    (lazy_regex(pattern), to_them, owed)
    for pattern, to_them, owed in (
        (rf"{_WHO} (?i:(?:now |still |only )*owes? (?:me|us))\b", True, True),
        (rf"{_OWNER}(?i:owe) {_WHO}", False, True),
        (rf"{_OWNER}(?i:lent|loaned|advanced) {_WHO}", True, False),
        (rf"{_OWNER}(?i:lent|loaned)\b[^.;]*? to {_WHO}", True, False),
        (rf"{_WHO} {_OF_THEIRS}(?i:borrowed)\b[^.;]*? (?i:from|off) (?:me|us)\b", True, False),
        (rf"{_WHO} {_OF_THEIRS}(?i:lent|loaned|advanced) (?:me|us)\b", False, False),
        (rf"{_OWNER}(?i:borrowed)\b[^.;]*? (?i:from|off) {_WHO}", False, False),
        (rf"{_WHO} {_OF_THEIRS}(?i:paid|covered|bought|put up)\b.*\b{_LATER}.*\b(?:back|owe)\b", False, False),
    )
)
_MOVES = tuple(
    (lazy_regex(pattern), to_them)
    for pattern, to_them in (
        (rf"{_WHO} {_OF_THEIRS}{_GAVE}\b(?! (?:her|his|their) )", False),
        (rf"{_OWNER}(?i:got|received|had)\b[^.;]*? (?i:from) {_WHO}", False),
        (rf"{_OWNER}{_GAVE} (?:back )?{_WHO}", True),
        (rf"{_OWNER}{_GAVE}\b[^.;]*? (?i:to) {_WHO}", True),
        (rf"{_OWNER}(?i:settled|squared)\b[^.;]*? (?i:with) {_WHO}", True),
    )
)


def asked_debt(english: str) -> AskedDebt | None:
    """Return the debt that a question in English, or its gloss, asks about; None for other questions."""
    for pattern, mine, repaid in _ASKED:
        if match := pattern.search(english):
            return AskedDebt(match.groupdict().get("who"), mine, repaid)
    return None


def moved(content: str) -> Moved | None:
    """Return what a statement says of money, or of a thing, between the owner and somebody else; None where it says nothing of
    the kind."""
    for pattern, to_them, owed in _DEBTS:
        if match := pattern.search(content):
            return Moved(match["who"], to_them, debt=True, owed=owed, left=owed and bool(_LEFT.search(content)))
    for pattern, to_them in _MOVES:
        if match := pattern.search(content):
            back = bool(_BACK.search(content))
            return Moved(match["who"], to_them, back=back, settled=back and _settles(content))
    return None


def _settles(content: str) -> bool:
    return bool(_SETTLED.search(content)) and not _IN_PART.search(content)
