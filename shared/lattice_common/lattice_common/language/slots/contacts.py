"""Phone numbers and e-mail addresses, by pattern: whose they are and of which sort."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots.claim import Claim
from lattice_common.language.slots.clause import Clause, stems
from lattice_common.language.slots.holder import holder_of

EMAIL = lazy_regex(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
PHONE = lazy_regex(r"(?<![\w.])\+?\d(?:[ ()/.-]{0,2}\d){5,14}(?![\w-])")
"""Six to fifteen digits (E.164 allows fifteen) with the usual separators."""

_DIGIT = lazy_regex(r"\d")
_WHOSE = lazy_regex(
    r"(?P<who>\b[Mm]y|\b[Oo]ur|\b[A-Z][\w-]+(?: [A-Z][\w-]+)?'s|\b[Mm]y [\w-]+'s)\s+(?P<sort>(?:[\w-]+ "
    r"){0,3}?)(?:phone|mobile|cell|telephone|number|e-?mail|address)\b"
)
_REACH = lazy_regex(r"\b(?:reach|call|text|ring|e-?mail|write|contact|message)(?: to)? me\b", re.IGNORECASE)
_NEW = lazy_regex(
    r"^(?:my )?new (?:(?:phone|mobile|cell|telephone|handy) ?)?(?:number|phone|mobile)?\s*(?::|is|=)\s*\+?\(?\d", re.IGNORECASE
)
"""The beginning of a note about one's own contact data: "New phone number: …"."""
_SORTS = frozenset(("work", "home", "offic", "privat", "busi", "person", "landlin", "mobil", "cell", "school", "second", "emerg"))


def contact_claims(clause: Clause, author: str) -> Iterator[Claim]:
    """Yield which number or address belongs to whom now; nothing for contact data without an owner."""
    text = clause.text
    if "@" not in text and not _DIGIT.search(text):
        return
    emails, phones = EMAIL.findall(text), PHONE.findall(EMAIL.sub(" ", text))
    if not emails and not phones:
        return
    whose = _WHOSE.search(text)
    if whose and re.search(r"\b(?:old|former|previous)\b", whose.group(0), re.IGNORECASE):
        return
    if whose:
        who = whose.group("who").removesuffix("'s")
        holder = author if who.lower() in ("my", "our") else holder_of(who, author)
        sort = stems(whose.group(0)) & _SORTS
    elif _REACH.search(text) or _NEW.match(text):
        holder, sort = author, stems(text) & _SORTS
    else:
        return
    # People call a mobile number their number.
    sort = sort - {"mobil", "cell", "person", "privat"}
    for slot, found, normal in (("e-mail", emails, str.casefold), ("phone", phones, _digits)):
        if len(found) not in (1, 2):
            continue
        value = found[-1]
        yield Claim(
            slot=slot,
            holder=holder,
            about=sort,
            value=frozenset((normal(value),)),
            shown=value,
            decisive=bool(holder) and len(found) == 1 and not clause.additive,
            change=clause.change or bool(_NEW.match(text)),
            year=clause.year,
            long_ago=clause.long_ago,
        )


def _digits(number: str) -> str:
    return "".join(char for char in number if char.isdigit())
