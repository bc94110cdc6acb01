"""Times counted from today in languages other than English."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from lattice_common.language.dates.mentions import resolve
from lattice_common.language.dates.years import with_years

WEDNESDAY = datetime(2026, 11, 25, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Vor drei Wochen habe ich gekündigt.", date(2026, 11, 2)),
        ("In zwei Wochen fahren wir nach Rügen.", date(2026, 12, 7)),
        ("Die Prüfung ist am 15.12. in Mainz.", date(2026, 12, 15)),
        ("Il y a trois semaines j'ai démissionné.", date(2026, 11, 2)),
        ("Dans deux semaines on part à Nice.", date(2026, 12, 7)),
        ("L'année dernière on était en Pologne.", date(2025, 1, 1)),
        ("Après-demain le plombier vient.", date(2026, 11, 27)),
        ("Hace tres semanas dejé el trabajo.", date(2026, 11, 2)),
        ("Dentro de dos semanas vamos a Cádiz.", date(2026, 12, 7)),
        ("El año pasado estuvimos en Polonia.", date(2025, 1, 1)),
        ("Pasado mañana viene el fontanero.", date(2026, 11, 27)),
        ("Tre settimane fa mi sono licenziato.", date(2026, 11, 2)),
        ("Tra due settimane andiamo a Bari.", date(2026, 12, 7)),
        ("Há três semanas despedi-me.", date(2026, 11, 2)),
        ("Drie weken geleden nam ik ontslag.", date(2026, 11, 2)),
        ("Over twee weken gaan we naar Texel.", date(2026, 12, 7)),
        ("Eergisteren was ik ziek.", date(2026, 11, 23)),
        ("Trzy tygodnie temu odszedłem z pracy.", date(2026, 11, 2)),
        ("Три недели назад уволился.", date(2026, 11, 2)),
        ("Через две недели едем в Сочи.", date(2026, 12, 7)),
        ("Üç hafta önce istifa ettim.", date(2026, 11, 2)),
        ("Il y a un an on était en Pologne.", date(2025, 1, 1)),
        ("Vorige week was ik ziek.", date(2026, 11, 16)),
        ("Geçen yıl Polonya'daydık.", date(2025, 1, 1)),
    ],
)
def test_what_is_counted_from_today_begins_on_its_day(text: str, day: date) -> None:
    (found,) = resolve(text, WEDNESDAY)
    assert found.whole[0].date() == day
    assert text[found.start : found.end] == found.phrase


@pytest.mark.parametrize(
    "text",
    [
        "Das Buch habe ich in zwei Wochen gelesen.",
        "Wir wohnen in drei Zimmern, vor zwei Häusern.",
        "The book took two weeks over all.",
        "Ho due settimane di ferie.",
        "Il y a trois chambres.",
        "Hace frío en el jardín.",
        "Version 1.2.3. am Ende.",
    ],
)
def test_what_only_sounds_like_it_is_no_time(text: str) -> None:
    assert resolve(text, WEDNESDAY) == []


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("Last year (2025) we were in Poland.", "In 2025 we were in Poland."),
        ("El año pasado (2025) estuvimos en Polonia.", "En 2025 estuvimos en Polonia."),
        ("Wir waren letztes Jahr (2025) in Polen.", "Wir waren in 2025 in Polen."),
        ("We met in May (May 2025).", "We met in May (May 2025)."),
        ("The flat (2025) is new.", "The flat (2025) is new."),
    ],
)
def test_a_year_that_is_named_by_way_of_this_one_is_read_as_its_number(content: str, shown: str) -> None:
    assert with_years(content) == shown


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Essa semana não tenho aula.", date(2026, 11, 23)),
        ("Semana que vem começo no hospital.", date(2026, 11, 30)),
        ("Ano que vem vamos morar em Braga.", date(2027, 1, 1)),
        ("Przez ten tydzień pracuję z domu.", date(2026, 11, 23)),
        ("Bu hafta izindeyim.", date(2026, 11, 23)),
        ("Haftaya annem geliyor.", date(2026, 11, 30)),
        ("Cette semaine je garde les enfants.", date(2026, 11, 23)),
        ("Heuer fahren wir nicht weg.", date(2026, 1, 1)),
    ],
)
def test_this_week_and_the_coming_one_are_named_without_an_article(text: str, first: date) -> None:
    [mention] = resolve(text, WEDNESDAY)
    assert mention.whole[0].date() == first


def test_that_day_is_not_today() -> None:
    assert resolve("Nesse dia estava muito frio em casa.", WEDNESDAY) == []
