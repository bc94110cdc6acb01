"""What somebody else says of themselves in the first person: `"I live in Paris now," said Kim`, "Text from Kim: I left Contoso".

Taken for the owner's own words it would end what is so of the owner. Rules over a sentence as it is written, with `EXAMPLES`.
"""

from __future__ import annotations

import re

from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.given_names import GIVEN_NAMES
from lattice_common.language.words import any_of, people_by_role

LONGEST = 600
"""Characters of a sentence that are read."""

_QUOTED = lazy_regex(
    r"“[^”]{2,}”|\"[^\"]{2,}\"|„[^“”\"]{2,}[“”\"]|«[^»]{2,}»|(?<!\w)['‘][^'‘’\n]+(?:['’]\w+[^'‘’\n]*)*['’](?!\w)"
)
SAID = (
    r"(?:sa(?:id|ys)|t(?:old|ells)|wr(?:ote|ites)|text(?:ed|s)|e-?mail(?:ed|s)|messaged|repl(?:ied|ies)|answer(?:ed|s)|announce[ds]|"
    r"declare[ds]|admit(?:ted|s)|insist(?:ed|s)|claim(?:ed|s)|shout(?:ed|s)|whisper(?:ed|s)|laugh(?:ed|s)|beam(?:ed|s)|grinned|"
    r"sigh(?:ed|s)|joked?|cried|explain(?:ed|s)|repeat(?:ed|s)|goes|post(?:ed|s)|tweeted|promise[ds]|swore|warn(?:ed|s)|"
    r"muttered|yelled|confessed|sagte|sagt|schrieb|schreibt|meinte?|erzählte?|antwortete|rief|erklärte?|dit|écrit|répond(?:it)?|"
    r"déclare|raconte|dijo|dice|escribió|contestó|respondió|anunció|disse|detto|scritto|scrisse|rispose|zei|zegt|schreef|diz|"
    r"escreveu|respondeu|powiedziała?|mówi|napisała?|сказала?|говорит|написала?|dedi|yazdı)"
)
OWN = r"(?:i|we|ich|wir|je|j['’]ai|nous|yo|nosotros|io|noi|ik|wij|eu|nós|ja|я|мы|ben|biz)"
_SAID_IT = lazy_regex(rf"\b{SAID}\b(?!\s+{OWN}\b)", re.IGNORECASE)
_SAID_IT_MYSELF = lazy_regex(rf"\b{OWN}(?:['’]\w+)?(?:\s+\w+)?\s+{SAID}\b|\b{SAID}\s+{OWN}\b", re.IGNORECASE)
_MINE = (
    r"(?:i(?:['’]\w+)?|my|we(?:['’]\w+)?|our|ich|mein\w*|wir|unser\w*|je|j['’]|mon|ma|nous|yo|mi|ik|mijn|wij|eu|minha|meu|io|я|мы|"
    r"мо[йя])\b"
)
_FIRST_PERSON = rf"[\s\"“„«'‘]*{_MINE}"
_IN_FIRST_PERSON = lazy_regex(rf"(?<![\w'’]){_MINE}", re.IGNORECASE)
LETTER = (
    r"(?:text|message|e-?mail|mail|letter|note|postcard|card|voicemail|sms|whatsapp|post|nachricht|brief|postkarte|lettre|carta|"
    r"mensaje)"
)
_LED_IN = lazy_regex(
    rf"^\W*(?:(?!{OWN}\b)[^:]{{0,60}}\b{SAID}\b[^:]{{0,30}}|(?:an? |the |new )?{LETTER} (?:from|von|de) (?!me\b)[^:]{{1,40}}|"
    rf"from (?!me\b|my\b)[^:]{{1,40}}\b{LETTER}\b[^:]{{0,20}}):{_FIRST_PERSON}",
    re.IGNORECASE,
)
_NAMED = lazy_regex(
    rf"^\W*(?P<who>[^\W\d]+(?: [^\W\d]+)?)(?: (?:on|by|via|over|in|am|per|au|par|por) [^:]{{1,30}})?:{_FIRST_PERSON}",
    re.IGNORECASE,
)
_ANSWERING_MACHINE = lazy_regex(r"^\W*(?:voicemail|answering machine|anrufbeantworter)\b[^:]{0,30}:", re.IGNORECASE)
_SIGNED = lazy_regex(r"^\W*[-–—]\s*(?!me\b)(?P<who>[^\W\d]+(?: [^\W\d]+){0,2})\W*$", re.IGNORECASE)
_KIN = lazy_regex(rf"(?:my |our )?(?:{any_of(people_by_role() | people_by_role(one=True))})", re.IGNORECASE)
WORDS_OF_A_SAYER = 6
"""Most words of what stands beside a quotation and only says whose it is."""

EXAMPLES: tuple[tuple[str, str, bool], ...] = (
    ('"I live in Paris now," said Kim.', "I live in Paris now", True),
    ('"I live in Paris now," I said to Kim.', "I live in Paris now", False),
    ('I told Kim: "I live in Paris now."', "I live in Paris now", False),
    ('Kim wrote "my new phone number is 0117 496 7777".', "my new phone number is 0117 496 7777", True),
    ("Kim wrote: I'm married now!", "I'm married now!", True),
    ("Text from Kim: I have moved to Paris", "I have moved to Paris", True),
    ("Priya: I live in Paris now", "I live in Paris now", True),
    ("Mum: I live in Paris now", "I live in Paris now", True),
    ("Mum on the phone: I've sold the car", "I've sold the car", True),
    ("Voicemail: hi, it's Dr Roth, my new surgery is in Clifton", "my new surgery is in Clifton", True),
    ('"I quit smoking" - Lena', "I quit smoking", True),
    ('"I quit smoking" - my note from May', "I quit smoking", False),
    ('"I now work for Fabrikam", beamed my cousin.', "beamed my cousin", True),
    ("Home: I live in Paris now", "I live in Paris now", False),
    ('"I\'m off to Paris," said Kim, so I booked a hotel.', "I booked a hotel", False),
    ("«Ahora vivo en París», dijo Kim.", "Ahora vivo en París", True),
    ('The sign at the pool says "closed", I went home.', 'The sign at the pool says "closed"', False),
    ('The new café is called "My Place".', "The new café is called", False),
)
"""A sentence, the quote of a statement in it, and whether the statement is another's."""


def is_of_another(sentence: str, quote: str) -> bool:
    """Return whether the first person of a statement is somebody else; its words are `quote`, in `sentence`. Linear in the first
    `LONGEST` characters."""
    text = sentence[:LONGEST]
    at = text.find(quote)
    if at < 0:
        return False
    if _is_led_in(text) and at + len(quote) > text.index(":"):
        return True
    spans = [match.span() for match in _QUOTED.finditer(text)]
    inside = any(at < end and start < at + len(quote) for start, end in spans)
    only_who_says_it = bool(spans) and len(quote.split()) <= WORDS_OF_A_SAYER and _SAID_IT.search(quote)
    if not inside and not only_who_says_it:
        return False
    outside = _QUOTED.sub(" ", text)
    signed = _SIGNED.match(outside)
    if signed and names_a_person(signed["who"]):
        return True
    if not _SAID_IT.search(outside) or _SAID_IT_MYSELF.search(outside):
        return False
    # "Ahora vivo en París": in other languages the verb may be all that is in the first person.
    return language_of(text) is not None or any(_IN_FIRST_PERSON.search(text, *span) for span in spans)


def goes_on_speaking(before: str, sentence: str) -> bool:
    """Return whether a sentence is nothing but what somebody else, who spoke in the one `before`, goes on to say of themselves:
    `"I'm off to Paris," says Kim. "I've found a flat."`"""
    said = _QUOTED.search(sentence[:LONGEST])
    if (
        said is None
        or sentence[: said.start()].strip()
        or sentence[said.end() :].strip(" .,!?")
        or not is_in_first_person(said[0])
    ):
        return False
    spoken = _QUOTED.search(before[:LONGEST])
    return spoken is not None and is_of_another(before, spoken[0])


def is_within_quotation(words: str) -> bool:
    """Return whether a line ends within what somebody else said in several sentences, or with the end of that, of which it says
    before who did: `Forwarded from Anna: "Ladies! Lose a stone"`."""
    ended = words.rstrip(" .!?")
    body = ended[:-1] if ended.endswith(('"', "”")) else words
    mark = max(body.rfind('"'), body.rfind("“"))
    if mark < 0 or "”" in body[mark:] or not _SENTENCES.search(body, mark):
        return False
    lead = words[max(0, mark - LONGEST_LEAD) : mark]
    return _LEADS_IN.search(lead) is not None and _SAID_IT_MYSELF.search(lead) is None


LONGEST_LEAD = 60
"""Characters before a quotation in which it is said whose it is."""
_LEADS_IN = lazy_regex(
    rf"(?:\b(?:fwd|forwarded)\b[^\"“:]{{0,30}}|\b{SAID}\b[^\"“:]{{0,30}}|\b{LETTER} from [^\"“:]{{1,30}}|\bchat):? \Z",
    re.IGNORECASE,
)
_SENTENCES = lazy_regex(r"[.!?]")
"""Between the marks: a name in them is no quotation."""


def is_in_first_person(words: str) -> bool:
    """Return whether "I", "my" and the like stand in words."""
    return _IN_FIRST_PERSON.search(words) is not None


def _is_led_in(text: str) -> bool:
    """Return whether a sentence begins with who says the rest of it: "Kim wrote:", "Text from Kim:", "Kim:"."""
    if _LED_IN.match(text) or _ANSWERING_MACHINE.match(text):
        return True
    named = _NAMED.match(text)
    return named is not None and names_a_person(named["who"])


def names_a_person(words: str) -> bool:
    """Return whether words have a given name in them, or are what one calls a relative: "Sarah Jones", "my sister"."""
    return _KIN.fullmatch(words) is not None or not GIVEN_NAMES.isdisjoint(words.split())
