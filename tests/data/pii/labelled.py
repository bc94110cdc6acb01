"""Texts with personal data at known places, made from templates by a seeded generator: English, German, Russian; numbers that
pass their checks, in the forms in which people write them.

What is personal is marked in a template by `{kind}`; the generator fills it and notes where it stands.
"""

# ruff: noqa: E501 - lists of values read better in long lines

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from stdnum import luhn


@dataclass(frozen=True)
class Labelled:
    """A text, its language, and (start, end, kind) of all that is personal in it."""

    language: str
    text: str
    spans: tuple[tuple[int, int, str], ...]


TEMPLATES = {
    "en": """You can reach {PERSON} at {EMAIL} or on {PHONE}.
My new number is {PHONE}, the old one no longer works.
Please transfer the 450.00 dollars to {IBAN} by 2026-03-14.
The card {CARD} expires on 04/29.
{PERSON} moved to {ADDRESS} last spring.
Invoice 20260314 was sent to {EMAIL}; {PERSON} paid 1,250.00 EUR from {IBAN}.
Call the dentist ({PHONE}) before 17:30 on 12/04/2026.
My wifi password is {SECRET} and the router is at {IP}.
Put {SECRET} into the settings, then log in.
Had dinner with {PERSON} at 8.15 pm, table for 4.
Phone: {PHONE}; mail: {EMAIL}
I gave my card number {CARD} to the hotel, booking 4821993.
Dear {PERSON}, thanks for the 3 books. Write to {EMAIL}.
The parcel goes to {ADDRESS}, ask for {PERSON}.
{PERSON}'s birthday is on 1987-06-05.
The build server {IP} failed 17 times in 2025.
Text me on {PHONE} when you land at 21:40.""",
    "de": """Du erreichst {PERSON} unter {EMAIL} oder {PHONE}.
Meine neue Nummer ist {PHONE}, die alte geht nicht mehr.
Bitte überweise 450,00 Euro bis zum 14.03.2026 auf {IBAN}.
Die Karte {CARD} läuft am 04/29 ab.
{PERSON} ist im Frühling in die {ADDRESS} gezogen.
Rechnung 20260314 ging an {EMAIL}, bezahlt wurden 1.250,00 EUR von {IBAN}.
Ruf vor 17:30 Uhr beim Zahnarzt an: {PHONE}.
Das WLAN-Passwort ist {SECRET} und der Router hat {IP}.
Gestern war ich mit Frau {PERSON} um 20.15 Uhr essen.
Tel.: {PHONE}, Mail: {EMAIL}
Meine Kartennummer {CARD} hat das Hotel, Buchung 4821993.
Liebe {PERSON}, danke für die 3 Bücher. Schreib an {EMAIL}.
Das Paket geht an {ADDRESS}.
Der Server {IP} ist 2025 siebzehnmal ausgefallen.""",
    "ru": """Пишите на {EMAIL} или звоните {PHONE}.
Мой новый номер {PHONE}, старый больше не работает.
Переведите 450,00 евро до 14.03.2026 на {IBAN}.
Карта {CARD} действует до 04/29.
{PERSON} весной переехала: {ADDRESS}.
Счёт 20260314 отправлен на {EMAIL}, оплачено 1 250 рублей с {IBAN}.
Позвони стоматологу до 17:30: {PHONE}.
Пароль от вайфая: {SECRET}, роутер {IP}.
Вчера ужинали с другом, его зовут {PERSON}.
Тел.: {PHONE}, почта: {EMAIL}
Номер карты {CARD} есть у отеля, бронь 4821993.
Посылка идёт на {ADDRESS}.
Сервер {IP} в 2025 году падал 17 раз.""",
}

PEOPLE = {
    "en": "Anna Miller|Rosalind Okonkwo|James O'Connor|Priya Raman|Tom Becker|Sarah Whitfield|Kwame Mensah|Elizabeth Hargreaves|Dr. Naomi "
    "Feldman|Liam Gallagher|Fatima Zahra|Chen Wei|Isabella Rossi|Marcus Aldridge|Yuki Tanaka|Olivia Brandt|Zanele Dube|Hugo Lefèvre",
    "de": "Anna Schmidt|Jürgen Müller|Katharina von Berg|Lukas Hofmann|Sabine Krüger|Mehmet Yılmaz|Ingrid Sørensen|Thomas Wagner|Petra "
    "Lindner|Friedrich Baumgartner|Leonie Voss|Sven Petersen|Greta Thalbach|Horst Kowalski",
    "ru": "Анна Петрова|Иван Сергеевич Смирнов|Ольга Кузнецова|Дмитрий Волков|Екатерина Белова|Сергей Ильич Орлов|Мария Соколова|Аня|Павел "
    "Морозов|Светлана Новикова|Тимур Ахметов|Ярослава Вишневская",
}
STREETS = {
    "en": "{n} Baker Street|{n} Oak Avenue, Springfield, IL 62704|{n}B Queen's Road, Bristol BS8 1QU|{n} West 23rd Street, Apt. 4C|{n} Elm Lane|"
    "{n} Mountain View Drive, Denver, CO 80202|{n} King George Square|{n} Church Rd",
    "de": "Schillerstraße {n}|Lindenallee {n}a, 10115 Berlin|Am Alten Markt {n}, 50667 Köln|Berliner Str. {n}|Unter den Linden {n}|Rosenweg {n}, "
    "80331 München|Friedrich-Ebert-Platz {n}, 60311 Frankfurt am Main",
    "ru": "ул. Ленина, д. {n}, кв. 12|Тверская улица, {n}|Невский проспект, {n}|г. Казань, ул. Баумана, {n}|проспект Мира, дом {n}, корп. 2|"
    "Большой переулок, {n}|наб. Фонтанки, д. {n}",
}
PHONES = {
    "en": "+1 (2##) 5##-####|+1-4##-7##-####|+44 20 7### ####|+44 7### ######|(2##) 5##-####|3##-6##-####|4##.8##.####|+353 1 ### ####|020 7### ####|"
    "07### ######|+61 4## ### ###|+351 9## ### ###|1-8##-3##-####",
    "de": "+49 30 #######|+49 1## #######|030 / ### ## ##|0171/#######|0151 ########|(089) ### ## ##|+49 (0)40 ######|0049 69 ######|+43 1 #######|"
    "+41 44 ### ## ##|01##-#######|0221 ######",
    "ru": "+7 9## ###-##-##|8 (9##) ###-##-##|89#########|+7 (495) ###-##-##|8-9##-###-##-##|+79#########|8 800 ###-##-##|+380 ## ### ## ##|8 9## ### ## ##",
}
IBANS = {
    "DE": 18,
    "GB": "WEST##############",
    "FR": 23,
    "AT": 16,
    "CH": 17,
    "ES": 20,
    "NL": "ABNA##########",
    "PT": 21,
    "PL": 24,
    "IT": "X######################",
}
CARDS = (("4", 16), ("51", 16), ("5500", 16), ("2221", 16), ("34", 15), ("37", 15), ("6011", 16), ("36", 14))


Maker: TypeAlias = Callable[[str, random.Random], str]
"""Makes a value of a kind, for a language."""


def labelled(count: int, seed: int = 20260314, makers: Mapping[str, Maker] | None = None) -> Iterator[Labelled]:
    """`count` texts, the same for the same seed; about two values in each, some kinds of them by other `makers`."""
    chance = random.Random(seed)
    for number in range(count):
        language = ("en", "de", "ru")[number % 3]
        template = chance.choice(TEMPLATES[language].splitlines())
        yield _filled(template, language, chance, {**MAKERS, **(makers or {})})


def _filled(template: str, language: str, chance: random.Random, makers: Mapping[str, Maker]) -> Labelled:
    text, spans = "", []
    for piece in re.split(r"(\{[A-Z]+\})", template):
        if not piece.startswith("{"):
            text += piece
            continue
        kind = piece[1:-1]
        value = makers[kind](language, chance)
        spans.append((len(text), len(text) + len(value), kind))
        text += value
    return Labelled(language, text, tuple(spans))


def _digits(form: str, chance: random.Random) -> str:
    return re.sub("#", lambda _: chance.choice("23456789"), form)


def _email(_: str, chance: random.Random) -> str:
    first, last = (
        chance.choice(["anna", "j", "tom.b", "r_okonkwo", "info", "мария", "x-y"]),
        chance.choice(["petrova", "miller+news", "99", "m"]),
    )
    host = chance.choice(
        ["example.org", "mail.example.com", "example.co.uk", "post.example", "münchen.example", "xn--80ak6aa.example"]
    )
    return f"{first}{chance.choice(['.', '', '_'])}{last}@{host}"


def _phone(language: str, chance: random.Random) -> str:
    return _digits(chance.choice(PHONES[language].split("|")), chance)


def _iban(_: str, chance: random.Random) -> str:
    country = chance.choice(sorted(IBANS))
    form = IBANS[country]
    account = _digits("#" * form if isinstance(form, int) else form, chance)
    number = int("".join(str(int(letter, 36)) for letter in f"{account}{country}00"))
    whole = f"{country}{98 - number % 97:02d}{account}"
    return chance.choice([whole, " ".join(whole[at : at + 4] for at in range(0, len(whole), 4)), whole.lower()])


def _card(_: str, chance: random.Random) -> str:
    begin, length = chance.choice(CARDS)
    body = _digits(begin + "#" * (length - len(begin) - 1), chance)
    whole = next(body + digit for digit in "0123456789" if luhn.is_valid(body + digit))
    between = chance.choice(["", " ", "-"])
    return between.join(whole[at : at + 4] for at in range(0, length, 4))


def _address(language: str, chance: random.Random) -> str:
    return chance.choice(STREETS[language].split("|")).format(n=chance.randint(1, 199))


def _secret(_: str, chance: random.Random) -> str:
    letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    some = lambda count: "".join(chance.choice(letters) for _ in range(count))  # noqa: E731 - three uses below
    return chance.choice([f"sk-proj-{some(32)}", f"ghp_{some(36)}", f"AKIA{some(16).upper()}", f"xoxb-{some(24)}"])


MAKERS: dict[str, Maker] = {
    "EMAIL": _email,
    "PHONE": _phone,
    "IBAN": _iban,
    "CARD": _card,
    "ADDRESS": _address,
    "SECRET": _secret,
    "IP": lambda _, chance: chance.choice(
        [f"192.168.{chance.randint(0, 255)}.{chance.randint(1, 254)}", f"2001:db8::{chance.randint(4096, 65535):x}"]
    ),
    "PERSON": lambda language, chance: chance.choice(PEOPLE[language].split("|")),
}
