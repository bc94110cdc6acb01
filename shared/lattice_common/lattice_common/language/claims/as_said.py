"""Statements in the words in which the judge reads them beside each other."""

from __future__ import annotations

from lattice_common.domain.atom import Atom
from lattice_common.language.claims.correction import as_correction
from lattice_common.language.first_person import in_first_person
from lattice_common.language.patterns import lazy_regex

_ADDED_DATE = lazy_regex(r" \([^()]{0,40}\b\d{4}s?(?:, \d\d:\d\d)?\)")
"""A date that extraction added, as `language.dates.written` puts it: in brackets behind the words that it resolves."""


def as_said(atom: Atom) -> str:
    """Return the content without the dates that extraction added: "moved to Thursday", not "moved to Thursday (4 June 2026)", and
    what an assistant noted of "the user" as they would say it. The judge was trained on what people say, and takes an added date
    for news."""
    return in_first_person(without_added_dates(atom.content, atom.source_quote))


def without_added_dates(content: str, quote: str = "") -> str:
    """Return a content without the dates that stand in brackets in it and not in its quote."""
    return _ADDED_DATE.sub(lambda found: found[0] if found[0].strip() in quote else "", content)


def as_news(atom: Atom) -> str:
    """Return the same of the newer one of two statements."""
    return as_correction(as_said(atom))
