"""Who says, wishes or supposes what a statement tells, where its own words say so: "Meine Kollegin Svenja hat erzählt, dass …",
"Jonas träumt von einem Boot"."""

from __future__ import annotations

import re

from lattice_common.language.facts.direct_speech import is_in_first_person
from lattice_common.language.names import names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.first_names import HE, SHE

_SAYS = lazy_regex(
    r"\b(?:sag(?:t|te|en|ten)|mein(?:t|te|en|ten)|erzähl(?:t|te|en|ten)|behaupte(?:t|te|n|ten)|"
    r"(?:hat|haben) (?:[\w-]+ ){0,2}(?:gesagt|erzählt|gemeint|behauptet|geschrieben|berichtet)|"
    r"(?:a |ont )?dit qu|racont\w+ qu|prétend\w* qu|(?:dice|dijo|cuenta|ha dicho|dicen) que|"
    r"(?:dice|ha detto|racconta|dicono) che|(?:diz|disse|contou|dizem) que|(?:zegt|zei|vertelde),? dat|"
    r"mówi,? że|powiedział[ao]?,? że)",
    re.IGNORECASE,
)


def names_who_said(words: str) -> bool:
    """Return whether a statement in another language than English says itself that somebody says it."""
    return _SAYS.search(words) is not None


def of_whom(words: str) -> str | None:
    """Return the given name that a statement begins with which speaks of nobody in the first person: whose wish it is; None where
    it does not begin with one, for "Barcelona would be lovely" is no wish of Barcelona's."""
    if is_in_first_person(words):
        return None
    first = next(iter(names_of(words)), None)
    return first.word if first is not None and first.start == 0 and first.word.lower() in HE | SHE else None
