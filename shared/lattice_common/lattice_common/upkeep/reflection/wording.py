"""A synthesis uses the words of the memories that it cites: a word that none of them has states something that nobody said.

"My uncle gave me the cello" is not supported by "The cello came from my aunt", though numbers, names and dates agree. What rules
cannot decide is left out, at the price of true sentences in other words: an invented fact is worse than a missing one.
"""

# ruff: noqa: SIM905 - a list of quoted words reads worse

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lattice_common.domain.atom import Atom
from lattice_common.language.text import analyze
from lattice_common.language.words import months, seasons, weekdays

LEAST_ALIKE = 4
"""Letters in which two forms of one word begin alike: practice and practise, spiele and spielst."""

_JOINING = """
    again ago all almost already also although always another around back because become became begin began begun between both by
    came come continue currently day during each early else even evening ever every first for four five from further
    general get go goes going got have however include instead keep kept last late later least less like long made mainly make
    many meanwhile month more morning most mostly much never nevertheless new next now of often old once one only originally other
    otherwise over own part previously recently regular regularly same second several since six so some sometimes soon start still
    such take taken than then there third this three through time together too took total twice two until up use usually very
    was way week weekend well went were when where which while who whole with within without year yet
    aber alle als am an auch auf aus bei beide bin bis da damals dann das dass davon dazu dem den der des die dies dieser diese
    doch drei durch ein eine einem einen einer eines einmal er erst erste ersten es etwas euch fast für ganz gegen habe haben hat
    hatte hatten ich ihm ihn ihr ihre ihrem ihren im immer in inzwischen ist jahr jahre jahren jede jeden jeder jetzt kam kommt
    mal man mehr mein meine meinem meinen meiner meist mich mir mit mittlerweile monat nach neue neuen nicht noch nun nur oder oft
    ohne regelmäßig schon sehr sein seine seinem seinen seit sich sie sind sowie spät tag um und uns unser unter vier viel vom von
    vor vorher nachher zuvor davor war waren weil wenn werden wie wieder
    wir wird woche wurde zu zuerst zuletzt zum zur zusammen zwei zwischen zweimal
""".split()
_CALENDAR = [*months("en", "de"), *weekdays("en", "de"), *(seasons("en", "de").keys() - {"fall"})]
JOINING = frozenset(token for word in [*_JOINING, *_CALENDAR] for token in analyze(word))
"""Words that join, order and count; dates, names and numbers have checks of their own."""


def unsaid(sentence: str, atoms: Sequence[Atom]) -> list[str]:
    """Return the tokens of a sentence that no memory has in any form. Linear in both."""
    said = {token for atom in atoms for text in _said_in(atom) for token in analyze(text)}
    beginnings = {token[:LEAST_ALIKE] for token in said if len(token) >= LEAST_ALIKE}
    return [
        token
        for token in dict.fromkeys(analyze(sentence))
        if token not in said
        and token not in JOINING
        and token[:LEAST_ALIKE] not in beginnings
        and not any(letter.isdigit() for letter in token)
    ]


def _said_in(atom: Atom) -> Iterable[str]:
    return (atom.content, atom.source_quote, atom.subject, atom.speaker or "", *atom.entities)
