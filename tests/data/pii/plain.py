"""Texts without personal data, made from templates by a seeded generator: English, German, Russian; with amounts, dates,
quantities, orders, versions and names of things, in which redaction should find nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from tests.data.pii.labelled import Labelled

TEMPLATES = {
    "en": """The house cost ####000 dollars, and the garden another ## ###.## euros.
We walked #### m in ## minutes and burnt ### calories.
Order ######## left the warehouse on 2026-0#-1#.
Invoice no. 2026######, due 1#/0#/2026, total 1,###.## EUR.
Between 199# and 201# the city grew to #,###,### people.
Version #.##.#, build #######, released in 201#.
The ISBN is 978-3-16-148410-0, ticket ##########.
It took ####### seconds, or ###.## hours.
Coordinates ##.######, ##.######; altitude ### m.
The film starts at 19:4# and ends at 22:1#; seats ## and ##.
My new bicycle has 2# gears and weighs 1#.# kg.
The Great Wall is ## ### km long, Mount Everest #### m high.
In the summer of 201# we rented a flat near the lake for ### euros a week.
The meeting moved from 10.30 to 11.45; Project Atlas is late by ## days.
Budget 2025/2026: ### ### euros for the library, ## ### for the school.
The blue notebook is on the second shelf, page ###, line ##.
Booking number ####### is for a room with a view of the sea.
I read three books about the Roman Empire, and liked the second.""",
    "de": """Das Haus hat ###.### Euro gekostet, der Garten noch einmal ##.###,## EUR.
Wir sind #### m in ## Minuten gelaufen.
Bestellung ######## ging am 1#.0#.2026 raus.
Rechnung Nr. 2026######, fällig am 1#.0#.2026, Summe 1.###,## EUR.
Zwischen 199# und 201# wuchs die Stadt auf # ### ### Einwohner.
Version #.##.#, Build #######, erschienen 201#.
Das Treffen ist von 10.30 auf 11.45 Uhr verlegt.
Anfang Mai habe ich eine Tasse Kaffee und ein Stück Kuchen für #,## Euro bestellt.
Gestern Abend war ich im Alten Museum, der Eintritt kostet ## Euro.
Guten Morgen, der neue Vertrag mit der Deutschen Bahn läuft bis Ende 202#.
Der Bericht hat ### Seiten und ## Tabellen, Kapitel #.# ist das längste.
Nächsten Montag fängt das Projekt an, wir brauchen ## Liter Farbe.
Das blaue Heft liegt im zweiten Regal, Seite ###, Zeile ##.
Buchung ####### gilt für ein Zimmer mit Blick auf den See.
Unter der Brücke standen ## Autos, im Hof noch # Fahrräder.""",
    "ru": """Дом стоил ####000 рублей, сад ещё ## ### рублей.
Мы прошли #### м за ## минут.
Заказ ######## отправлен 1#.0#.2026.
Счёт № 2026######, оплатить до 1#.0#.2026, всего 1 ###,## евро.
С 199# по 201# год город вырос до # ### ### человек.
Версия #.##.#, сборка #######, вышла в 201# году.
Встречу перенесли с 10.30 на 11.45.
В отчёте ### страниц и ## таблиц, глава #.# самая длинная.
Новый велосипед весит 1#,# кг и стоит ## ### рублей.
Вчера в музее видели ## картин, билет стоит ### рублей.
Бронь ####### на номер с видом на море.
Летом 201# года снимали дачу у озера за ### евро в неделю.
Синяя тетрадь лежит на второй полке, страница ###.""",
}


def plain(count: int, seed: int = 20261120) -> Iterator[Labelled]:
    """`count` texts, the same for the same seed."""
    chance = random.Random(seed)
    for number in range(count):
        language = ("en", "de", "ru")[number % 3]
        template = chance.choice(TEMPLATES[language].splitlines())
        yield Labelled(language, re.sub("#", lambda _: chance.choice("123456789"), template), ())
