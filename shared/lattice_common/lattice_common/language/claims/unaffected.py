"""News of what is somebody else's, of a part or a copy, or of something that was only looked at: it ends nothing that was said of
the thing itself, though the sentences are alike.

The judge reads "Dr Shah put Anna's citalopram up to 40 mg" as news of "I take 20 mg of citalopram".
"""

from __future__ import annotations

import re

from lattice_common.language.claims.of_a_kind import has_phone_number
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.coreference import WOMEN_AND_MEN, is_known_word
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, THEIRS
from lattice_common.language.text import fold
from lattice_common.language.words import any_of, people_by_role

_NAME = r"[A-ZÀ-Þ][a-zß-ÿ][\w-]*"
_ANOTHERS = lazy_regex(
    rf"(?P<name>{_NAME})(?:['’]s?\b) (?P<thing>(?:[a-zß-ÿ][\w-]* ){{0,2}}?[a-zß-ÿ][\w-]+)(?! now\b)"
    rf"|\b(?:[Dd](?:as|er|ie)) (?P<thing_von>[A-ZÄÖÜ][\w-]+) von (?P<von>{_NAME})"
    rf"|\bthe (?P<thing_of>[a-z][\w-]+) of (?P<of>{_NAME})"
)
_OWNERS = lazy_regex(
    r"\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|we['’](?:re|ve|d|ll)|us|our|ours|ich|mich|mir|mein\w*|wir|uns|unser\w*)\b",
    re.IGNORECASE,
)
_OWN = lazy_regex(
    r"\b(?:my|our|mein\w*|unser\w*) (?P<thing>[\w-]+(?: [\w-]+)?)|^\W*(?:i|we|ich|wir)\b (?P<all>.*)",
    re.IGNORECASE,
)
_FOR_SOMEBODY = lazy_regex(rf"\b(?:[Ss]igned|[Ee]nrolled|[Rr]egistered) (?P<who>{_NAME}) (?:up|in|for|with|at)\b")
_ROLE_GIVEN_UP = lazy_regex(
    r"\b(?:stepped|stood) (?:down|back|aside) as (?:an? |the |our |my |her |his |their )?(?P<role>[a-z][\w -]*?)"
    r"(?=\s(?:of|at|for|in|on|after|because|last|this)\b|[.,;:!?]|$)"
)
_HAS_A_ROLE = lazy_regex(r"(?:\bis|['’]s) (?:an?|the|our|my|her|his|their|head|chair) ?\w+")
_PART = lazy_regex(
    r"\b(?:sold|lost|found|gave away|threw out) "
    r"(?:the|my|our|his|her) (?P<whole>[\w-]+)['’]s (?P<part>(?:[a-z][\w-]* ){0,2}[a-z][\w-]+)",
    re.IGNORECASE,
)
_COPY = lazy_regex(
    r"^\W*(?:a|the|another|one) (?:spare )?copy of (?P<thing>[^.;]{0,40}?) (?:is|are|hangs?|lies?|went)\b", re.IGNORECASE
)
_PLACE = r"(?:flats?|houses?|places?|apartments?|semis?|cottages?|rooms?|studios?|bungalows?|terrace|wohnung|haus)"
_LOOKED_AT = lazy_regex(
    rf"^\W*(?:(?:we|i|we['’]ve|i['’]ve) )?(?:viewed|viewing|shortlist(?:ed)?)\b|"
    rf"\b(?:looked (?:at|round)|went to (?:see|view)|viewed|besichtigt)\b[^.;]{{0,30}}\b{_PLACE}\b|"
    rf"\b{_PLACE}\b[^.;]{{0,40}}\bbesichtigt\b",
    re.IGNORECASE,
)
_TOOK = lazy_regex(
    r"\b(?:bought|took|taken|taking|signed|moved|moving|rented|renting|got it|ours|accepted|exchanged|keys|"
    r"genommen|gekauft|gemietet)\b",
    re.IGNORECASE,
)
_ONLY_TODAY = lazy_regex(
    r"\bleft\b[^.;]{0,40}\b(?:early|late) (?:today|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE
)


def leaves_as_it_was(newer: str, older: str) -> bool:
    """Return whether `newer` plainly speaks of something else than `older`, which it would seem to end: what is somebody else's,
    a part or a copy, another role, or what was looked at. Linear."""
    words = _words(older)
    return (
        _says_too_little(older)
        or (_says_too_little(newer) and _OF_A_PERSON.match(newer) is not None)
        or _is_small_talk(newer)
        or _is_somebodys(newer, older, words)
        or _is_anothers_relation(newer, older)
        or (_OF_THE_WRITER.match(newer) is not None and _IS_THEIRS.match(older) is not None)
        or _is_of_a_part(newer, words)
        or _is_a_number_of_something_else(newer, older, words)
        or _is_of_another_role(newer, older, words)
        or _is_home_and_work(newer, older)
        or (_LOOKED_AT.search(newer) is not None and _TOOK.search(newer) is None)
        or _ONLY_TODAY.search(newer) is not None
    )


def _says_too_little(words: str) -> bool:
    """Return whether a statement names neither whom or what it speaks of nor anything of it that news could end: "She doesn't.",
    "me!", "No thank you", "AGM."."""
    said = words.split()
    if _is_small_talk(words) or (len(said) == 1 and said[0].isupper() and not any(map(str.isdigit, words))):
        return True
    return (
        _OPEN.match(words) is not None and len(said) <= FEW and not _HAS_A_NAME.search(words) and not any(map(str.isdigit, words))
    )


def _is_small_talk(words: str) -> bool:
    return _SMALL_TALK.match(words) is not None and len(words.split()) <= MOST_OF_SMALL_TALK and not _OWNERS.search(words)


MOST_OF_SMALL_TALK = 7
"""Words of thanks and greetings: "Thank you Lord I passed the board" says something."""
FEW = 4
"""Words of what says something of he, she, it or them alone, up to which it says too little."""
_OPEN = lazy_regex(r"\W*(?:and |but |so |well |then |anyway )?(?:s?he|it|they|that|this)(?:['’]\w+)?\b", re.IGNORECASE)
_OF_A_PERSON = lazy_regex(r"\W*(?:and |but |so |well )?s?he\b", re.IGNORECASE)
_HAS_A_NAME = lazy_regex(r"(?<=[a-z,] )[A-ZÀ-Þ][a-zß-ÿ]+")
_SAYS_WHO = (
    r"(?:i['’]m|i am|i live|my name|je|j['’]|c['’]est|soy|vivo|me llamo|sono|mi chiamo|ik ben|ik woon|ich (?:bin|heiße|wohne))"
)
_SMALL_TALK = lazy_regex(
    r"\W*(?:(?:hi|hello|hey|dear (?-i:[A-Z])\w+|thanks|thank you|no,? thank(?:s| you)|cheers|sorry|(?:aye|yeah) right|"
    rf"bonjour|salut|hola|ciao|hallo)\b(?![^.!?]*\b{_SAYS_WHO})|(?:me|us|him|them)\W*\Z)",
    re.IGNORECASE,
)


def _is_somebodys(newer: str, older: str, words: frozenset[str]) -> bool:
    """Return whether a thing of somebody's whom the older statement does not name is what that says of its writer."""
    own = _OWN.search(older)
    given = _FOR_SOMEBODY.search(newer) if own else None
    if given and fold(given["who"]) not in words:
        return True
    of_owner = _words(own["thing"] or own["all"]) if own else frozenset()
    for found in _ANOTHERS.finditer(newer) if of_owner and not WOMEN_AND_MEN & words else ():
        name = found["name"] or found["von"] or found["of"]
        thing = _words(found["thing"] or found["thing_von"] or found["thing_of"])
        rest = f"{newer[: found.start()]} {newer[found.end() :]}"
        is_another = fold(name) not in words and not is_known_word(name.lower()) and not _ANOTHERS.search(older)
        if is_another and thing & of_owner and not thing & _words(rest) and not _OWNERS.search(rest):
            return True
    return False


def _is_anothers_relation(newer: str, older: str) -> bool:
    """Return whether one of both is of the writer's mother and the other of Joel's: "Mum moved" and "Joel's mum lives here"."""
    for one, other in ((newer, older), (older, newer)):
        theirs, own = _RELATION_OF.match(one), _RELATION.match(other)
        if theirs and own and theirs["role"].lower() == own["role"].lower() and fold(theirs["name"]) not in _words(other):
            return True
    return False


_ROLES = any_of(people_by_role("en", one=True))
_RELATION_OF = lazy_regex(rf"\W*(?P<name>{_NAME})['’]s (?P<role>(?i:{_ROLES}))\b")
_RELATION = lazy_regex(rf"\W*(?:(?:[Mm]y|[Oo]ur) )?(?P<role>(?i:{_ROLES}))\b(?!['’]s)")


_OF_THE_WRITER = lazy_regex(
    r"\W*(?i:new|neue[rs]?|nouve(?:au|lle)|nuev[oa]|nuov[oa]|nov[oa]|nieuwe?|now[yae]|yeni) "
    r"[a-zß-ÿA-ZÀ-Þ][\w-]+(?: [a-zß-ÿ][\w-]+)?\s*:\s"
)
"""A label with no owner is of who writes it: "neue Handynummer: 0677 …"."""
_IS_THEIRS = lazy_regex(
    rf"\W*(?:[^:\n]{{2,40}}: )?(?:(?:his|her|their) [^\W\d_]{{2,}}|{THEIRS})",
    re.IGNORECASE,
)
"""What is of somebody other than who writes, whether or not it is known of whom: "seine Nummer ist 0650 …"."""


def _is_of_a_part(newer: str, words: frozenset[str]) -> bool:
    part, copy = _PART.search(newer), _COPY.match(newer)
    if part and fold(part["whole"]) in words and not _words(part["part"]) & words:
        return True
    return copy is not None and bool(_words(copy["thing"]) & words)


def _is_a_number_of_something_else(newer: str, older: str, words: frozenset[str]) -> bool:
    """Return whether a telephone number is told, and the older statement has neither one nor a word of whose it is: "new number
    of Léa 06 …" beside "the gate code is 90A33 now"."""
    if _NUMBER.search(newer) is None or not has_phone_number(newer) or has_phone_number(older):
        return False
    return words.isdisjoint(_words(_NUMBER.sub("", newer)))


_NUMBER = lazy_regex(
    r"\b(?:new|neue|nouveau|nouvel|nuevo|nuovo|novo|nieuwe?|nowy|yeni|number|nummer|numéro|numero|número|numer|numara\w*|tel\w*|phone|"
    r"mobile|mobil\w*|handy\w*|portable|cell|móvil|cellulare|celular|komórk\w*)\b",
    re.IGNORECASE,
)


def _is_of_another_role(newer: str, older: str, words: frozenset[str]) -> bool:
    given_up = _ROLE_GIVEN_UP.search(newer)
    return given_up is not None and _HAS_A_ROLE.search(older) is not None and not _words(given_up["role"]) & words


def _is_home_and_work(newer: str, older: str) -> bool:
    """Return whether one of both is of where somebody lives and the other of where they work."""
    return any(
        _WORKPLACE.search(one) is not None and _WORKPLACE.search(other) is None and _HOME.search(other) is not None
        for one, other in ((newer, older), (older, newer))
    )


_WORKPLACE = lazy_regex(
    r"\b(?:office|desk|workplace|studio|workshop|büro\w*|schreibtisch|werkstatt|bureau|atelier|oficina|despacho|taller|ufficio|"
    r"scrivania|escritório|kantoor|biur\w+|ofis\w*)\b",
    re.IGNORECASE,
)
_HOME = lazy_regex(
    r"\b(?:(?:i|we) (?:\w+ )?(?:live|rent)|(?:new|home) address|flat|apartment|(?:ich|wir) wohn\w+|umgezogen|adresse|"
    r"wohnung|(?:j['’]|on )habite|emménagé|appartement|vivo en|me he mudado|piso|abito|trasferit[oa]|appartamento|moro|"
    r"apartamento|woon|verhuisd|mieszka\w*|oturuyor\w*|taşındı\w*)\b",
    re.IGNORECASE,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text))) - FUNCTION_WORDS


_WORD = lazy_regex(r"\w[\w-]+")
