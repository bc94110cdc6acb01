"""On which day of the week somebody is asked what they do: "What do I do on Saturdays?", "je fais quoi le lundi soir ?", "qué
hago los viernes?"."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.tables.dutch import WEEKDAYS
from lattice_common.language.words import any_of, weekdays

_PORTUGUESE = ("segunda", "terça", "quarta", "quinta", "sexta")
_NAMES = {
    **weekdays("en", "de", "fr", "es", "it", "pt"),
    **{name: number for names in (WEEKDAYS, _PORTUGUESE) for number, name in enumerate(names)},
}
_DAYS = {**_NAMES, **{f"{name}s": number for name, number in _NAMES.items()}, "domeniche": 6}
_DAY = any_of(_DAYS)
_PART = (
    r"(?: (?:mornings?|afternoons?|evenings?|nights?|matin|midi|après-midi|soir|por la \w+|mattina|pomeriggio|sera|de manhã|"
    r"à \w+|morgen|vormittag|nachmittag|abends?|ochtend|middag|avond))?"
)
_ASKED = lazy_regex(
    r"^\W*(?:and |so )?(?:"
    r"what(?: do (?:i|we) (?:do|have|have going|get up to)|['’]?s| is there| is|"
    r" have (?:i|we) got| am i doing| are we doing)"
    r"|was (?:mache|machen|habe|haben|tue|tun) (?:ich|wir)|was (?:ist|steht)(?: bei (?:mir|uns))?(?: los| an)?"
    r"|(?:je fais|on fait|j['’]ai|nous avons) quoi|que (?:fais-je|faisons-nous)|qu['’]est-ce que (?:je fais|on fait|j['’]ai)"
    r"|qué (?:hago|hacemos|tengo|tenemos|hay)|(?:che|cosa|che cosa) (?:faccio|facciamo|ho|abbiamo)"
    r"|o que (?:é que )?(?:faço|fazemos|tenho|temos)|wat (?:doe|doen|heb|hebben) (?:ik|we|wij)"
    rf")(?: (?:on|every|each|am|an|jeden|le|tous les|chaque|el|los|cada|il|di|la|ogni|à|às|na|nas|no|nos|aos|op|elke|de))*"
    rf" (?P<day>{_DAY}){_PART}\W*$",
    re.IGNORECASE,
)
_ANY = lazy_regex(rf"(?<![\w-])(?:{_DAY})(?![\w-])", re.IGNORECASE)


def weekday_asked(question: str) -> int | None:
    """Return the day, 0 for Monday to 6, of a question that asks for nothing but what is on it; None of others."""
    match = _ASKED.match(" ".join(question.split()))
    return _DAYS[uncased(match["day"])] if match else None


def weekdays_named(words: str) -> frozenset[int]:
    """Return the days of the week that words name, in any of these languages. Linear."""
    return frozenset(_DAYS[uncased(match[0])] for match in _ANY.finditer(words))
