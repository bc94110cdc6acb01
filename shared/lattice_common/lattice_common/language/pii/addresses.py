"""Postal addresses as they are written in Europe, the Americas, India and East Asia: a street and a number, and what follows on
the same line or the next.

A street is recognised by its kind ("Road", "-straße", "ул."); one of an unknown kind by a postcode and a town beside its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.span import PiiSpan
from lattice_common.language.words import months


def _any_of(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_NAME = r"[A-ZÀ-ÞĀ-Ž][\w’'-]{0,40}"
_SMALL_PARTS = (
    "an der|am|auf der|auf dem|im|in der|in|ob der|bei|vor der|upon|on|under|of|the|and|y|e|sur|sous|en|lès|de la|"
    "de los|de las|de|du|des|"
    "della|dello|degli|dell[’']|del|dei|di|do|dos|das|da|d[’']|la|le|les|el|los|van de[nr]?|van|aan den|aan de|den|ter|ten|"
    "von der|von|zum|zur|nad|i"
)
_TOWN = (
    rf"(?:St\.? |Ste\.? |Sankt |Bad |['’]s[- ]|['’]t )?{_NAME}(?:[ /-](?:(?:{_SMALL_PARTS})[ -]?)?{_NAME}){{0,3}}(?: "
    rf"?\([\w. ]{{1,20}}\))?"
)
_BRITISH = r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b"
_CANADIAN = r"[A-Z]\d[A-Z] ?\d[A-Z]\d\b"
_IRISH = r"[A-Z]\d[\dW] ?[A-Z\d]{4}\b"
_BEFORE_TOWN = (
    r"(?:(?:D|A|CH|F|I|E|B|L|NL|PL|P|CZ|SE?|DK|FI)[- ])?(?:\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3}|"
    r"\d{3} \d{2}|\d{4,6})"
)
_AFTER_TOWN = (
    rf"(?:(?:,? |, ?)(?:[A-Z]{{2,3}}|{_NAME})(?:,? |, ?)\d{{4,5}}(?:-\d{{4}})?\b|(?:,? |, ?)(?:{_BRITISH}|{_CANADIAN}|{_IRISH})"
    rf"|(?:,? |, ?)[A-Z]{{2}} {_CANADIAN}|(?: ?[-–] ?|,? )\d{{3}} ?\d{{3}}\b(?!\d)|(?:,? )(?!(?:19|20)\d\d\b)\d{{4,5}}\b)"
)
"""Postcodes in the notation of each country: before the town as in most of Europe, or behind it, where the United States and
Australia have a state in between."""
_UNIT = (
    r"(?:(?i:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|bldg|building|block|lot|studio|level|shop|whg|wohnung|"
    r"top|stiege|etage|"
    r"appartement|appartamento|appt|rd|bâtiment|bât|étage|piso|puerta|escalera|esc|interno|int|scala|piano|andar|apto|"
    r"bloco|lokal|lok|bus|m)\.? ?#?"
    r"(?=[\w/-]{0,5}\d)[\w/-]{1,6}|(?i:apt|flat|unit|suite|studio|block|apto|bloco)\.? [A-Z\d]{1,3}\b|# ?\w{1,6}"
    r"|\d{1,3}(?:st|nd|rd|th) [Ff]loor|\d{1,2}\. (?:Stock|OG|Etage)|\d{1,2}[ºª°](?: ?[A-Z]\b)?)"
)
_SEPARATOR = r"(?: ?, ?\n?| ?\n| - | )[ \t]{0,8}"
_TAIL = lazy_regex(
    rf"(?:{_SEPARATOR}{_UNIT}){{0,3}}(?:(?:{_SEPARATOR}{_TOWN}){{0,2}}?{_SEPARATOR}{_BEFORE_TOWN},? {_TOWN}(?: ?[/-] "
    rf"?[A-Z]{{2}}\b)?"
    rf"|(?:{_SEPARATOR}{_TOWN}){{1,3}}?{_AFTER_TOWN}(?: {_NAME} \([A-Z]{{2}}\))?"
    rf"|{_SEPARATOR}(?:{_BRITISH}|{_CANADIAN}|[A-Z]{{2}} \d{{5}}(?:-\d{{4}})?\b)|(?:, ?\n?{_TOWN}){{1,3}})?"
)
"""What follows a street and its number: the flat, and the town with its postcode or after a comma."""
_HOUSE = r"\d{1,5}[A-Za-z]?(?:[/-]\d{1,4}[A-Za-z]?)?"
_HOUSE_LONG = r"\d{3,5}[A-Za-z]?"
_NTH = r"\d{1,3}(?:st|nd|rd|th)"
_LINE = rf"(?:{_UNIT}|(?:{_SMALL_PARTS})|{_NAME}\.?)"
_NO_STREET = f"(?i:{'|'.join(['eur', 'usd', 'gbp', 'chf', 'rub', 'euro', 'uhr', 'prozent', *sorted(months('en', 'de'))])})"
"""Words before a number that counts or dates something else."""
_NUMBER_FIRST = lazy_regex(
    rf"(?:\b(?:H\. ?No\.|House No\.?|Plot No\.?|Door No\.?|{_UNIT}),? )?\b(?<!\d[.,:])(?!(?:19|"
    rf"20)\d\d\b){_HOUSE},? (?!{_NO_STREET}\b)(?:{_NAME}|{_NTH})\.?"
    rf"(?:(?:,? |, ?\n?|\n){_LINE}){{0,8}}?{_AFTER_TOWN}"
)
_NUMBER_LAST = lazy_regex(
    rf"\b{_NAME}\.?(?: (?:(?:{_SMALL_PARTS}) )?{_NAME}){{0,4}},? "
    rf"{_HOUSE}(?:{_SEPARATOR}{_UNIT}){{0,3}}(?:{_SEPARATOR}{_TOWN}){{0,2}}?"
    rf"(?:{_SEPARATOR}{_BEFORE_TOWN} {_TOWN}(?: ?[/-] ?[A-Z]{{2}}\b)?|(?<=[^\W\d_]){_AFTER_TOWN}(?: {_NAME} \([A-Z]{{2}}\))?)"
)
"""Capitalised words and a number beside a town with its postcode, before or behind."""
_PLACE = lazy_regex(
    rf"\b(?:(?:D|A|CH)-\d{{4,5}} {_TOWN}|\d{{4}} [A-Z]{{2}} {_NAME}|\d{{2}}-\d{{3}} {_NAME}|\d{{4}}-\d{{3}} {_NAME}"
    rf"|\d{{5}}-\d{{3}},? {_NAME}|{_NAME}(?: {_NAME}){{0,2}}, [A-Z]{{2}} \d{{5}}(?:-\d{{4}})?\b"
    rf"|(?:(?<=in )|(?<=nach )|(?<=aus )|(?<=PLZ )|(?<=, )|(?<=\n))(?!\d\d000)\d{{5}} {_TOWN})"
)
"""A town with its postcode, without a street."""
_MILITARY = lazy_regex(
    r"\b(?:PSC|CMR|Unit|USS|USNS|USNV|USCGC) [\w-]{1,20},?(?: Box \d{1,5},?)? [ADF]PO,? A[AEP],? \d{5}(?:-\d{4})?\b"
)

_ENGLISH_KINDS = _any_of(
    "Street St Avenue Ave Road Rd Lane Ln Drive Dr Boulevard Blvd Court Ct Square Sq Terrace Way Place Pl Close Crescent Gardens "
    "Row Hill Mews Parkway Pkwy Highway Hwy Grove Walk Quay Circle Cir Trail Loop Alley Marg Nagar Chowk Ganj Colony "
    "Enclave Vihar"
)
_OTHER_KINDS = _any_of(
    "Annex Arcade Bayou Beach Bend Bluff Bottom Branch Bridge Brook Burg Bypass Camp Canyon Cape Causeway Center "
    "Centre Cliff Club "
    "Common Corner Course Cove Creek Crest Crossing Crossroad Curve Dale Dam Divide Estate Expressway Extension Fall "
    "Ferry Field Flat "
    "Ford Forest Forge Fork Fort Freeway Garden Gateway Glen Green Harbor Harbour Haven Heights Hollow Inlet Island "
    "Isle Junction Key "
    "Knoll Lake Landing Light Loaf Lock Lodge Mall Manor Meadow Mill Mission Motorway Mount Mountain Neck Orchard Oval "
    "Overpass Park "
    "Pass Passage Path Pike Pine Plain Plaza Point Port Prairie Radial Ramp Ranch Rapid Rest Ridge River Route Rue Run "
    "Shoal Shore "
    "Skyway Spring Spur Station Stravenue Stream Summit Throughway Trace Track Trafficway Tunnel Turnpike Underpass Union Valley "
    "Via Viaduct View Village Ville Vista Wall Well"
)
"""The other suffixes of the United States Postal Service (Publication 28, appendix C1). Many are ordinary words, so they count
only behind a long number."""
_WIND = _any_of("NE NW SE SW N S E W")
_ENGLISH = lazy_regex(
    rf"(?:\b(?:Apt|Apartment|Flat|Unit|Suite|Ste|Room)\.? [\w-]{{1,6}},? )?"
    rf"\b\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,4}})?,? (?:{_WIND}\.? )?(?:{_NAME}|{_NTH})(?: (?:{_NAME}|{_NTH})){{0,3}}? "
    rf"{_ENGLISH_KINDS}s?\b\.?(?: {_WIND}\b)?"
)
_ENGLISH_OTHER = lazy_regex(rf"\b(?!(?:19|20)\d\d ){_HOUSE_LONG} (?:{_NAME} ){{1,3}}{_OTHER_KINDS}s?\b")
_GERMAN_ENDINGS = _any_of(
    r"straße strasse str\. weg platz allee gasse ring ufer damm berg graben steig promenade chaussee markt hof pfad tor wall"
)
_GERMAN_KINDS = _any_of(r"Straße Strasse Str\. Weg Platz Allee Gasse Ring Ufer Damm Markt Chaussee Promenade")
_GERMAN = lazy_regex(
    rf"\b(?:[A-ZÄÖÜ][\w-]{{0,40}}(?:{_GERMAN_ENDINGS}|-{_GERMAN_KINDS})|{_NAME}(?: {_NAME}){{0,2}}? {_GERMAN_KINDS}"
    rf"|(?:Am|An der|An den|Im|In der|Auf dem|Auf der|Unter den|Zum|Zur|Beim) {_NAME}(?: {_NAME}){{0,2}})"
    rf" \d{{1,4}}(?: ?[a-zA-Z]\b)?(?:[-/–] ?\d{{1,4}}(?: ?[a-zA-Z]\b)?)?"
)
_FRENCH_KINDS = _any_of(
    r"(?i:rue avenue av\. boulevard bd\.? place chemin impasse allée allee quai cours route square passage faubourg "
    r"villa ruelle sentier "
    r"montée esplanade promenade venelle traverse résidence lotissement hameau)"
)
_FRENCH = lazy_regex(
    rf"\b\d{{1,4}}(?: ?(?:bis|ter|quater))?,? {_FRENCH_KINDS} (?:(?:de la |de l[’']|de |du |des |d[’']|la |le |les |aux? ))?"
    rf"(?:{_NAME}|\d+)(?:[ -](?:(?:de|du|des|la|le|et) )?{_NAME}){{0,4}}"
)
_RU_NAME = r"(?:[А-ЯЁ]\. ?)?[А-ЯЁ][а-яё]{1,40}(?:-[А-ЯЁа-яё][а-яё]{0,40}){0,3}"
_RU_NUMBER = (
    r",? (?:(?:д|дом|доме|дома|вл|владение)\.? ?)?(?:№ ?)?\d{1,4}(?:-?(?:бис|"
    r"[а-яА-Я])\b)?(?: [а-яА-Я]\b(?=[,.])(?!\.? ?\d))?(?:/\d{1,4})?"
    r"(?:,? (?:к|корп|корпус|стр|строение|лит|литер|кв|квартира|квартире|подъезд|под|этаж|эт|оф|офис|пом|помещение|"
    r"ком)\.? ?\d{1,5}"
    r"(?:/\d{1,4})?){0,6}"
)
_RU_KINDS = _any_of(
    r"улиц[аыеу] ул\. проспект[аеу]? просп\. пр-т пр-кт пр\. переул(?:ок|ка|"
    r"ке) пер\. набережн\w{1,4} наб\. шоссе ш\. бульвар[аеу]? "
    r"бул\. б-р площад[ьи] пл\. проезд[аеу]? пр-д тупик[аеу]? туп\. алле[яеи] алл\. микрорайон[аеу]? мкр\.? квартал[аеу]? кв-л "
    r"лини[яи] тракт[аеу]? съезд спуск"
)
_RU_PLACE = (
    rf"(?:(?:г|гор|с|п|пос|д|дер|ст|х|к|клх|свх|пгт|рп|аул|ст-ца|город[еа]?|сел[оеа]|деревн[яеи]|"
    rf"пос[её]л[ок]{{1,2}}[еа]?|станиц[аеы]|"
    rf"хутор[еа]?)\.? ?{_RU_NAME}(?: {_RU_NAME})?(?: ?\([А-Яа-я.]{{2,12}}\))?|{_RU_NAME}(?: (?:обл\.?|область|край|р-н|район))?)"
)
_RUSSIAN = lazy_regex(
    rf"(?:\b\d{{6}},? )?(?:\b{_RU_PLACE},[ \n]){{0,3}}(?:\b{_RU_KINDS} ?(?:\d{{1,3}}(?:-[а-я]{{1,2}}| лет)? )?{_RU_NAME}"
    rf"(?: {_RU_NAME}){{0,2}}|\b{_RU_NAME}(?: {_RU_NAME})? {_RU_KINDS}){_RU_NUMBER}(?:,[ \n]{_RU_PLACE})?(?:,?[ \n]\d{{6}}\b)?"
)
_OF = r"(?:(?:de la|de los|de las|della|dello|degli|dell[’']|del|dei|de|do|dos|das|da|d[’'])\s?)"
_ROMANCE = lazy_regex(
    r"\b(?i:Via|Viale|Piazza|Piazzale|Largo|Corso|Vicolo|Borgo|Strada|Contrada|Lungomare|Salita|Galleria|Località|"
    r"Traversa|Rotonda|"
    r"Calle|C/|Avenida|Avda\.?|Av\.|Plaza|Pza\.?|Paseo|Ronda|Carretera|Ctra\.?|Callejón|Glorieta|Rambla|Travesía|"
    r"Urbanización|Pasaje|"
    r"Cuesta|Carrer|Camino|Rua|R\.|Travessa|Praça|Estrada|Beco|Calçada|Rodovia|Viela|Alameda) "
    rf"{_OF}?{_NAME}(?: {_OF}?{_NAME}){{0,4}}(?:,? (?:n[.º°] ?|nº ?|no\. ?)?\d{{1,5}}[A-Za-z]?\b|,? s/n\b|(?=,? {_UNIT}))"
)
_COMPOUND = lazy_regex(
    rf"\b{_NAME}(?:(?<=straat)|(?<=laan)|(?<=weg)|(?<=plein)|(?<=gracht)|(?<=kade)|(?<=dijk)|(?<=singel)|(?<=hof)|"
    rf"(?<=pad)|(?<=plantsoen)|(?<=steeg)|(?<=dreef)|(?<=baan)|(?<=lei)|"
    rf"(?<=gatan)|(?<=gata)"
    r"|(?<=vägen)|(?<=vegen)|(?<=veien)|(?<=gade)|(?<=vej)|(?<=katu)|(?<=tie)|(?<=kuja)|(?: [IVX]{{1,4}}-laan)| (?:utca|"
    r"út|náměstí"
    rf"|ulice|třída|ulica)) \d{{1,4}}(?: ?[A-Za-z]\b)?(?:[-/]\d{{1,4}})?"
)
_POLISH = lazy_regex(
    rf"\b(?i:ul\.|al\.|os\.|pl\.|ulica|aleja|plac|osiedle|rondo) ?{_NAME}(?: {_NAME}){{0,3}} \d{{1,4}}[A-Za-z]?(?:/\d{{1,4}})?"
)
_SMALL = lazy_regex(
    r"\b\d{1,5} (?!(?:the|this|that|his|her|our|long|dirt|new|old|more|other|busy|quiet|main road)\b)[a-z]{3,20} "
    r"(?:street|avenue|road|lane|boulevard)\b"
)
"""Addresses in lower case, as in notes; with more words than one nobody could tell what they are."""
_HAN = r"[\u3400-\u9fff々]"
_EAST = lazy_regex(
    rf"{_HAN}{{2,16}}[路街道巷弄]\d{{1,5}}号(?:[\d]{{1,4}}{_HAN}{{1,3}}){{0,3}}"
    rf"|〒 ?\d{{3}}-\d{{4}}|{_HAN}{{2,12}}[市区町村郡][{_HAN[1:-1]}\u3040-\u30ff]{{1,8}}"
    r"\d{1,3}(?:丁目|番地?|号|-){1,2}(?:\d{1,3}(?:番地?|号|-)?){0,2}"
    r"|\b\d{1,2}-\d{1,2}(?:-\d{1,2})? [A-Z][a-z]+, [A-Z][\w-]+-(?:ku|shi|cho|gun)\b(?:, [A-Z][a-z]+)?(?: \d{3}-\d{4})?"
)
_POSTCODE = lazy_regex(r"\b(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d)\b")
"""British and Canadian postcodes, which identify a dozen houses by themselves."""
_BOX = lazy_regex(
    r"\b(?:P\.? ?O\.? Box|GPO Box|Locked Bag|Private Bag|Postfach|Postbus|BP|B\.P\.|boîte postale|casella postale|"
    r"apartado(?: de correos)?|apdo\.?|caixa postal|skrytka pocztowa|а/я|абонентский ящик) ?\d[\d ]{0,8}\b",
    re.IGNORECASE,
)


_STREETS = (_ENGLISH, _ENGLISH_OTHER, _GERMAN, _FRENCH, _ROMANCE, _COMPOUND, _POLISH, _SMALL, _BOX)
_WHOLE = (_NUMBER_FIRST, _NUMBER_LAST, _RUSSIAN, _EAST, _MILITARY, _PLACE, _POSTCODE)


_FLAT_BEFORE = lazy_regex(r"\b(?:Flat|Studio|Unit|Apartment|Apt\.?|Suite|House|Plot|Shop|No\.?|Nr\.?) (?:\w{1,5},? )?$")
_FLAT_REACH = 20


def addresses(text: str) -> Iterator[PiiSpan]:
    """Yield streets with house numbers, with the flat and the town where they follow; boxes; postcodes, and towns with one."""
    found = [(match.start(), _end(text, match.end())) for pattern in _STREETS for match in pattern.finditer(text)]
    found += [match.span() for pattern in _WHOLE for match in pattern.finditer(text)]
    start = end = 0
    for street, last in sorted(found):
        first = _begin(text, street)
        if first >= end:
            if end:
                yield PiiSpan(start, end, "ADDRESS")
            start = first
        end = max(end, last)
    if end:
        yield PiiSpan(start, end, "ADDRESS")


def _begin(text: str, at: int) -> int:
    """Return where the address begins: for "Flat 9 Baker Street" at its flat."""
    flat = _FLAT_BEFORE.search(text, max(0, at - _FLAT_REACH), at)
    return flat.start() if flat else at


def _end(text: str, at: int) -> int:
    """Return where the address ends whose street ends at this position."""
    tail = _TAIL.match(text, at)
    return tail.end() if tail else at
