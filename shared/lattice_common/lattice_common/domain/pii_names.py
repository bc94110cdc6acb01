"""Names of people, by rules: known given names and what stands beside them, titles, kinship, patronymics, greetings, and two
capitalised words in a row where a language does not capitalise its nouns.

Rules find fewer names than a model does, and now and then a place: what is tagged wrongly comes back all the same, it is
language model that does not see it. Each word of a name is a span of its own, so that "Anna" and "Anna Petrova" share a tag.
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lattice_common.domain.pii_given_names import FOLDED_NAMES, GIVEN_NAMES, SMALL_NAMES, folded
from lattice_common.domain.pii_span import PiiSpan
from lattice_common.language.words import months, short_months, weekdays

_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")

_TITLES = frozenset(
    """mr mrs ms miss mx dr prof professor doctor sir madam herr herrn frau hr fr dr.med monsieur madame mademoiselle mme
    mlle señor señora господин господина господину госпожа госпожи г-н г-жа гражданин доктор доктора профессор тётя тетя дядя
    aunt auntie uncle grandma grandpa nana tante onkel oma opa tonton mamie papi""".split()
)
_KIN = frozenset(
    """wife husband sister brother mother father mom mum dad daughter son cousin friend girlfriend boyfriend partner colleague
    coworker boss manager neighbour neighbor roommate flatmate nephew niece grandmother grandfather therapist dentist doctor
    teacher landlord fiancé fiancée frau mann schwester bruder mutter vater tochter sohn freund freundin kollege kollegin
    kollegen nachbar nachbarin chef chefin enkel nichte neffe schwager vermieter zahnärztin zahnarzt lehrerin lehrer жена
    жену жены мужа мужу муж сестра сестре сестру сестрой брат брата брату мама маме маму папа папе дочь дочери сын сына сыну
    друг друга другу подруга подруге подругу коллега коллеге коллегу сосед соседа соседка начальник врач врача учитель soeur
    sœur frère femme mari mère père fille fils ami amie collègue voisin voisine""".split()
)
_CALLED = frozenset(
    """named called heißt heiße heisst namens genannt зовут звали s'appelle m'appelle appelle nommé nommée dear hi hello hey liebe
    lieber hallo sehr привет уважаемый уважаемая дорогая дорогой bonjour cher
    chère salut regards cheers grüße gruß grüßen уважением i'm bin
    обнимаю""".split()
)
"""What stands before a name, or before the comma before one."""
_PARTICLES = frozenset("von van de der den di da del della la le al el bin ibn ben zu zum dos do du ter ten".split())
_NOT_NAMES = frozenset(
    """i i'm i've i'll i'd the a an and or but if so as at by for from in of on to with we he she it they you my our
    his her its their this that these those who what when where why how yes no not please thanks thank dear hi hello hey ok also
    then there here today tomorrow yesterday last next new old north south east west central great saint san santa los las
    el united kingdom states america europe germany france russia england london paris berlin lisbon moscow york street road
    avenue lane square park bridge river lake mountain island beach airport station university college school hospital
    clinic bank company inc ltd llc gmbh ag corp group team office hotel restaurant café cafe bar museum church club shop
    store market university institute department ministry google apple microsoft amazon facebook telegram whatsapp zoom
    netflix spotify android iphone windows linux mac excel word english german french russian spanish italian chinese
    japanese portuguese dutch polish turkish christmas easter new year day eve birthday mr mrs ms dr prof herr frau uhr euro
    ich du er sie es wir ihr mein meine meinen meiner meinem dein deine sein seine unser unsere der die das den dem des ein
    eine einen einem und oder aber wenn am im in auf mit von zu zum zur bei nach seit für heute morgen gestern liebe lieber
    hallo grüße telefon handy nummer adresse mail email e-mail geburtstag termin arzt mutter vater schwester bruder freund
    freundin kollege kollegin auto haus wohnung geld zeit kaffee tee kuchen urlaub woche monat jahr tag abend nacht mittag
    stunde büro arbeit schule projekt vertrag rechnung bescheid recht hunger angst lust spaß platz stadt straße bahnhof
    flughafen я ты он она мы вы они это мой моя моё мои наш наша в на с у к о и а но или если когда где как что кто привет
    спасибо сегодня завтра вчера москва москве москвы россия телефон адрес почта le la les un une des et ou mais si je tu il
    elle nous vous ils mon ma mes son sa ses ce cette bonjour merci note subject re fwd user assistant system owner""".split()
).union(months("en", "de"), short_months("en"), weekdays("en", "de", "ru"))
_GERMAN_NOUN = re.compile(
    r".{3,}(?:ung|heit|keit|schaft|tion|tät|tag|zeit|nummer|haus|kuchen|termin|ment|ismus|schein|karte|buch|platz)(?:en|s|e)?$"
)
_GERMAN = re.compile(r"\b(?:und|der|die|das|ist|nicht|ich|mit|für|auf|eine?[nmr]?|hat|bei|von)\b")
_PATRONYMIC = re.compile(r"[А-ЯЁ][а-яё]+(?:(?:ович|евич|ич)(?:а|у|ем|ом|е)?|(?:овн|евн|ичн|иничн)(?:а|ы|е|у|ой|ою))$")
_RUSSIAN_SURNAME = re.compile(
    r"[А-ЯЁ][а-яё]+(?:(?:ов|ев|ёв|ин|ын)(?:а|у|ым|е|ой|ы|ых)?|(?:ск|цк)(?:ий|ая|ого|ому|им|ом|ой|ую)|енко|чук|юк|ян|дзе|швили)(?:-[А-ЯЁ][а-яё]+)?$"
)
_DOES = re.compile(
    r"['’]s\b|\s(?:is|was|has|had|said|says|told|lives|works|wants|will|met|sent|wrote|paid|\w{2,12}ed|\w{2,12}л[аи]?)\b"
)
_GIVEN_ENDING_IS_NO_NAME = re.compile(r"^\s?\d")


def names(text: str) -> Iterator[PiiSpan]:
    """Words of names, each by itself."""
    words = list(_WORD.finditer(text))
    plain = [_POSSESSIVE.sub("", word[0]) for word in words]
    named: set[int] = set()
    german = len(_GERMAN.findall(text)) > 1 + len(words) // 20
    for at, word in enumerate(plain):
        lowered = word.lower()
        if lowered in _TITLES or lowered in _KIN or lowered in _CALLED:
            named.update(_run(text, words, plain, at + 1, 3 if lowered in _TITLES else 2, german))
        if not _capital(word):
            if lowered in SMALL_NAMES:
                named.add(at)
            continue
        if _is_given(word) and not _GIVEN_ENDING_IS_NO_NAME.match(text[words[at].end() : words[at].end() + 2]):
            named.add(at)
            named.update(_run(text, words, plain, at + 1, 2, german))
            if at and _RUSSIAN_SURNAME.match(plain[at - 1]) and _beside(text, words, at - 1):
                named.add(at - 1)
        if _PATRONYMIC.match(word):
            named.update(each for each in (at - 1, at, at + 1) if 0 <= each < len(words) and _surname(plain[each], german=False))
    named.update(_pairs(text, words, plain, german))
    for at in named:
        yield PiiSpan(words[at].start(), words[at].start() + len(plain[at]), "PERSON")


def _run(text: str, words: Sequence[re.Match[str]], plain: Sequence[str], at: int, most: int, german: bool) -> list[int]:
    """The capitalised words from here on that follow each other, over initials and particles."""
    found: list[int] = []
    held: list[int] = []
    while at < len(words) and len(found) < most and (at == 0 or _beside(text, words, at - 1)):
        if plain[at].lower() in _PARTICLES or (len(plain[at]) == 1 and plain[at].isupper()):
            held.append(at)
        elif _surname(plain[at], german=german):
            found += [*held, at]
            held = []
        else:
            break
        at += 1
    return found


def _pairs(text: str, words: Sequence[re.Match[str]], plain: Sequence[str], german: bool) -> Iterator[int]:
    """Two capitalised words in a row: within a sentence, or as its beginning if they do or have something. German capitalises its
    nouns: there it says nothing."""
    for at in range(len(words) - 1):
        if german or not (_surname(plain[at], german=False) and _surname(plain[at + 1], german=False)) or plain[at].isupper():
            continue
        before = text[words[at - 1].end() : words[at].start()] if at else ""
        within = before in (" ", ", ", ": ", " (", ' "', " “", " «", "; ")
        if _beside(text, words, at) and (within or _DOES.match(text, words[at + 1].start() + len(plain[at + 1]))):
            yield at
            yield at + 1


def _beside(text: str, words: Sequence[re.Match[str]], at: int) -> bool:
    """Whether only a blank, a full stop after a title or an initial, or a comma after a greeting stands behind this word."""
    if at + 1 >= len(words):
        return False
    between = text[words[at].end() : words[at + 1].start()]
    word = words[at][0].lower()
    return (
        between == " "
        or (between == ". " and (len(word) == 1 or word in _TITLES))
        or (between in (", ", ",\n", " - ", ": ") and word in _CALLED)
    )


def _capital(word: str) -> bool:
    return len(word) > 1 and word[0].isupper()


def _is_given(word: str) -> bool:
    first = word.partition("-")[0]
    if not word.isascii() and len(first) > 2 and folded(first) in FOLDED_NAMES:
        return True
    return first in GIVEN_NAMES or (len(word) > 3 and word.isupper() and word.capitalize() in GIVEN_NAMES)


def _surname(word: str, *, german: bool) -> bool:
    """Whether a word may be a part of a name that is known to be one from what stands beside it."""
    if not _capital(word) or word.lower() in _NOT_NAMES or word.lower() in _TITLES:
        return False
    return not (german and _GERMAN_NOUN.match(word))
