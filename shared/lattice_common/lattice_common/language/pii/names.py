"""Names of people, by rules: known given names and what is beside them, titles, kinship, patronymics, greetings, signatures,
initials, the fields of forms, and capitalised words in a row; in German, which capitalises its nouns, where no article, adjective
or quantity is before them.

Rules find fewer names than a model does, and now and then a place: a wrong tag is restored all the same, only the language model
does not see the word. Each word of a name is a span of its own, so that "Anna" and "Anna Petrova" share a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.given_names import FOLDED_NAMES, GIVEN_NAMES, SMALL_NAMES, folded
from lattice_common.language.pii.span import PiiSpan
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import months, short_months, weekdays

_WORD = lazy_regex(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_POSSESSIVE = lazy_regex(r"['’](?:s|S)?$")

_TITLES = vocabulary(
    """mr mrs ms miss mx dr prof professor doctor sir madam herr herrn frau hr fr dr.med monsieur madame mademoiselle mme
    mlle señor señora señorita sra srta signor signora sig dott dottor dottoressa avv senhor senhora meneer mevrouw mevr dhr
    pana pani
    ing dipl mag univ rer nat med phil jur habil priv doz rev reverend lady lord judge captain capt sergeant sgt pastor
    senator
    тов товарищ мистер миссис господин господина господину госпожа госпожи г-н г-жа гражданин доктор доктора профессор тётя
    тетя дядя
    aunt auntie uncle grandma grandpa nana tante onkel oma opa tonton mamie papi"""
)
_KIN = vocabulary(
    """wife husband sister brother mother father mom mum dad daughter son cousin friend girlfriend boyfriend partner colleague
    coworker boss manager neighbour neighbor roommate flatmate nephew niece grandmother grandfather therapist dentist doctor
    teacher landlord fiancé fiancée frau mann schwester bruder mutter vater tochter sohn freund freundin kollege kollegin
    kollegen nachbar nachbarin chef chefin enkel nichte neffe schwager vermieter zahnärztin zahnarzt lehrerin lehrer жена
    жену жены мужа мужу муж сестра сестре сестру сестрой брат брата брату мама маме маму папа папе дочь дочери сын сына сыну
    друг друга другу подруга подруге подругу коллега коллеге коллегу сосед соседа соседка начальник врач врача учитель soeur
    sœur frère femme mari mère père fille fils ami amie collègue voisin voisine"""
)
_CALLED = vocabulary(
    """named called heißt heiße heisst namens genannt зовут звали s'appelle m'appelle appelle nommé nommée dear hi hello hey liebe
    lieber hallo sehr привет уважаемый уважаемая дорогая дорогой bonjour cher
    chère salut regards cheers grüße gruß grüßen уважением i'm bin
    обнимаю hola ciao olá cześć beste geachte querido querida estimado estimada caro cara gentile egregio prezado prezada
    drogi droga
    szanowny szanowna здравствуйте здравствуй llamo chiamo chamo-me heet nazywam imię saludos saluti groet groeten pozdrawiam
    abraço abraços attn c/o mfg lg vg"""
)
"""Words before a name, or before the comma before one."""
_FIELD = lazy_regex(
    r"(?i:\b(?:my|his|her|their|your|mein|sein|ihr|mon|son|mi|su|meu|mijn|mio) (?:full |first |last |voller )?(?:name|"
    r"nom|nombre|nome|naam)"
    r"(?: is|['’]s| was| ist| lautet| est| es| è| é)\s"
    r"|\b(?:(?:first |last |full |given |family |vor|nach)?name|nom|prénom|nombre|apellidos?|nome|cognome|naam|imię|"
    r"nazwisko|имя|фамилия|"
    r"фио|contact|ansprechpartner\w*|patient\w*|recipient|empfänger\w*|sender|absender\w*|from|to|cc|attn|von|an|de|från|"
    r"от|кому|signed|gezeichnet|gez\.|подпись|customer|kunde|kundin|author|autor\w*|owner|tenant|mieter\w*)\s?:\s{0,4}"
    r"|\bc/o\s|\bz\. ?H(?:d)?\.\s"
    r"|\b(?:best|sincerely|yours|truly|faithfully|love|thanks|thank you|warmly|xoxo|dein|deine|ihr|ihre|euer|eure|danke|"
    r"cordialement|"
    r"amitiés|bises|atentamente|cordialmente|cordiali saluti|met vriendelijke groet|atenciosamente|"
    r"ваш|ваша|твой|твоя|целую|спасибо|с уважением),?\s?\n\s{0,4}[-–—]?\s?)(?=[^\W\d_])"
)
"""Words that announce a name: "my name is", the label of a field, the line above a signature."""
_INITIALS = lazy_regex(
    r"\b(?:(?:[^\W\d_]\. ?){2,3}([^\W\d_]{2,30}(?:-[^\W\d_]{2,30})?)|"
    r"([A-ZÀ-ÞĀ-ŽА-ЯЁ][^\W\d_]{1,30}(?:-[^\W\d_]{2,30})?) (?:[А-ЯЁ]\. ?[А-ЯЁ]\.|[A-Z]\. ?[A-Z]\.)"
    r"|(?<=[a-zа-яё] )[F-HJ-WYZА-ЯЁ]\. ([^\W\d_]{2,30}))"
)
"""J. R. Okonkwo, Okonkwo J. R., and "with J. Okonkwo"; "plan B. Then" is no name."""
_MONTH_NAMES = vocabulary("april june august may avril mai juin")
_MONTH_BEFORE = vocabulary("in on since last next this early late mid until till by from im am seit bis ab anfang ende mitte of")
_PARTICLES = vocabulary("von van de der den di da del della la le al el bin ibn ben zu zum dos do du ter ten")
_NOT_NAMES = vocabulary(
    """i i'm i've i'll i'd the a an and or but if so as at by for from in of on to with we he she it they you my our
    his her its their this that these those who what when where why how yes no not please thanks thank dear hi hello hey ok also
    then there here today tomorrow yesterday last next new old north south east west central great saint san santa los las
    el united kingdom states america europe germany france russia england london paris berlin lisbon moscow york street road
    avenue lane square park bridge river lake mountain island beach airport station university college school hospital
    clinic bank company inc ltd llc gmbh ag corp group team office hotel restaurant café cafe bar museum church club shop
    store market institute department ministry google apple microsoft amazon facebook telegram whatsapp zoom
    netflix spotify android iphone windows linux mac excel word english german french russian spanish italian chinese
    japanese portuguese dutch polish turkish christmas easter year day eve birthday mr mrs ms dr prof herr frau uhr euro
    ich du er sie es wir ihr mein meine meinen meiner meinem dein deine sein seine unser unsere der die das den dem des ein
    eine einen einem und oder aber wenn am im auf mit von zu zum zur bei nach seit für heute morgen gestern liebe lieber
    hallo grüße telefon handy nummer adresse mail email e-mail geburtstag termin arzt mutter vater schwester bruder freund
    freundin kollege kollegin auto haus wohnung geld zeit kaffee tee kuchen urlaub woche monat jahr tag abend nacht mittag
    stunde büro arbeit schule projekt vertrag rechnung bescheid recht hunger angst lust spaß platz stadt straße bahnhof
    flughafen я ты он она мы вы они это мой моя моё мои наш наша в на с у к о и а но или если когда где как что кто привет
    спасибо сегодня завтра вчера москва москве москвы россия телефон адрес почта le la les un une et ou mais si je tu il
    elle nous vous ils mon ma mes son sa ses ce cette bonjour merci note subject re fwd user assistant system owner"""
).union(months("en", "de"), short_months("en"), weekdays("en", "de", "ru"))
_GERMAN_NOUN = lazy_regex(
    r".{3,}(?:ung|heit|keit|schaft|tion|tät|tag|zeit|nummer|haus|kuchen|termin|ment|ismus|schein|karte|buch|platz)(?:en|s|e)?$"
)
_GERMAN = lazy_regex(r"\b(?:und|der|die|das|ist|nicht|ich|mit|für|auf|eine?[nmr]?|hat|bei|von)\b")
_PATRONYMIC = lazy_regex(r"[А-ЯЁ][а-яё]+(?:(?:ович|евич|ич)(?:а|у|ем|ом|е)?|(?:овн|евн|ичн|иничн)(?:а|ы|е|у|ой|ою))$")
_RUSSIAN_SURNAME = lazy_regex(
    r"[А-ЯЁ][а-яё]+(?:(?:ов|ев|ёв|ин|ын)(?:а|у|ым|е|ой|ы|ых)?|(?:ск|цк)(?:ий|ая|ого|ому|им|ом|ой|ую)|енко|чук|юк|ян|дзе|"
    r"швили)(?:-[А-ЯЁ][а-яё]+)?$"
)
_GERMAN_BEFORE = lazy_regex(
    r"(?:d(?:er|ie|as|en|em|es)|[mds]?ein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|ihr(?:e[nmrs]?)?|eure?[nmrs]?|"
    r"kein(?:e[nmrs]?)?|diese[nmrs]?|jede[nmrs]?|"
    r"welche[nmrs]?|alle[nmrs]?|viele[nr]?|einige[nr]?|zwei|drei|vier|fünf|zum|zur|im|am|beim|vom|ins|ans|pro|je|"
    r"[a-zäöüß]+(?:sche|liche|ige)[nmrs]?)"
)
"""Words that come before nouns, and not before names."""
_GERMAN_FIRST = vocabulary(
    """anfang mitte ende tasse tassen glas gläser flasche flaschen liter kilo gramm stück stücke scheibe paar meter kilometer
    prozent euro million millionen milliarden dutzend hälfte teil reihe menge art sorte guten gute guter gutes nächsten nächste
    nächster letzten
    letzte letzter diesen dieser diese neuen neue neuer neues alte alten alter altes deutsche deutscher deutschen rote roten grüne
    grünen große großen kleine kleinen firma familie stadt kanton kreis universität hochschule schule klinik verein projekt
    programm
    kapitel seite zeile version modell typ linie klasse gruppe abteilung raum zimmer haus gleis halle tor hotel café restaurant
    kloster schloss burg sankt bad lake mount schönen schöne frohe frohes viel viele vielen herzlichen alles jeden jede
    jeder
    gestern heute morgen vorgestern übermorgen früher später mittags abends vormittag nachmittag beide beiden erste ersten zweite
    zweiten dritte dritten dr."""
)
"""First words of two adjacent nouns that are no name, and inflected adjectives at the beginning of a sentence."""
_DOES_GERMAN = lazy_regex(
    r"[.,]?\s(?:ist|hat|war|wird|will|soll|kann|muss|darf|mag|geht|kam|ging|sah|rief|schrieb|bat|gab|nahm|und|aus|sagt|"
    r"[a-zäöüß]{2,14}te?)\b"
)
_DOES = lazy_regex(
    r"['’]s\b|\.?\s(?:is|was|has|had|said|says|told|lives|works|wants|will|met|sent|wrote|paid|\w{2,12}ed|\w{2,12}л[аи]?)\b"
)
_COUNT = lazy_regex(r" \d")
_GIVEN_ENDING_IS_NO_NAME = lazy_regex(r"^\s?\d")


_SHORTEST_ROW, _LONGEST_ROW = 2, 5


def names(text: str) -> Iterator[PiiSpan]:
    """Yield the words of names, one by one."""
    words = list(_WORD.finditer(text))
    plain = [_POSSESSIVE.sub("", word[0]) for word in words]
    named: set[int] = set()
    german = len(_GERMAN.findall(text)) > 1 + len(words) // 20
    for at, word in enumerate(plain):
        lowered = word.lower()
        if lowered in _TITLES or lowered in _KIN or lowered in _CALLED:
            named.update(_run(text, words, plain, at + 1, 3, german))
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
            if at > 1 and _beside(text, words, at - 2) and _surname(plain[at - 2], german=False):
                named.add(at - 2)
        if lowered in _MONTH_NAMES and (at == 0 or plain[at - 1].lower() not in _MONTH_BEFORE):
            surname = _run(text, words, plain, at + 1, 1, german)
            named.update([at, *surname] if surname and _beside(text, words, at) else ())
    named.update(_introduced(text, words, plain, german))
    named.update(_rows(text, words, plain, german))
    for at in named:
        yield PiiSpan(words[at].start(), words[at].start() + len(plain[at]), "PERSON")


def _run(text: str, words: Sequence[re.Match[str]], plain: Sequence[str], at: int, most: int, german: bool) -> list[int]:
    """Return the capitalised words from here on that follow each other, over initials and particles."""
    found: list[int] = []
    held: list[int] = []
    while at < len(words) and len(found) < most and (at == 0 or _beside(text, words, at - 1)):
        if plain[at] in _PARTICLES or (len(plain[at]) == 1 and plain[at].isupper()):
            held.append(at)
        elif _surname(plain[at], german=german):
            found += [*held, at]
            held = []
        else:
            break
        at += 1
    return found


def _row(text: str, words: Sequence[re.Match[str]], plain: Sequence[str], at: int, most: int, german: bool) -> list[int]:
    """Return the consecutive capitalised words from this one on, whatever is before it; empty if it is no name's."""
    return [at, *_run(text, words, plain, at + 1, most - 1, german)] if _surname(plain[at], german=german) else []


def _introduced(text: str, words: Sequence[re.Match[str]], plain: Sequence[str], german: bool) -> Iterator[int]:
    """Yield names after "my name is" and the like, and beside initials."""
    places = {word.start(): at for at, word in enumerate(words)}
    for field in _FIELD.finditer(text):
        if field.end() in places:
            yield from _row(text, words, plain, places[field.end()], 3, german)
    for initials in _INITIALS.finditer(text):
        at = places.get(initials.start(initials.lastindex or 0))
        if at is not None and _surname(plain[at], german=False):
            yield at


def _rows(text: str, words: Sequence[re.Match[str]], plain: Sequence[str], german: bool) -> Iterator[int]:
    """Yield two to five capitalised words in a row: within a sentence, or at its beginning if they do or have something. In
    German nothing may be before them that belongs to a noun."""
    at = 0
    while at < len(words):
        row = _row(text, words, plain, at, _LONGEST_ROW, german)
        if len(row) < _SHORTEST_ROW or plain[at].isupper():
            at += 1
            continue
        before = text[words[at - 1].end() : words[at].start()] if at else ""
        end = words[row[-1]].start() + len(plain[row[-1]])
        within = before in (" ", ", ", ": ", " (", ' "', " “", " «", "; ")
        if german:
            named = _german_name(plain, row, within) and (
                not _COUNT.match(text, end) if within else _DOES_GERMAN.match(text, end)
            )
        else:
            named = within or _DOES.match(text, end)
        if named:
            yield from row
        at = row[-1] + 1


def _german_name(plain: Sequence[str], row: Sequence[int], within: bool) -> bool:
    """Return whether a row of capitalised words is no noun with its adjective, quantity or kind before it."""
    if any(plain[at].lower() in _GERMAN_FIRST for at in row[:-1]):
        return False
    return not (within and row[0] and _GERMAN_BEFORE.fullmatch(plain[row[0] - 1].lower()))


def _beside(text: str, words: Sequence[re.Match[str]], at: int) -> bool:
    """Return whether only a space, a full stop after a title or an initial, or a comma after a greeting follows this word."""
    if at + 1 >= len(words):
        return False
    between = text[words[at].end() : words[at + 1].start()]
    word = words[at][0].lower()
    return (
        between == " "
        or (between in (". ", ".", ".-") and (len(word) == 1 or word in _TITLES))
        or (between in (", ", ",\n", " - ", ": ", ",\n\n", "\n", " ,\n") and word in _CALLED)
    )


def _capital(word: str) -> bool:
    return len(word) > 1 and word[0].isupper()


def _is_given(word: str) -> bool:
    first = word.partition("-")[0]
    if not word.isascii() and len(first) > 2 and folded(first) in FOLDED_NAMES:
        return True
    return first in GIVEN_NAMES or (len(word) > 3 and word.isupper() and word.capitalize() in GIVEN_NAMES)


def _surname(word: str, *, german: bool) -> bool:
    """Return whether a word may be a part of a name that is known to be one from what stands beside it."""
    if not _capital(word) or word.lower() in _NOT_NAMES or word.lower() in _TITLES:
        return False
    return not (german and _GERMAN_NOUN.match(word))
