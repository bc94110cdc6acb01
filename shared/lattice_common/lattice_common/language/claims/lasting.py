"""Words for what hardly ever ends: an allergy, how many children somebody has, when somebody was born. By language, as data.

A statement with one of them is retired by no reading of the judge alone: its owner is asked. On whole memories (`lives` of
dev) 20 pieces of news end one of 1,340 such statements that stand beside them; to lose an allergy costs more than to be
asked.
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

WORDS: dict[str, str] = {
    # "No ibuprofen for me, comes up in welts", "I have three children, Ben, Susan and Peter"
    "en": (
        r"allerg\w+|intoleran(?:t|ce)|co?eliac|anaphyla\w+|(?:in|get|gets|got) (?:hives|welts)|epi-?pen|"
        r"(?:was|were|am|is) born (?:in|on|at)|born (?:in|on) |birthdays?|grew up|blood (?:type|group)|maiden name|"
        r"(?:have|has|['’]ve got|have got) (?:a|an|one|two|three|four|five|six|seven|\d|no) (?:\w+ ){0,2}?"
        r"(?:brothers?|sisters?|siblings?|kids?|child(?:ren)?|sons?|daughters?|boys|girls|grand\w+|nephews?|nieces?)"
    ),
    "de": (
        r"allergi\w+|unverträglichkeit|zöliakie|geboren|geburtstag|blutgruppe|"
        r"(?:habe|haben|hat) (?:\w+ )?(?:kinder|geschwister|enkel|brüder|schwestern)"
    ),
    "fr": (
        r"allergi\w+|intolérant\w*|née? (?:le|à|en)|anniversaire|groupe sanguin|"
        r"(?:ai|avons|a) (?:\w+ )?(?:enfants|frères|sœurs|petits-enfants)"
    ),
    "es": (
        r"al[eé]rgic\w+|alergia\w*|celíac\w+|nac(?:í|ió)|cumpleaños|grupo sanguíneo|"
        r"(?:tengo|tenemos|tiene) (?:\w+ )?(?:hijos|hermanos|hermanas|nietos)"
    ),
    "it": (
        r"allergi\w+|celiac\w+|nat[oa] (?:il|a|nel)|compleanno|"
        r"(?:ho|abbiamo|ha) (?:\w+ )?(?:figli|fratelli|sorelle|nipoti)"
    ),
    "nl": r"allergi\w+|coeliakie|geboren|verjaardag|(?:heb|hebben|heeft) (?:\w+ )?(?:kinderen|broers|zussen)",
    "pt": (
        r"alérgic\w+|alergia\w*|celíac\w+|nasci|nasceu|aniversário|"
        r"(?:tenho|temos|tem) (?:\w+ )?(?:filhos|irmãos|irmãs|netos)"
    ),
    "pl": r"alergi\w+|uczulen\w+|celiaki\w+|urodził\w+|urodziny",
    "tr": r"alerji\w*|çölyak|doğum günü|doğdu\w*",
}

_LASTING = lazy_regex(rf"\b(?:{'|'.join(WORDS.values())})\b", re.IGNORECASE)


def is_lasting(content: str) -> bool:
    """Return whether a statement says something of that sort."""
    return _LASTING.search(content) is not None
