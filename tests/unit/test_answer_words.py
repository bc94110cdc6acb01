"""What an answer says around what it quotes, in the language of the question."""

from __future__ import annotations

import string
from datetime import date

import pytest
from lattice_common.language.answer_words import answered_in, say, time_in, weekday_in, with_its_dates
from lattice_common.language.tables.answer_words import ANSWER_WORDS, DAYS, MONTHS, SEASONS, WEEKDAYS, WEEKS


@pytest.mark.parametrize("language", sorted(ANSWER_WORDS))
def test_each_language_says_all_that_english_says_with_the_same_values(language: str) -> None:
    def places(words: str) -> int:
        return sum(field is not None for _, field, _, _ in string.Formatter().parse(words))

    english = ANSWER_WORDS["en"]
    assert {key: places(words) for key, words in ANSWER_WORDS[language].items()} == {
        key: places(each) for key, each in english.items()
    }


@pytest.mark.parametrize("language", sorted(ANSWER_WORDS.keys() - {"en"}))
def test_each_language_names_its_days_and_months(language: str) -> None:
    assert [len(table[language].split()) for table in (MONTHS, WEEKDAYS, SEASONS)] == [12, 7, 4]
    assert DAYS[language]
    assert "{}" in WEEKS[language]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Where do I live now?", "Since 2 June 2026: "),
        ("Wo wohne ich jetzt eigentlich?", "Seit 2. Juni 2026: "),
        ("où est-ce que j'habite maintenant ?", "Depuis le 2 juin 2026 : "),
        ("¿dónde vivo yo ahora?", "Desde el 2 de junio de 2026: "),
        ("dove abito io adesso?", "Dal 2 giugno 2026: "),
        ("onde é que eu moro agora?", "Desde 2 de junho de 2026: "),
        ("waar woon ik nu eigenlijk?", "Sinds 2 juni 2026: "),
        ("gdzie ja teraz właściwie mieszkam?", "Od 2 czerwca 2026: "),
        ("şimdi nerede oturuyorum acaba?", "2 Haziran 2026 tarihinden beri: "),
        ("今どこに住んでいますか？", "Since 2 June 2026: "),
    ],
)
def test_an_answer_speaks_the_language_of_its_question(question: str, told: str) -> None:
    assert say(question, "since", "2 June 2026") == told


def test_what_is_quoted_stays_as_it_was_said() -> None:
    assert say("où est-ce que j'habite ?", "nearest", "il va à le Mans") == (
        "Je ne sais pas. Le plus proche que j'ai retenu : il va à le Mans"
    )
    assert say("où est-ce que j'habite ?", "value until", "à le Mans", "2 June 2026") == "à le Mans jusqu'au 2 juin 2026"


def test_articles_are_drawn_together() -> None:
    assert say("où est-ce que j'habite ?", "until", "2 June 2026") == "Jusqu'au 2 juin 2026 : "
    assert say("où est-ce que j'habite ?", "from", "2 June 2026") == "À partir du 2 juin 2026 : "
    assert say("¿dónde vivo yo ahora?", "from", "2 June 2026") == "A partir del 2 de junio de 2026: "


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("June 2026", "Juni 2026"),
        ("week of 19 October 2026", "der Woche vom 19. Oktober 2026"),
        ("2 to 9 May 2026", "2–9. Mai 2026"),
        ("spring 2026", "Frühling 2026"),
        ("2026", "2026"),
        ("40 Stunden", "40 Stunden"),
    ],
)
def test_a_time_is_told_in_the_language_too(time: str, told: str) -> None:
    assert time_in("de", time) == told


def test_a_day_is_told_with_its_weekday() -> None:
    day = date(2026, 12, 1)
    assert weekday_in("When is the book club?", day) == "Tuesday 1 December 2026"
    assert weekday_in("c'est quand le club de lecture ?", day) == "mardi 1 décembre 2026"
    assert weekday_in("¿cuándo es el club de lectura?", day) == "martes 1 de diciembre de 2026"


def test_what_is_no_known_language_is_answered_in_english() -> None:
    assert answered_in("Xqz?") == "en"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("OP von Mama ist auf den 19. (19 March 2026) verschoben", "OP von Mama ist auf den 19. (19. März 2026) verschoben"),
        ("l'opération de papa est repoussée au 26 (26 March 2026)", "l'opération de papa est repoussée au 26 (26 mars 2026)"),
        ("la operación de papá es el martes (10 March 2026)", "la operación de papá es el martes (10 de marzo de 2026)"),
        ("Dad's operation moved to Friday (6 March 2026).", "Dad's operation moved to Friday (6 March 2026)."),
        ("Mama hat eine OP (am Auge).", "Mama hat eine OP (am Auge)."),
    ],
)
def test_the_days_of_a_memory_are_told_in_its_own_language(content: str, told: str) -> None:
    assert with_its_dates(content) == told
