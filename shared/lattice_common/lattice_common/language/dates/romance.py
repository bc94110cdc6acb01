"""Words of French, Italian, Portuguese and Spanish around a day of the week or a month: "desde el lunes", "à partir de mai".

Only where they are bound ("since", "from", "until") or told to be the last or the next do they mean one day: what else stands
before them tells every Monday from this one, and no verb of these languages is known here to tell the past from the future.
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of, months, short_weekdays, weekdays

DAYS = {**weekdays("fr", "es", "it", "pt"), **short_weekdays("pt")}
MONTHS = months("fr", "es", "it", "pt")
_BOUNDS = {
    "since": r"desde(?:\ (?:el|la|o|a))?|depuis(?:\ l[ea])?",
    "from": r"dès(?:\ le)?|[àa]\ partir\ d(?:el?|u|o|a)|a\ partire\ da(?:l(?:la)?)?|da(?:l(?:la)?)?",
    "until": r"hasta(?:\ (?:el|la))?|jusqu['’](?:à|au|en)|fino\ a(?:l(?:la)?|d)?|até(?:\ (?:à|ao?|o))?",
}
BOUND = "|".join(_BOUNDS.values())
LEADS = vocabulary("desde el la o a depuis le partir partire de del du do da dal dalla hasta jusqu au en em fino al alla ad")
"""The words that a phrase may begin with, in ASCII."""
NEXT = ("prossimo", "prossima")
"""Words that a day may begin with, of those in ASCII."""
_LAST = r"pasad[oa]|passad[oa]|passé|dernier|scors[oa]"
_NEXT = r"próxim[oa]|prochain|prossim[oa]|que\ viene|que\ vem"
DAY = (
    rf"(?:(?P<r_next>próxim[oa]|prossim[oa])\ )?(?P<r_day>{any_of(DAYS)})(?!\w)"
    rf"(?:\ (?:(?P<r_last>{_LAST})|(?P<r_coming>{_NEXT}))(?!\w))?"
)
MONTH = rf"(?(bound)|(?:en|em|in|ad?)\ )(?P<r_month>{any_of(MONTHS)})(?![\w-])(?:\ (?:del?\ )?(?P<r_year>(?:19|20)\d\d))?(?!\ \d)"
_KINDS = {kind: lazy_regex(pattern.replace("\\ ", " "), re.IGNORECASE) for kind, pattern in _BOUNDS.items()}
_ITALIAN = frozenset((*months("it"), *weekdays("it")))
_ITALIAN_ALONE = frozenset(months("it")) - frozenset((*months("es"), *months("pt"), *months("fr")))
_BEHIND_A_MONTH = lazy_regex(rf"\b(?:{any_of(MONTHS)}) \Z", re.IGNORECASE)
_TO_COME = lazy_regex(
    r"\b\w{2,}(?:rò|rà|remo|rete|ranno|ré|rás|rá|réis|rán|rei|rão)\b|\b(?:voy|vas|va|vamos|vais|van) a \w+r\b|"
    r"\b(?:vou|vais|vai|vamos|vão) \w+r\b",
    re.IGNORECASE,
)
"""Verbs of what is to come, in Italian, Spanish and Portuguese."""
NOT = r"(?<!\bpas )(?<!\bpas le )(?<!\bno el )(?<!\bnon )(?<!\bnão na )(?<!\bnão no )"
"""What says that a day is not meant: "mardi prochain, pas vendredi"."""
_ANOTHER = lazy_regex(rf"{NOT}\b(?:{any_of(DAYS)})(?!\w)", re.IGNORECASE)
REACH = 25
"""Characters before and behind a day in which another one makes it recur: "da lunedì a venerdì"."""


def bound_of(match: re.Match[str]) -> str:
    """Return in English the word that bounds a phrase, in small letters; empty where there is none."""
    bound = uncased(match["bound"] or "")
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.fullmatch(bound)), None)
    if kind is None:
        return bound
    if bound.startswith("da"):
        name = uncased(match["r_day"] or match["r_month"] or match["dmy_m"] or match["my_m"] or match["month"] or "")
        if not match["year"] and name not in _ITALIAN:
            return ""  # "da" is a word of German, too
        return kind if match["r_day"] or match["dmy_m"] else "since"
    return kind


def is_meant(match: re.Match[str]) -> bool:
    """Return whether a match that names a day or a month of these languages means one."""
    bound = uncased(match["bound"] or "")
    is_bound = any(pattern.fullmatch(bound) for pattern in _KINDS.values())
    if match["r_day"]:
        return is_bound or bool(match["r_last"] or match["r_next"] or match["r_coming"])
    name, said = uncased(match["r_month"]), uncased(match[0])
    if match["bound"]:
        return is_bound
    if said.startswith(("a ", "ad ")):  # "da gennaio a maggio" is a stretch
        return name in _ITALIAN_ALONE and not _BEHIND_A_MONTH.search(match.string, max(0, match.start() - REACH), match.start())
    return not said.startswith("in ") or name in _ITALIAN


def is_to_come(sentence: str) -> bool:
    """Return whether a verb of a sentence tells of what is to come: "Desde septiembre trabajaré en Sevilla"."""
    return _TO_COME.search(sentence) is not None


def is_beside_another(text: str, match: re.Match[str]) -> bool:
    """Return whether another day of the week stands around one."""
    around = (text[max(0, match.start() - REACH) : match.start()], text[match.end() : match.end() + REACH])
    return any(_ANOTHER.search(words) for words in around)
