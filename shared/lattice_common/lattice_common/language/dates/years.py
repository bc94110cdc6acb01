"""Years that are named by way of this one, as the judge reads them best: "Last year (2025) we went" as "In 2025 we went"."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.counted_times import COUNTED_TIMES
from lattice_common.language.words import any_of

_ENGLISH = ("last year", "this year", "next year")
_GERMAN = ("letztes jahr", "dieses jahr", "nächstes jahr", "voriges jahr")
_IN = {"es": "en", "fr": "en", "it": "nel", "pt": "em", "pl": "w"}
_BY_WORD = {
    around.replace("{u}", year): _IN.get(language, "in")
    for language, table in COUNTED_TIMES.items()
    for around in (*table.last, *table.next)
    for year in table.units["year"].split()
} | dict.fromkeys((*_ENGLISH, *_GERMAN), "in")
_NAMED = lazy_regex(rf"\b(?P<said>{any_of(_BY_WORD)}) \((?P<year>(?:19|20)\d\d)\)", re.IGNORECASE)


def with_years(content: str) -> str:
    """Return the content of a memory with such years as numbers alone. Linear."""
    return _NAMED.sub(_as_number, content) if "(" in content else content


def _as_number(match: re.Match[str]) -> str:
    before = _BY_WORD.get(match["said"].lower(), "in")
    return f"{before.capitalize() if match['said'][0].isupper() else before} {match['year']}"
