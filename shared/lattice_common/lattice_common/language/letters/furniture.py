"""Lines that programs, companies and lawyers put below mails and pages, and that say nothing."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

LONGEST = 400
"""Characters of such a line."""

_SENT_FROM = r"(?:sent from my|sent with|get outlook for|von meinem \w+ gesendet|gesendet (?:von|mit)) .{1,60}$"
_COPYRIGHT = r"(?:(?:©|\(c\)|copyright\b)\W{0,3}\d{4}).*$|.*\ball rights reserved\b.{0,80}$"
_AUTOMATIC = (
    r".*\b(?:this is an automat\w+ (?:generated )?(?:e-?mail|message)|do not reply to this|antworten sie nicht auf diese)\b.*$"
)
_CONFIDENTIAL = (
    r"(?:this (?:e-?mail|message)|diese (?:e-?mail|nachricht)) .{0,60}"
    r"\b(?:confidential|intended (?:only|solely)|vertraulich\w*)\b.*$"
)
# Nothing but names of links. Possessive: what stands between them is not tried in every way of parting it.
_LINKS = (
    r"\W*+(?:(?:unsubscribe|opt out|(?:manage|update) (?:your )?(?:e-?mail )?(?:preferences|subscriptions?)|"
    r"privacy(?: policy| notice)?|terms(?: (?:of (?:use|service)|(?:&|and) conditions))?|"
    r"view (?:this (?:e-?mail|message) )?(?:in|online)(?: (?:your|a|the))?(?: web)?(?: ?browser)?|contact us|"
    r"imprint|impressum|datenschutz\w*|abmelden|abbestellen|newsletter abbestellen|im browser (?:anzeigen|ansehen|öffnen)|"
    r"cookies?(?: settings| policy)?|help|home|share on|facebook|twitter|instagram|linkedin|youtube|pinterest|whatsapp)\b\W*+)+$"
)
_LINE = lazy_regex("|".join((_SENT_FROM, _COPYRIGHT, _AUTOMATIC, _CONFIDENTIAL, _LINKS)), re.IGNORECASE)


def is_furniture(line: str) -> bool:
    """Return whether a line, without white space around it, is furniture."""
    return 0 < len(line) <= LONGEST and _LINE.match(line) is not None
