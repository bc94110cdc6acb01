"""Whether a claim is its quote, word for word, with nothing around it but what the licence spells out.

The rules' own candidates are of this form; such a claim needs no further check, because there is nothing in it to check.
"""

from __future__ import annotations

import re

from lattice_common.ingest.extract.documents import fence_words, row_words
from lattice_common.ingest.ground.licence import Licence
from lattice_common.language.dates.mentions import written
from lattice_common.language.sentences.respelling import respelled
from lattice_common.language.sentences.wording import BELOW, plain, title_of


def verbatim(claim: str, licence: Licence) -> bool:
    """Return True only if what is left of `claim` without its speaker, its headings, what introduces it, what it replies to and
    the meanings of its relative dates is the quote, marks, apostrophes and white space aside; or a table's row, with the names of
    the columns as the table has them."""
    rest = claim
    speaker = licence.turn.speaker if licence.turn else None
    if speaker and rest.startswith(f"{speaker}: "):
        rest = rest[len(speaker) + 2 :]
    if licence.asked:
        rest = rest.removesuffix(f" (in reply to: {' '.join(licence.asked.split())})")
    for mention in licence.dates:
        if mention.relative:
            rest = rest.replace(f" ({written(mention)})", "", 1)
    if rest == licence.quote:
        return True
    if licence.headings and ": " in rest:
        before, _, after = rest.partition(": ")
        titles = before.split(BELOW)
        known = {*licence.headings, *map(title_of, licence.headings)}
        if all(title in known for title in titles):
            rest = after
    if "|" in licence.lead_in:
        row = row_words(licence.quote, licence.lead_in)
        return rest == row or _words(rest) == _words(row_words(plain(licence.quote), licence.lead_in))
    if licence.lead_in:
        rest = rest.removeprefix(f"{plain(licence.lead_in).rstrip(':')}: ")
    quote = fence_words(licence.quote) if licence.quote.startswith(("```", "~~~")) else licence.quote
    words = _words(rest.casefold())
    return rest.split() == quote.split() or words in (_words(quote.casefold()), _words(respelled(quote).casefold()))


_WORDS = re.compile(r"(?<!\w)[-+\u2212](?=\d)|\w+|[%€$£¥°]")


def _words(text: str) -> list[str]:
    """Return the words, with the signs that make another number of one: without commas, quotes and the marks of lists."""
    return _WORDS.findall(text)
