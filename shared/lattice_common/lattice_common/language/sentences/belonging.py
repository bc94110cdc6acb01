"""What a note goes on to say of something that it has just named, by a part or value of it alone: "Theo handed in his notice,
last day is the 30th.", "Supplier is Hobart, contact there is Mr Quill."

Alone such words answer nothing ("When does Theo leave?"), and are taken for news of whatever else has a last day. So they stand
below whom or what they belong to, where what was said just before leaves one choice; otherwise they stay as they were said.
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.coreference import candidates, is_known_word
from lattice_common.language.sentences.clauses import subject_of_clause
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS
from lattice_common.language.sentences.verbs import ADVERBS, FINITE, PAST
from lattice_common.language.tables.first_names import HE, SHE
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, people_by_role

_OF_A_FIRM = {"manager", "line manager", "boss", "supervisor", "landlord", "landlady", "vet", "physio"}
_ROLES = (people_by_role(one=True) - _OF_A_FIRM) | vocabulary(
    """consultant carer childminder specialist surgeon nurse bridesmaid godmother godfather roommate flatmate housemate brother
    sister"""
)
_OF_SOMEBODY = (
    r"(?:last|first|next|final|due|start|end|leaving|starting) (?:day|date|shift|scan|check(?:-up)?)|notice period|birthday|"
    r"surname|maiden name|nickname|middle name|pronouns|shoe size|blood type|uniform|locker|"
    rf"(?:form tutor|class teacher|(?:key|social) worker|best (?:man|friend)|\w{{3,}}(?:ologist|iatrist)|{any_of(_ROLES)})"
    r"(?= (?:is|was) (?:now |called |an? )*(?-i:[A-Z]))"
)
_OF_NOBODY = (
    r"(?:(?:gate|door|entry|access|alarm|key ?safe|discount|promo|sort) )?code|pin|passcode|(?:(?:wifi|wi-fi) )?password|"
    r"(?:wifi|wi-fi) code"
)
_OF_A_THING = (
    r"(?:last|first|next|final) (?:payment|instal?ment|bill|lesson|session|delivery|class|visit|appointment|one)|"
    r"(?:next|last)(?= (?:is|was|due)\b)|(?:(?:water|tyre|oil|system) )?pressure|temperature|setting|combination|"
    r"(?:frame|serial|model|chip|reg|registration|plate|part|policy|account|membership|booking|flight|order|reference|customer|"
    r"room|seat|phone|tracking|invoice|case|claim) (?:number|no\.?|code|ref)|serial|reg(?= is (?-i:[A-Z]+\d|\d))|"
    r"(?:(?:monthly|annual|yearly|weekly|daily|entry|joining|service|booking|late|cancellation) )?"
    r"(?:fees?|charges?|price|cost|rent|lease|mortgage|insurance|road tax|deposit|premium|tariff|direct debit|balance|bill|"
    r"excess|interest|rate|salary|pay)|(?:hip |knee )?(?:op|operation|surgery)|treatment|repairs?|scan|x-?ray|"
    r"(?:(?:new|old|home|work|mobile) )?number|warranty|guarantee|lead time|delivery|mileage|capacity|dosage|dose|side effects|"
    r"expiry date|deadline|closing date|due date|"
    r"subs|rehearsals|shifts|practice|lessons|check-?in|check-?out|doors|kick-?off|curtain|departure|arrival|platform|boarding|"
    r"gate|parking|entrance|buzzer|doorbell|lift|opening hours|hours|waiting list|waiting time|mot|service|"
    r"colour|color|size|weight|breed|"
    r"(?:(?:new|old) )?(?:battery|tyres?|clutch|brakes|engine|motor|screen|filter|lock|glass|frame)|"
    r"(?:(?:named|main|only) )?contact|contact person|(?:line )?manager|boss|supervisor|physio|owner|head teacher|headteacher|"
    r"teacher|coach|tutor|instructor|landlord|landlady|trainer|conductor|organi[sz]er|vet|breeder|"
    r"(?:letting |estate )?agent|broker|supplier|installer|builder|"
    r"tenant|author|publisher|(?:bus|train|tram)(?: (?:number|no\.?))?|(?:bus )?stop|nearest (?:station|stop|tube)|address|"
    r"(?:(?:admin|root|default|guest|master) )?(?:user(?:name)?|login|token|key|account)|upstream|port|ip(?: address)?|hostname|"
    r"firmware|gateway|database|repo|endpoint|ssid|postcode|website|email|phone|mobile|extension|capital|currency|dress code|"
    r"theme|venue|menu"
)
_VERBS = (
    r"is|are|was|were|isn['’]?t|wasn['’]?t|will be|would be|has|had|goes|went|comes|came|costs?|includes?|included|expires|"
    r"should|must|sits|runs out|ends|starts|begins|opens?|closes?|moved|changed|stays|called|due|paid|lasts?|needs|covers|weighs"
)
_BELONGS = lazy_regex(
    r"(?:(?:and|but|so|also|plus) )?(?:(?:the|his|her|its|their) )?"
    rf"(?:(?P<somebodys>{_OF_SOMEBODY})|(?P<nobodys>{_OF_NOBODY})|{_OF_A_THING})"
    rf"(?P<there> there)?(?: {ADVERBS}(?:{_VERBS})\b|['’]s\b|:? [$€£]?\d)",
    re.IGNORECASE,
)
"""From the beginning of a clause: "Due date moved", "fee is", "Contact there's", "Deposit 120 paid"."""
_VALUE = lazy_regex(
    r"(?P<noun>(?:[a-z]{2,} )?[a-z]{2,}) (?:is|was|costs?|came to|lasts|weighs|takes) "
    r"(?:(?:about|around|only|just|roughly|nearly) )?(?:an? (?:day|week|month|year)|[$€£]?\d)",
    re.IGNORECASE,
)
_OWN = lazy_regex(r"\b(?:i|i['’]\w+|me|my|mine|we|we['’]\w+|us|our|ours)\b", re.IGNORECASE)
_INTO = lazy_regex(r"\b(?:to|now|called|named|is)\s+$", re.IGNORECASE)
"""Before the name that counts, of several: "switched from SumUp to", "carer is now"."""
_SWAPPED = lazy_regex(
    r"\b(?:swapped|traded|exchanged|replaced)\b.* (?:for|with) (?:(?:an?|the|my|our) )?"
    r"(?P<thing>[^\W\d_][\w-]*(?: (?!from\b|at\b|and\b)[\w-]+)?)(?:\W*$|, | from | at )",
    re.IGNORECASE,
)
_A_THING = lazy_regex(r"(?:my|our|the|his|her|their|new) (?P<thing>[a-z][\w-]*(?: [a-z][\w-]*){0,2})$", re.IGNORECASE)
_A_NEW_ONE = lazy_regex(rf"new (?P<thing>[a-z][\w-]*(?: [a-z][\w-]*)?) (?:{any_of(FINITE)}|\w{{2,}}ed)\b", re.IGNORECASE)
_DID_TO_A_THING = lazy_regex(
    rf"(?:(?:i|we)(?:['’]ve)? )?(?:(?:just|finally|also) )?(?:{any_of(PAST)}|\w{{2,}}ed)(?: (?:up|for))? "
    r"(?:a|an|the|our|my|another) (?P<thing>(?:[a-z][\w-]* ){0,2}?[a-z][\w-]*)"
    r"(?=$|[.,;!]| (?:off|from|for|at|in|on|to|with|of|by|near|above|via|yesterday|today)\b)",
    re.IGNORECASE,
)
_HAS = lazy_regex(
    rf"['’]s (?:been|got|had|just|now|also|finally|already|back|home|off|out|here|away|{any_of(PAST)}|\w{{2,}}ed)\b.*$",
    re.IGNORECASE,
)
"""Behind a name, of what looks like a thing of somebody's: "Jo's lost her phone"."""
_WHOSE = lazy_regex(r"(?:his|her|their)\s", re.IGNORECASE)
_GOES_ON = lazy_regex(
    rf"\s|['’](?:s (?:{any_of(PAST)}|an?|the|not|now|been|got|just|in|on|at|off|out|up|back|still|also|called|had)\b|"
    r"(?:re|ve|ll|d) |s \w+(?:ing|ed) (?:(?:to|at|in|on|for|with|an?|the|his|her|their|our|my|it|again)\b|(?-i:[A-Z\d])))",
    re.IGNORECASE,
)
"""Behind a subject: "Sara is", "Sara's teaching", not "Nan's hearing aids"."""
_SOMEBODYS = lazy_regex(r"[A-Z][\w-]*['’]s ")
_BEFORE_A_NAME = lazy_regex(
    r"\b(?:the|an?|our|my|his|her|their|new) (?P<thing>(?:[a-z][\w-]* ){1,2}(?:on|in|at|near|above|called|of) (?:the )?)$"
)
_IN_S = lazy_regex(r"['’]s(?=\W*$|[,.;])")
_FROM = lazy_regex(r"\b(?:off|from|by|via)\s+(?:the\s+)?$", re.IGNORECASE)
_AND = lazy_regex(r"(?:\band|&)\s+$", re.IGNORECASE)
_WITH = lazy_regex(r"\bwith\s+$", re.IGNORECASE)
_NOT_ITS = lazy_regex(r"\b(?:off|from|by|via|with|through|to)\s+(?:the\s+)?$", re.IGNORECASE)
"""Before whoever sold, brought or came along."""
_BARE = lazy_regex(
    r"(?!(?i:my|our|the|an?|his|her|their|your|new|this|that|these|those|some|no)\b)[A-Za-z][\w-]+(?: [a-z][\w-]+)?"
)
_ENDS_WITH_A_VERB = lazy_regex(rf" (?:{any_of(FINITE)})$", re.IGNORECASE)
_ARTICLE = lazy_regex(r"(?:the|an?) ", re.IGNORECASE)


def belongs(words: str) -> bool:
    """Return whether a clause says something of a part or value without saying of what: "last day is the 30th", "new tyre was
    168"."""
    return (_BELONGS.match(words) is not None or _is_value(words)) and _OWN.search(words) is None


def _is_value(words: str) -> bool:
    """Return whether it gives a number for a thing that has no article, and is nobody by role or name."""
    found = _VALUE.match(words)
    if found is None:
        return False
    nouns = found["noun"].lower().split()
    return all(map(is_known_word, nouns)) and _NO_VALUES.isdisjoint(nouns)


def owner(words: str, before: str) -> str | None:
    """Return whom or what a clause that `belongs` is about, by the clause before it; None where that leaves no choice, or more
    than one. What only somebody has is theirs of whom that clause tells, not theirs whom it names beside the writer."""
    found, told = _BELONGS.match(words), _told(before)
    named = [name for name in _named(before) if told is None or not name.startswith((f"{told}'s ", f"{told}’s "))]
    if _are_several(before) or (told is not None and _OWN.search(before, len(told)) is not None):
        return None
    if told is not None and (told in named or _SOMEBODYS.match(told) or told in _named(f"{told} is here")):
        return told if _may_have(words, told) else None
    if (found and found["somebodys"]) or _WHOSE.match(words):
        return None
    if swapped := _SWAPPED.search(before):
        return swapped["thing"]
    if len(named) > 1:
        named = [name for name in named if _INTO.search(before, 0, before.index(name))][:1]
        if not named:
            return None
    if not named:
        return _thing(before, told)
    if _FROM.search(before, 0, before.index(named[0])):
        return _from(named[0], before, told)
    if found and found["nobodys"] and named[0].lower() in SHE | HE:
        return None
    return _as_a_thing(named[0], before) if _may_have(words, named[0]) else None


def _told(before: str) -> str | None:
    """Return the subject of a clause, if it begins it and is not its writer: "Dad" in "Dad's been diagnosed"."""
    subject = subject_of_clause(before)
    if subject is None or _OWN.fullmatch(subject) or not before.startswith(subject):
        return None
    subject = _HAS.sub("", subject)
    return subject if _GOES_ON.match(before, len(subject)) else None


def _may_have(words: str, owning: str) -> bool:
    """Return whether this may be said of them: "his" and "her" only of who may be he or she, and a number of any other thing of
    nobody."""
    sorts = {sort for each in candidates(f"{owning} is here") for sort in each.sorts} & {"he", "she"}
    meant = {"his": "he", "her": "she"}.get(words.split(maxsplit=1)[0].lower())
    if meant is not None and sorts and meant not in sorts:
        return False
    return _BELONGS.match(words) is not None or not sorts


def _as_a_thing(name: str, before: str) -> str:
    """Return a name with what it is the name or place of: "studio on Carver Lane"."""
    at = before.index(name)
    around = _BEFORE_A_NAME.search(before, 0, at)
    ending = _IN_S.match(before, at + len(name))  # "at Nando's."
    return f"{around['thing'] if around else ''}{name}{ending[0] if ending else ''}"


def _from(name: str, before: str, told: str | None) -> str | None:
    """Return what came from somewhere: "letter from HMRC", "cello"; None where it came from somebody."""
    thing = _thing(before, told) if name.lower() not in SHE | HE else None
    whole = f"{thing} from {name}"
    return whole if whole in before else thing


def _thing(before: str, told: str | None) -> str | None:
    """Return what a clause without names tells of: its subject, or what its writer got or did something to."""
    if told and _BARE.fullmatch(told) and told.lower() not in FUNCTION_WORDS and not belongs(f"{told} is"):
        return told
    match = _A_THING.match(told) if told else _A_NEW_ONE.match(before) or _DID_TO_A_THING.match(before)
    if match is None or belongs(f"{match['thing']} is") or not _PEOPLE.isdisjoint(match["thing"].lower().split()):
        return None
    return match["thing"]


def only_name(words: str) -> str | None:
    """Return the one name in a clause; None where there is none, or more than one."""
    named = _named(words)
    return named[0] if len(named) == 1 else None


def is_only_somebodys(words: str) -> bool:
    """Return whether a clause that `belongs` tells what only somebody has: of a "start date" nothing else is said."""
    found = _BELONGS.match(words)
    return found is not None and found["somebodys"] is not None


def is_there(words: str) -> bool:
    """Return whether a clause that `belongs` says so of the place, firm or thing named last: "contact there is Mr Quill"."""
    found = _BELONGS.match(words)
    return found is not None and found["there"] is not None


def _named(words: str) -> list[str]:
    """Return the names of people, places and things in a clause, each once, without articles, and without who only came along."""
    found = [_HAS.sub("", _ENDS_WITH_A_VERB.sub("", _ARTICLE.sub("", each.words))) for each in candidates(words)]
    names = [name for name in dict.fromkeys(found) if name[:1].isupper() and name in words and not _BELONGS.match(f"{name} is")]
    names = [name for name in names if not any(name != other and name in other for other in names)]
    names = [name for name in names if not _WITH.search(words, 0, words.index(name))]
    if len(names) < 2:
        return names
    at = {name: words.index(name) for name in names}
    return [name for name in names if not _NOT_ITS.search(words, 0, at[name]) or _INTO.search(words, 0, at[name])]


def _are_several(words: str) -> bool:
    """Return whether a clause names two together, of whom neither is meant: "Priya and Tom"."""
    return any(_AND.search(words, 0, each.at) for each in candidates(words) if each.words[:1].isupper())


_PEOPLE = people_by_role(one=True) | people_by_role()
_NO_VALUES = _PEOPLE | SHE | HE | FUNCTION_WORDS | frozenset(ENGLISH_WEEKDAYS)


_OF_A_BEING = lazy_regex(
    r"(?:(?:also|still|now|very|really|badly|apparently|sadly|originally|both|half|recently|newly)\s)?(?:allergic|intolerant|co?eliac|diabetic|"
    r"asthmatic|epileptic|dyslexic|autistic|vegetarian|vegan|pescatarian|teetotal|deaf|blind|pregnant|retired|married|divorced|widowed|engaged|"
    r"left-handed|short-sighted|originally from|born in|aged \w+$|from (?-i:[A-Z])\w+(?:,|$)|studying|training as)\b",
    re.IGNORECASE,
)
"""What only somebody is: behind words about one person it is that one who is allergic, and not who writes."""
_ANIMAL = lazy_regex(
    r"(?:the|my|our|her|his|their) (?:\w+ )?(?:dog|cat|puppy|kitten|horse|pony|rabbit|hamster|guinea pig|parrot|budgie|tortoise)",
    re.IGNORECASE,
)


def is_of_a_being(words: str) -> bool:
    """Return whether a clause without a subject says what only a person or an animal is: "Allergic to shellfish"."""
    return _OF_A_BEING.match(words) is not None


def is_an_animal(words: str) -> bool:
    """Return whether these words are an animal's: "the cat"."""
    return _ANIMAL.fullmatch(words) is not None
