"""The checks that a fact has to pass, each against its licence: (reason, offending words), or None."""

from __future__ import annotations

from collections.abc import Callable

from lattice_common.ingest.ground.licence import Licence
from lattice_common.language.claims.as_said import without_added_dates
from lattice_common.language.claims.names import another_doer, strangers, unknown_name
from lattice_common.language.claims.negation import contradiction
from lattice_common.language.claims.numbers import MAY_HOLD_A_NUMBER, numbers
from lattice_common.language.dates.mentions import DateMention
from lattice_common.language.dates.periods import day_of

Fault = tuple[str, str]
Check = Callable[[str, Licence], Fault | None]


def unlicensed_date(claim: str, licence: Licence) -> Fault | None:
    """Return a fault for a date of the claim that the quote does not name, also not within a coarser one; None where there is
    none. Below a label ("Activities board: Bingo Tuesday") a day may be read in another tense than in the quote alone, and so may
    one in the label ("Your booking, 18 to 28 December: The flight can't be refunded."): where the claim ends with the quote word
    for word, both are as they were said."""
    bare = without_added_dates(claim, licence.quote)
    is_quoted = bare.endswith(f": {licence.quote}")
    label = len(bare) - len(licence.quote) if is_quoted else 0
    for mention in licence.times(claim):
        as_said = is_quoted and mention.relative and mention.phrase in licence.quote
        as_labelled = is_quoted and mention.end <= label and mention.phrase in licence.context
        if not (as_said or as_labelled) and not _date_allowed(mention, licence):
            return "date-unlicensed", mention.phrase
    return None


def _date_allowed(mention: DateMention, licence: Licence) -> bool:
    start, end = mention.whole
    for allowed in licence.dates:
        low, high = allowed.whole
        if start <= low and high <= end:
            return True
        # "A few weeks ago" is a guess by its own words: what touches it may stand for it.
        if allowed.precision == "about" and start < high and low < end:
            return True
    said = day_of(licence.moment)
    if said is None or not licence.times("today"):
        return False  # nobody knows when a document without a date was written
    holds = start <= said.start and said.end <= end
    # The day it was said on may date a fact that has no date of its own, but not replace the "yesterday" it has.
    return holds and (not licence.dates or end - start > said.end - said.start)


def unlicensed_number(claim: str, licence: Licence) -> Fault | None:
    """Return a fault for a number outside a date that neither the quote nor its context holds, in digits or in words; None where
    there is none."""
    if not MAY_HOLD_A_NUMBER.search(claim):
        return None
    rest = claim
    for mention in reversed(licence.times(claim)):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    asserted, _ = numbers(rest)
    _, allowed = numbers(f"{licence.quote} \n {licence.context} \n {licence.turn.speaker if licence.turn else ''}")
    missing = sorted(asserted - allowed)
    return ("number-unlicensed", f"{missing[0]:g}") if missing else None


def unlicensed_name(claim: str, licence: Licence) -> Fault | None:
    """Return a fault for a name that none of the quote, its context, its speaker, or the words its pronouns refer to brings with
    it; None where there is none."""
    word = unknown_name(claim, (licence.quote, licence.context, licence.names))
    return ("name-unlicensed", word) if word else None


def swapped_name(claim: str, licence: Licence) -> Fault | None:
    """Return a fault where somebody does in the claim what somebody else does in the quote; None elsewhere."""
    speaker = (licence.turn.speaker or "") if licence.turn else ""
    who = another_doer(claim, licence.quote, licence.names, speaker)
    return ("name-swapped", who) if who else None


def changed_negation(claim: str, licence: Licence) -> Fault | None:
    """Return a fault where the claim denies something else than the quote denies; None elsewhere."""
    word = contradiction(claim, licence.quote, licence.context)
    return ("negation-changed", word) if word else None


def unsupported(claim: str, licence: Licence) -> Fault | None:
    """Return a fault where the claim shares no words with what it is said to come from; None elsewhere. A quote in another
    language than the claim is not judged."""
    speaker = licence.turn.speaker or "" if licence.turn else ""
    strange = strangers(claim, licence.quote, licence.context, speaker)
    return ("content-unsupported", ", ".join(strange)) if strange else None


CHECKS: tuple[Check, ...] = (unlicensed_date, unlicensed_number, unlicensed_name, swapped_name, changed_negation, unsupported)
"""In this order; the first fault is the reason."""
