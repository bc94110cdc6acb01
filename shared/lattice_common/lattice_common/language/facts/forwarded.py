"""A message of somebody else's, pasted below a line that says whose it is: "From: Sarah", "Message from Tim", "Jo wrote:".

Taken for the owner's own words it would say of the owner what is so of another, and end what is so of the owner. Rules over the
beginning of a text, with `EXAMPLES`; what stands in one line with its sayer is `direct_speech`'s.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lattice_common.language.facts.direct_speech import LETTER, OWN, SAID, names_a_person
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.role_labels import ROLES

_FIELD = r"(?:to|cc|subject|date|sent|an|betreff|datum|gesendet|re|objet|envoyé|para|asunto|fecha|onderwerp)"
_MAIL = lazy_regex(
    rf"(?:-+ ?(?:original|forwarded) message ?-+[ \t]*\n)?(?:from|von|de|da|van)[ \t]*:[ \t]*"
    rf"(?P<who>[^\n:<(]{{1,60}})(?:[<(][^\n]{{1,80}})?(?:\n|\Z)(?:{_FIELD}[ \t]*:[^\n]*(?:\n|\Z))*",
    re.IGNORECASE,
)
_LEAD = lazy_regex(
    rf"(?:(?:fwd?|fw|forwarded)(?: from| by)?:? |(?:(?:got )?(?:this|an?|the|new) )?{LETTER} (?:from|von|de) )"
    rf"(?P<who>[^\n:]{{1,40}}?)(?P<ends>:?)[ \t]*\n"
    rf"|(?!{OWN}\b)(?P<sayer>(?:my |our |the )?[^\W\d]+(?: [^\W\d]+)??)(?: just)? {SAID}\b[^\n:]{{0,30}}:[ \t]*\n",
    re.IGNORECASE,
)
_GREETING = lazy_regex(r"(?:hi|hey|hello|dear|hallo|liebe[rs]?|salut|bonjour|hola|querid[oa]|ciao)\b", re.IGNORECASE)
_QUOTATION = lazy_regex(r"(?P<open>[\"“„«])(?P<words>[^\"“”„«»]+)[\"”“»]")
_BLANK_LINE = lazy_regex(r"\n[ \t\r]*\n")
_POSSESSIVE = lazy_regex(r"^(?:my|our|the) ", re.IGNORECASE)


class Forwarded(NamedTuple):
    """Whose message stands at `[start, end)` of a text, characters."""

    who: str
    start: int
    end: int


EXAMPLES: tuple[tuple[str, tuple[str, str] | None], ...] = (
    ("From: Sarah\nI've moved to Bath.", ("Sarah", "I've moved to Bath.")),
    (
        "From: Sarah Okoye <sarah@example.org>\nTo: me\nSubject: news\n\nI've moved.\n\nLove",
        ("Sarah Okoye", "I've moved.\n\nLove"),
    ),
    ('From: Sarah\n"Sunrise" is our new boat. I love it.', ("Sarah", '"Sunrise" is our new boat. I love it.')),
    ('Message from Tim\n"I live in Hull now."\nMust call him.', ("Tim", "I live in Hull now.")),
    ("Fwd from Jo:\nI'm allergic to nuts.\n\nTell the caterer.", ("Jo", "I'm allergic to nuts.")),
    ("My sister wrote:\nwe had a girl!", ("Sister", "we had a girl!")),
    ("The landlord wrote:\nI'm raising the rent in May.", ("Landlord", "I'm raising the rent in May.")),
    ("From: Leeds\nTo: York\nI booked a seat.", None),
    ("Letter from HMRC\nI owe them 200.", None),
    ("I wrote:\nI live in Hull now.", None),
)
"""A text, and whose words stand in it; None where they are the owner's."""


def forwarded(text: str) -> Forwarded | None:
    """Return the message of another that a text begins with; None where it begins with none. Linear in its first lines."""
    at = len(text) - len(text.lstrip())
    mail = _MAIL.match(text, at)
    lead = None if mail else _LEAD.match(text, at)
    match = mail or lead
    if match is None:
        return None
    said_by = (match["who"] if mail else match["who"] or match["sayer"]).strip()
    who = _POSSESSIVE.sub("", said_by)
    start = len(text) - len(text[match.end() :].lstrip())
    is_somebody = names_a_person(who) or (lead is not None and (who != said_by or who.istitle()))
    if not is_somebody or who.lower() in ROLES or start >= len(text):
        return None
    quoted = _QUOTATION.match(text, start) if lead else None  # a mail may begin with one, and goes on
    if quoted:
        return Forwarded(_named(who), quoted.start("words"), quoted.end("words"))
    if lead and not (lead["sayer"] or lead["ends"] or _GREETING.match(text, start)):
        return None  # "Letter from Dad" over what the owner makes of it
    end = len(text) if mail else _paragraph_end(text, start)
    return Forwarded(_named(who), start, start + len(text[start:end].rstrip()))


def _named(who: str) -> str:
    return who[0].upper() + who[1:]


def _paragraph_end(text: str, start: int) -> int:
    blank = _BLANK_LINE.search(text, start)
    return blank.start() if blank else len(text)
