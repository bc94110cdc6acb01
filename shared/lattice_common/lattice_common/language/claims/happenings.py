"""What happened once and left nothing that holds on: a payment, a meal, a visit. Another one like it ends none of them.

"Paid 55 for the plumber." reads like news of "Paid 40 for the plumber.", but both were paid, and what was lent was lent, whatever
was paid back of it since. What leaves something behind that holds ("Bought a Skoda", "Moved to Leeds") is none of these. Verbs by
language, as data.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lattice_common.language.amounts import MOVED, amounts_in
from lattice_common.language.debts import moved
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.names import names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import fold

VERBS: dict[str, str] = {
    # "Paid 40 for the plumber", "We had lunch with Karim", "Bought strawberries for 3 euros"
    "en": (
        r"paid(?! off)|spent|tipped|donated|ate(?! (?-i:[A-Z]))|drank|cooked|baked|"
        r"watched|(?:(?<!i )(?<!we )read|finished)(?= [\"“]| (?-i:[A-Z]))|(?:ran|cycled|walked)(?= .*\d)|"
        r"met(?! (?:mijn|de|een|het|ons|onze)\b)|saw(?! is)|visited|went to|flew to|swam|hiked|rang|phoned|"
        r"texted|told (?:me|us|him|her|them) about|won(?!['’])|scored|"
        r"had (?:an? |the |our |another )?(?:\w+ )?(?:breakfast|brunch|lunch|dinner|supper|coffee|drinks?|tea|beers?|meal|"
        r"barbecue|picnic|party|meeting|walk|swim|haircut|massage|check-?up|scan)|(?:bought|sold|got) (?=.*\bfor\b.*\d)"
    ),
    "de": (
        r"(?:habe?|haben|hat)\b.*\b(?:bezahlt|gezahlt|ausgegeben|gespendet|gegessen|getrunken|gekocht|gebacken|getroffen|besucht|"
        r"gesehen|angerufen|gewonnen|gelesen)"
    ),
    "fr": r"(?:ai|avons|a) (?:payé|dépensé|mangé|bu|cuisiné|vu|visité|rencontré|appelé|gagné|lu)",
    "es": r"pagué|pagamos|gasté|gastamos|comí|cené|cenamos|vi|vimos|visité|visitamos|llamé|gané|leí",
    "it": r"(?:ho|abbiamo|ha) (?:pagato|speso|mangiato|bevuto|cucinato|visto|visitato|incontrato|chiamato|vinto|letto)",
    "nl": r"(?:heb|hebben|heeft)\b.*\b(?:betaald|uitgegeven|gegeten|gedronken|gekookt|gezien|bezocht|ontmoet|gebeld|"
    r"gewonnen|gelezen)",
    "pt": r"paguei|pagámos|gastei|gastámos|comi|jantei|almocei|vi|visitei|visitámos|liguei|ganhei",
}

_WHO = (
    r"(?:i|we|he|she|they|ich|wir|er|sie|beim? \w+|je|j['’]|nous|yo|io|ik|wij|eu|"
    r"(?-i:[A-Z])\w+(?: and (?-i:[A-Z])\w+)?)\s*"
)
_HAPPENED = lazy_regex(
    rf"^\W*(?:{_WHO}\b)?(?:\s*(?:just|finally|then|only)\s+)?(?P<verb>{'|'.join(VERBS.values())})\b", re.IGNORECASE
)
_CHANGED = lazy_regex(
    r"\b(?:now|instead|actually|not|no longer|any ?more|really|correction|meant|rather|these days|from now on|sorry|wrong|"
    r"eigentlich|nicht|sondern|statt\w*|jetzt|finalement|plutôt|maintenant|pas|en realidad|ahora|"
    r"no(?=,| (?:fue|eran?|es|son|los?|las?|el|\d))|invece|adesso|non|eigenlijk|"
    r"niet|afinal|agora|não)\b",
    re.IGNORECASE,
)
_WAS_ON = lazy_regex(
    # "Lunch with Karim was on 3 March", "Der Termin war am Dienstag"
    r"^(?!\W*(?:the |my |our )?last\b)[^,;.!?]{3,60}?\b(?:was|were|took place|war|waren|était|étaient|fue|fueron|foi|foram|era|"
    r"erano)\s+(?:on|in|last|am|im|letzte\w*|le|la|el|il|no|na|yesterday|gestern|hier|ayer|ieri|ontem)\b",
    re.IGNORECASE,
)


def both_happened(newer: str, older: str) -> bool:
    """Return whether two statements tell of two happenings of one kind, and the newer takes nothing of the older one back."""
    if _CHANGED.search(newer):
        return False
    one, other = _HAPPENED.match(newer), _HAPPENED.match(older)
    if one is not None and other is not None and _kind(one["verb"]) == _kind(other["verb"]):
        return True
    return _changed_hands(newer) and _changed_hands(older)


def is_over(older: str, newer: str) -> bool:
    """Return whether an older statement tells what happened once, and the newer takes nothing of it back: "Ran 5k, 27:10." stays
    true whatever is run later. Of 194 such statements beside news of the same life (`train/data`) it ended three."""
    return has_happened(older) and not _CHANGED.search(newer)


def has_happened(statement: str) -> bool:
    """Return whether it tells what happened once."""
    return _HAPPENED.match(statement) is not None and not _GOES_ON.search(statement)


_GOES_ON = lazy_regex(
    r"\b(?:so far|at present|at the moment|every|always|usually|each|per|currently|still|running|in a row|"
    r"an? (?:hr|hour|day|night|week|month|year|go|lesson|time|drop|head)|\w+days|weekly|monthly|"
    r"tickets?|seats?)\b",
    re.IGNORECASE,
)
"""What has happened so far, or happens again and again, or is still to be used."""


@lru_cache(maxsize=1024)
def _changed_hands(statement: str) -> bool:
    """Return whether money went to somebody or came from them: "Callum sent 30 back" does not undo that 240 were lent, but may
    end that he owes them."""
    told = moved(statement) if any(map(str.isdigit, statement)) else None
    return told is not None and not told.owed and next(amounts_in(statement, None, bare=MOVED), None) is not None


def is_followed(newer: str, older: str) -> bool:
    """Return whether an older statement tells when something was, and the newer does not correct that: of two events it is the
    next one."""
    return _WAS_ON.match(older) is not None and not _CHANGED.search(newer)


def says_that_it_came(newer: str, older: str) -> bool:
    """Return whether these few words only say that what was to come has come: "All moved in.", "Umgezogen!", "The wedding was
    lovely."; they give no number or name of their own, and deny nothing."""
    if len(newer.split()) > MOST_WORDS or any(map(str.isdigit, newer)) or _CHANGED.search(newer):
        return False
    said = in_english(newer)
    if _CAME.search(said) is None or _DENIES.search(said) is not None:
        return False
    known = older.lower()
    return all(name.word.lower() in known for name in names_of(newer) if not name.initial)


MOST_WORDS = 7
"""Of such words."""
_CAME = lazy_regex(
    r"\b(?:moved? in|moved? house|settled in|arrived?|delivered?|installed|landed|came|"
    r"(?:is|are|['’]s|['’]re|finally|all) (?:here|in|up|live)|(?:was|were|went) (?:\w+ )?(?:lovely|great|good|fine|well|nice|fun|"
    r"amazing|brilliant|beautiful|perfect|smoothly|wonderful))\b",
    re.IGNORECASE,
)
_DENIES = lazy_regex(r"\b(?:not|no|never|none|\w+n['’]t|cannot|off|late|but|until|over|back)\b", re.IGNORECASE)


def _kind(verb: str) -> str:
    """Return what two happenings of one kind have in common: what was had, else the verb, the last word."""
    words = [word for word in fold(verb).split() if word != "to"]
    return words[-1]
