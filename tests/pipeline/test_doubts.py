"""Which pairs of statements the judge compares, and about which of them the owner is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from known_atoms import statement
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.domain.atom import Atom
from lattice_common.domain.judgement import Relatedness, Status
from lattice_common.ingest.reconcile.judging import Boundaries, Judging, Read, decide, may_outdate

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LIKELY = Relatedness(updates=0.6, adds=0.34, same=0.01, unrelated=0.05)


def judging() -> Judging:
    def near(atom: Atom, vectors: object) -> Sequence[str]:
        return ()

    return Judging(ScriptedJudge(), Boundaries(certain=0.8, likely=0.3), near, lambda one, other: 0.5)


def told(older: str, newer: str) -> tuple[Atom, Atom]:
    return statement(older, START, capture=1), statement(newer, START + timedelta(days=1), capture=2)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Я живу в Казани.", "Купил новый чайник."),
        ("息子は三年生です。", "新しいやかんを買いました。"),
        ("妻の名前は由美です。", "We bought a kettle."),
        ("Μένω στην Πάτρα.", "Το Σάββατο πήγαμε θέατρο."),
        ("أسكن في القاهرة.", "اشتريت غلاية جديدة."),
    ],
)
def test_what_is_in_letters_that_the_judge_does_not_read_is_not_compared(older: str, newer: str) -> None:
    old, new = told(older, newer)
    assert not may_outdate(new, old)
    assert judging().refuted([(new, old)]) == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I live in Kazan.", "I moved to Samara."),
        ("Ich wohne in Köln.", "Wir sind nach Łódź gezogen."),
        ("Code 4411", "Code 5522"),
    ],
)
def test_what_is_in_latin_letters_is_compared(older: str, newer: str) -> None:
    old, new = told(older, newer)
    assert may_outdate(new, old)


def test_what_was_over_long_before_is_no_news_and_what_is_somebody_elses_neither() -> None:
    old, new = told("The choir is led by Gareth Lloyd.", "The choir was founded in 1926.")
    assert may_outdate(new, old)
    was = replace(new, kind="event", valid_from=datetime(1926, 1, 1, tzinfo=UTC), date_phrase="in 1926")
    assert not may_outdate(was, old)
    assert may_outdate(replace(was, date_phrase="since 1926"), old)
    old, new = told("I take 20 mg of citalopram.", "Dr Shah bumped Anna's citalopram up to 40 mg.")
    assert not may_outdate(new, old)


UNLIKELY = Relatedness(updates=0.2, adds=0.6, same=0.1, unrelated=0.1)


@pytest.mark.parametrize(
    ("older", "newer", "asked"),
    [
        ("Miro's birthday is on 22 May.", "Miro's birthday is on 23 May.", True),
        ("The alarm code is 5521.", "The alarm code is 5512.", True),
        ("Die Fahrkarte kostet 49 Euro.", "Die Fahrkarte kostet 58 Euro.", True),
        ("The rehearsal is on Monday at 7.", "The rehearsal is on Tuesday at 8.", True),
        ("Paid 49 euros for the ticket.", "Paid 58 euros for the ticket.", False),  # twice
        ("Locker 5 is full.", "Locker 6 is full.", False),  # another one
        ("My cats are Ida and Max.", "My cats are Ida and Tom.", False),  # no value that can be seen
    ],
)
def test_the_owner_is_asked_about_the_same_with_another_value(older: str, newer: str, *, asked: bool) -> None:
    old, new = told(older, newer)
    found = decide([Read(old, new, UNLIKELY, UNLIKELY, ended=0.2)], judging())
    assert [each.verdict for each in found if each.verdict == "ask"] == (["ask"] if asked else [])


def test_nobody_is_asked_about_an_event_whose_day_has_gone_by() -> None:
    old, new = told("Ilse is here for Easter till the 6th.", "Ilse is off to Crete for the summer.")
    row = Read(old, new, LIKELY, LIKELY, ended=0.6)
    visit = replace(old, kind="event", valid_from=START - timedelta(days=3), valid_until=START - timedelta(days=1))
    assert [each.verdict for each in decide([row], judging())] == ["ask"]
    assert [each.verdict for each in decide([replace(row, older=visit)], judging())] == []
    begun = replace(visit, valid_until=None, date_phrase="since Friday")
    assert [each.verdict for each in decide([replace(row, older=begun)], judging())] == ["ask"]


ASKED: tuple[Status, ...] = ("asserted", "past", "planned", "rejected", "uncertain")
NOT_ASKED: tuple[Status, ...] = ("wished", "supposed", "quoted", "joked")


def verdicts(older: Status, newer: Status) -> list[str]:
    old, new = told("I live in Leeds.", "I live in Paris now.")
    row = Read(replace(old, status=older), replace(new, status=newer), LIKELY, LIKELY, ended=0.6)
    return [each.verdict for each in decide([row], judging())]


@pytest.mark.parametrize("status", NOT_ASKED)
def test_the_owner_is_not_asked_about_what_is_only_wished_or_said_by_others(status: Status) -> None:
    assert "ask" not in verdicts("asserted", status)
    assert "ask" not in verdicts(status, "asserted")


@pytest.mark.parametrize("status", ASKED)
def test_the_owner_is_asked_about_what_is_so_or_in_doubt(status: Status) -> None:
    assert verdicts("asserted", status) == ["ask"]
    assert verdicts(status, "asserted") == ["ask"]


@pytest.mark.parametrize(
    ("news", "verdicts"),
    [
        ("The vet says half a tablet for the cat from now on.", ["ask"]),
        ("Tom says half a tablet for the cat from now on.", []),
    ],
)
def test_the_owner_is_asked_about_what_somebody_ordered_whose_word_counts(news: str, verdicts: list[str]) -> None:
    old, new = told("The cat gets a quarter tablet twice a day.", news)
    read = Read(old, replace(new, status="quoted"), LIKELY, LIKELY, ended=0.95)
    assert [each.verdict for each in decide([read], judging())] == verdicts


def row(older: Atom, newer: Atom, ended: float, updates: float = 0.8, unrelated: float = 0.05) -> Read:
    found = Relatedness(updates=updates, adds=0.99 - updates - unrelated, same=0.01, unrelated=unrelated)
    return Read(older, newer, found, found, ended=ended)


def decided(*rows: Read, perhaps: float = 0.04) -> list[tuple[str, str]]:
    found = decide(rows, replace(judging(), boundaries=Boundaries(certain=0.8, likely=0.3, perhaps=perhaps)))
    return [(each.older.content, each.verdict) for each in found]


NEWS = statement("Dylan has started kindergarten, he's five already.", START + timedelta(days=1), capture=9)
AGE = statement("Dylan is four.", START, capture=2, segment_id="2-0")
SCHOOL = statement("Dylan goes to Head Start.", START, capture=2, ordinal=1, segment_id="2-0")
OTHER = statement("We live in the Riverside towers.", START, capture=3, segment_id="3-0")


def test_news_ends_what_was_said_in_one_go_with_what_it_ends() -> None:
    assert decided(row(SCHOOL, NEWS, 0.9), row(AGE, NEWS, 0.6)) == [(SCHOOL.content, "retire"), (AGE.content, "ask")]


def test_news_comes_before_what_it_ends_likely_and_that_is_of_another_topic_than_what_it_ends_for_certain() -> None:
    assert decided(row(SCHOOL, NEWS, 0.9), row(OTHER, NEWS, 0.6)) == [(SCHOOL.content, "retire"), (OTHER.content, "precede")]


def test_what_merely_stands_out_among_what_it_was_compared_with_is_asked_about() -> None:
    pin = statement("My PIN for the alarm is 4471.", START, capture=2)
    ported = statement("Ported my number to O2.", START + timedelta(days=1), capture=9)
    assert decided(row(pin, ported, 0.95, updates=0.58)) == [(pin.content, "ask")]
    assert decided(row(pin, ported, 0.95, updates=0.9)) == [(pin.content, "retire")]


def test_the_owner_is_asked_about_what_holds_until_another_is_back() -> None:
    driver = statement("The ambulance driver is Pa Lansana.", START, capture=2)
    young = statement("Alusine drives the ambulance until the old man is back.", START + timedelta(days=1), capture=9)
    assert decided(row(driver, young, 0.95)) == [(driver.content, "ask")]


def test_news_comes_before_the_three_likeliest_of_what_it_perhaps_ends() -> None:
    olds = [statement(f"Statement {at}.", START, capture=10 + at) for at in range(5)]
    rows = [row(old, NEWS, 0.25 - 0.02 * at) for at, old in enumerate(olds)]
    assert decided(*rows) == [(old.content, "precede") for old in olds[:3]]
    assert decided(row(olds[0], NEWS, 0.25, updates=0.1, unrelated=0.8)) == []


@pytest.mark.parametrize(
    ("plan", "news", "compared"),
    [
        ("From 3 March we live at Ferry Road.", "All moved in.", False),
        ("Ab 3. März wohnen wir in Fürth.", "Umgezogen!", False),
        ("The wedding is on 3 March.", "The wedding was lovely.", False),
        ("The oven arrives on 3 March.", "Oven's in!", False),
        ("From 3 March we live at Ferry Road.", "We moved to Leeds.", True),
        ("The oven arrives on 3 March.", "Oven is delayed.", True),
        ("The wedding is on 3 March.", "The wedding's off.", True),
        ("The oven arrives on 3 March.", "The oven comes on the 9th.", True),
        ("The gym is at Pulse.", "All moved in.", True),
    ],
)
def test_what_was_to_come_is_not_ended_by_words_that_only_say_that_it_came(plan: str, news: str, *, compared: bool) -> None:
    dated = START.replace(day=3) if "3" in plan else None
    older, newer = statement(plan, START, capture=1, valid_from=dated), statement(news, START + timedelta(days=7), capture=2)
    assert may_outdate(newer, older) is compared
