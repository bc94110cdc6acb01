"""Whether a claim is its quote, word for word, with nothing around it but what the licence spells out.

The rules' own candidates are of this form; such a claim needs no further check, because there is nothing in it to check.
"""

from __future__ import annotations

from lattice_common.domain.dates import written
from lattice_common.ingest.extract.documents import row_words
from lattice_common.ingest.ground.licence import Licence


def verbatim(claim: str, licence: Licence) -> bool:
    """True only if what is left of `claim` without its speaker, its headings, what it replies to and the meanings of its
    relative dates is the quote, white space aside; or a table's row, with the names of the columns as the table has them."""
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
        titles = before.split(" › ")
        if all(title in licence.headings for title in titles):
            rest = after
    return rest.split() == licence.quote.split() or ("|" in licence.lead_in and rest == row_words(licence.quote, licence.lead_in))
