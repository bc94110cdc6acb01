"""Words without content: what remains of a sentence without them is its statement.

Words are lower case, apostrophes straight. The lists were checked against every turn of the conversations of the benchmark:
`python -m bench.extraction --dropped` prints what they drop.
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.english_words import (
    AROUND_NOUNS,
    BEING,
    DENYING,
    FURTHER_PREPOSITIONS,
    HELPING,
    MODALS,
    NEGATED,
    OBJECTS,
    ORDER,
    PLACES,
    POSSESSED,
    POSSESSIVES,
    QUANTITIES,
    QUESTION_WORDS,
    SUBJECTS,
)
from lattice_common.language.vocabulary import vocabulary

WORD = lazy_regex(r"[^\W_]+(?:['’.-][^\W_]+)*", re.UNICODE)

THEIRS = (
    r"(?:seine?|ihre?(?!\s\w+t\b)|son|sa|ses|leurs?|sus?|i suoi|le sue|(?:il |la )?su[oa]|seu|z['’]n|zijn|haar|hun|jego|jej)"
    r"\s+[^\W\d_]{2,}|[oa]s? [^\W\d_]{3,} del[ea]s?\b"
)
"""What is somebody's who is not named in it, in other languages than English: "seine Nummer", "jej numer", "o telefone dela"."""

FUNCTION_WORDS = (
    (AROUND_NOUNS | SUBJECTS | OBJECTS | POSSESSIVES | POSSESSED | QUESTION_WORDS | BEING | HELPING | MODALS | NEGATED)
    | (FURTHER_PREPOSITIONS | QUANTITIES | DENYING | PLACES | ORDER)
    | vocabulary(
        """myself yourself having doing i'm i've i'll i'd we're we've we'll we'd you're you've you'll you'd he's he'd he'll she's
        she'd she'll it's it'd it'll they're they've they'll they'd that's that'd that'll there's here's what's who's where's
        how's let's also even still yet ever never always much many lot lots bit kind sort thing things stuff something anything
        everything nothing someone anyone everyone way around other only own same than too very just now im ive dont thats whats
        gonna gotta wanna ya ur u r n em 'em"""
    )
) - {"few", "since"}
"""English words of any sentence."""

SMALL_TALK = vocabulary(
    """hey hi hello hiya howdy yo bye goodbye cya later morning evening night thanks thank thx ty appreciate welcome please
    sorry wow whoa woah oh ooh ah aww aw haha hahaha lol yay yep yup yes yeah nope nah ok okay k sure right exactly
    totally absolutely definitely certainly indeed agreed agree true really well hmm hm um uh omg gosh cool great awesome
    amazing nice good fantastic wonderful lovely sweet super neat rad epic incredible excellent perfect brilliant
    beautiful gorgeous stunning impressive interesting inspiring exciting excited stoked pumped thrilled happy glad proud
    fine pretty fun funny cute best better luck lucky congrats congratulations cheers bravo kudos sounds sound looks look
    looking seems feel feels hear heard hearing see seeing seen talk talking chat chatting catch catching speak soon keep
    kept going go enjoy enjoyed enjoying have take care stay safe touch wait know knew think thought guess mean
    means say said tell told let share sharing shared shows show check checking wish wishes hope hoping wishing bet rest
    day today weekend week time times long big much love loved like liked likes wonder forward idea fair enough
    point makes make made sense job work hard worth deserve done doing awesomeness kind nicely buddy dude man bro girl
    friend pal mate folks guys everyone hugs xoxo cheerio anytime problem worries worry course deal forget remember always
    truly honestly actually basically literally especially though anyway anyways alright crazy wild special believe amazed
    blown away mind journey ahead rock rocking crush crushing killing nailed support supporting supportive positive
    vibes energy words reminder happen happened happening new news up what's-up sup life been hows lately gotta hang
    crossed fingers update updates posted post pic pics photo photos picture pictures moment moments memory memories
    passion passionate dedication determination effort dream dreams come coming achieve achieved experience experiences
    opportunity awesomely heart heartwarming touching powerful cherish treasure noted"""
)
"""Greetings, thanks, praise and encouragement. A sentence of only these and function words makes no memory."""

AFFIRMATIONS = vocabulary(
    "yes yeah yep yup yea no nope nah not never sure absolutely definitely totally exactly indeed sometimes maybe"
)
"""A reply that begins with one of these refers to the question before it."""

BACKWARD = vocabulary("it they he she that this these those it's they're he's she's that's its their them his her hers him")
"""A sentence that begins with one of these refers to the sentence before it."""

STRETCHES = vocabulary("day days week weekend month year time morning afternoon evening spring summer autumn winter term season")
"""Behind "this" and "these" they say when, and not of what: "These days one shop is plenty."."""

LINKS = vocabulary("and but so also plus then because although though however still yet or well oh even yeah yes anyway anyhow")
"""Words before the first significant one."""

_ELLIPSIS = lazy_regex(
    r"^(?:(?:just|finally|recently|now|also|still|really) )*(?:moved|relocated|sold|bought|stopped|quit|gave|got|started|"
    r"switched|need|want|prefer|thinking (?:of|about)|can't|cannot|hate|tried|watched|paid|weighed|met|went|saw|allergic|"
    r"gonna|hoping|planning)\b"
)


def elliptic(lowered: str) -> str:
    """Return a note in lower case with the "I" that people leave out: "need to renew passport"."""
    return f"i {lowered}" if _ELLIPSIS.match(lowered) else lowered


_APOSTROPHE = str.maketrans("’‘", "''")


def words_of(text: str) -> list[str]:
    """Return the words of a text, lower case, with straight apostrophes."""
    return [word.lower() for word in WORD.findall(text.translate(_APOSTROPHE))]


def first_word(text: str) -> str:
    """Return the first word of a text; "" where there is none: "____" and "❦" are topics of somebody's clause."""
    return next(iter(words_of(text)), "")


def opening_word(text: str) -> str:
    """Return the first word of a text, without what is drawn together with it: "it" of "it's"."""
    return first_word(text.lstrip("( ")).partition("'")[0]


def has_content(text: str) -> bool:
    """Return whether a text has a word that says something: neither a function word nor small talk."""
    return any(word not in FUNCTION_WORDS and word not in SMALL_TALK for word in words_of(text))
