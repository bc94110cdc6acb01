"""Dates in words, as seen from Monday, 8 May 2023, 13:56."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from lattice_common.language.dates.mentions import resolve, written

SAID_AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)

MEANINGS = [
    # phrase in a sentence, first day (None: open), day after the last (None: open)
    ("I went yesterday.", "2023-05-07", "2023-05-08"),
    ("the day before yesterday we left", "2023-05-06", "2023-05-07"),
    ("See you tomorrow", "2023-05-09", "2023-05-10"),
    ("What's on tonight?", "2023-05-08", "2023-05-09"),
    ("last night was long", "2023-05-07", "2023-05-08"),
    ("last Friday we met", "2023-05-05", "2023-05-06"),
    ("We met on Sunday", "2023-05-07", "2023-05-08"),
    ("We will meet on Sunday", "2023-05-14", "2023-05-15"),
    ("this Friday", "2023-05-12", "2023-05-13"),
    ("next Tuesday", "2023-05-16", "2023-05-17"),
    ("next Friday", "2023-05-12", "2023-05-13"),
    ("by Friday", None, "2023-05-13"),
    ("The boiler was serviced on the 4th, all fine.", "2023-05-04", "2023-05-05"),
    ("The boiler was serviced on the 28th.", "2023-04-28", "2023-04-29"),
    ("The weekend before last we cycled to Bath", "2023-04-29", "2023-05-01"),
    ("We moved in the winter before last", "2021-12-01", "2022-03-01"),
    ("The Friday before last the boiler broke", "2023-04-28", "2023-04-29"),
    ("Got back from Rome on the 31st", "2023-03-31", "2023-04-01"),
    ("Tom and Ines had a girl, Marit, on the 9th.", "2023-04-09", "2023-04-10"),
    ("I finish it in two days.", "2023-05-10", "2023-05-11"),
    ("The visa is done in two days' time.", "2023-05-10", "2023-05-11"),
    ("Dentist on the 12th at 3", "2023-05-12", "2023-05-13"),
    ("Dentist on the 3rd at 3", "2023-06-03", "2023-06-04"),
    ("The rent was paid on the 1st.", "2023-05-01", "2023-05-02"),
    ("The delivery's due on the 3rd.", "2023-06-03", "2023-06-04"),
    ("The passport is valid until at least June 2027.", None, "2027-07-01"),
    ("The exam was pushed back to September.", "2023-09-01", "2023-10-01"),
    ("Die Prüfung wurde auf September verschoben.", "2023-09-01", "2023-10-01"),
    ("abo läuft noch bis oktober", None, "2023-11-01"),
    ("I need it by the 20th.", None, "2023-05-21"),
    ("I was in Leeds Monday to Wednesday.", "2023-05-01", "2023-05-04"),
    ("You may end it on or after 14 August 2026.", "2026-08-14", None),
    ("Return it on or before 20 October 2026.", None, "2026-10-21"),
    ("The cottage is ours from Friday 20 to Sunday 22 October.", "2023-10-20", "2023-10-23"),
    ("football finished for the season, restarts in September", "2023-09-01", "2023-10-01"),
    ("We were away Friday to Sunday, lovely", "2023-05-05", "2023-05-08"),
    ("On a un gîte du 11 au 18 juillet.", "2023-07-11", "2023-07-19"),
    ("Vacanze al mare dal 10 al 20 agosto.", "2023-08-10", "2023-08-21"),
    ("Vacaciones en Cádiz del 3 al 15 de agosto.", "2023-08-03", "2023-08-16"),
    ("Férias de 3 a 12 de julho.", "2023-07-03", "2023-07-13"),
    ("Da settembre sarò all'Alfieri.", "2023-09-01", None),
    ("Desde septiembre trabajaré en Sevilla.", "2023-09-01", None),
    ("A settembre sarò a Roma.", "2023-09-01", "2023-10-01"),
    ("Year 4 trip to Holt Fell, 20 to 22 June", "2023-06-20", "2023-06-23"),
    ("I voted in the 2019 election", "2019-01-01", "2020-01-01"),
    ("A 2027 deadline was agreed", "2027-01-01", "2028-01-01"),
    ("renew it before August", None, "2023-08-01"),
    ("On Christmas Eve we had carp at Tom's.", "2022-12-24", "2022-12-25"),
    ("Ines rang on Easter Monday.", "2023-04-10", "2023-04-11"),
    ("We went to Texel over Easter", "2023-04-07", "2023-04-11"),
    ("We're going to fly to Cork on Whit Monday.", "2023-05-29", "2023-05-30"),
    ("We met on Good Friday 2019.", "2019-04-19", "2019-04-20"),
    ("since March", "2023-03-01", None),
    ("my appointment is on Friday", "2023-05-12", "2023-05-13"),
    ("The tax is due on Friday.", "2023-05-12", "2023-05-13"),
    ("on Friday we will visit them", "2023-05-12", "2023-05-13"),
    ("Dinner with Eva on Friday", "2023-05-12", "2023-05-13"),
    ("I met Tom, and on Friday we're going to the zoo", "2023-05-12", "2023-05-13"),
    ("They moved the meeting to Friday", "2023-05-12", "2023-05-13"),
    ("Tim moved to Bergen in January", "2023-01-01", "2023-02-01"),
    ("The exam was pushed back to 12 May", "2023-05-12", "2023-05-13"),
    ("Gave up on the gas hob, the new one goes in on Friday", "2023-05-12", "2023-05-13"),
    ("Sara's got an Ofsted week from the 13th of June", "2023-06-13", None),
    ("Saw Dr Blom, all good. Next appointment in January.", "2024-01-01", "2024-02-01"),
    ("Next check-up in March.", "2024-03-01", "2024-04-01"),
    ("Sara's got married on Friday", "2023-05-05", "2023-05-06"),
    ("We moved to York on Friday", "2023-05-05", "2023-05-06"),
    ("bought tickets for Friday", "2023-05-12", "2023-05-13"),
    ("I started in November", "2022-11-01", "2022-12-01"),
    ("We met on 3 June", "2022-06-03", "2022-06-04"),
    ("The funeral is Friday 19th", "2023-05-19", "2023-05-20"),
    ("party on Sat the 27th", "2023-05-27", "2023-05-28"),
    ("meeting thursday 1st, then lunch", "2023-06-01", "2023-06-02"),
    ("We met on Friday the 21st", "2023-04-21", "2023-04-22"),
    ("Bought tickets, concert 3 June", "2023-06-03", "2023-06-04"),
    ("It rained and on Friday we stayed at home", "2023-05-05", "2023-05-06"),
    ("Who came on Friday?", "2023-05-05", "2023-05-06"),
    # What somebody agreed or said beforehand is yet to come; what was done is over.
    ("They offered me the job from Friday.", "2023-05-12", None),
    ("They offered her a place from March.", "2024-03-01", None),
    ("She went part-time from March.", "2023-03-01", None),
    ("She was off sick from Friday.", "2023-05-05", None),
    ("Mum asked me to come on Friday.", "2023-05-12", "2023-05-13"),
    ("We decided to leave for the coast on Friday.", "2023-05-12", "2023-05-13"),
    ("We managed to leave on Friday.", "2023-05-05", "2023-05-06"),
    ("Made an appointment at the dentist on Friday.", "2023-05-12", "2023-05-13"),
    ("I had an appointment at the dentist on Friday.", "2023-05-05", "2023-05-06"),
    ("Tom said he arrives on Friday.", "2023-05-12", "2023-05-13"),
    ("Tom said he arrived on Friday.", "2023-05-05", "2023-05-06"),
    ("Tom said it on Friday.", "2023-05-05", "2023-05-06"),
    ("I quit on Friday.", "2023-05-05", "2023-05-06"),
    ("Quit on Friday.", "2023-05-05", "2023-05-06"),
    ("So, hurt my knee on Friday.", "2023-05-05", "2023-05-06"),
    ("Put the bins out on Friday.", "2023-05-12", "2023-05-13"),
    ("Am Freitag habe ich bei Contoso angefangen.", "2023-05-05", "2023-05-06"),
    ("Am Freitag haben wir das Auto verkauft.", "2023-05-05", "2023-05-06"),
    ("Am Freitag sind wir bei Oma eingeladen.", "2023-05-12", "2023-05-13"),
    ("the exam is on Monday", "2023-05-15", "2023-05-16"),
    ("until Friday", None, "2023-05-13"),
    ("I was ill until Friday", None, "2023-05-06"),
    ("Thursday 2 November", "2023-11-02", "2023-11-03"),
    ("Wednesday 2 November", "2022-11-02", "2022-11-03"),
    ("The flight is on Thursday 19 May", "2023-05-19", "2023-05-20"),  # it was a Thursday the year before
    ("Thursday 11 May", "2023-05-11", "2023-05-12"),
    ("on Thursday, May 11th", "2023-05-11", "2023-05-12"),
    ("Wed 3 Jan", "2024-01-03", "2024-01-04"),
    ("Sat, 20 Mar 2021", "2021-03-20", "2021-03-21"),
    ("3 to 17 August", "2023-08-03", "2023-08-18"),
    ("10.–24. Juli 2024", "2024-07-10", "2024-07-25"),
    ("am Montag kommt der Techniker", "2023-05-15", "2023-05-16"),
    ("nächsten Freitag", "2023-05-12", "2023-05-13"),
    ("letzte Woche", "2023-05-01", "2023-05-08"),
    ("morgen", "2023-05-09", "2023-05-10"),
    ("明日は歯医者です", "2023-05-09", "2023-05-10"),
    ("会議は5月30日です", "2023-05-30", "2023-05-31"),
    ("next Monday", "2023-05-15", "2023-05-16"),
    ("last week", "2023-05-01", "2023-05-08"),
    ("two weeks ago", "2023-04-24", "2023-05-01"),
    ("a fortnight ago", "2023-04-24", "2023-05-01"),
    ("in a fortnight", "2023-05-22", "2023-05-29"),
    ("3 days ago", "2023-05-05", "2023-05-06"),
    ("a month ago", "2023-04-01", "2023-05-01"),
    ("ten years ago", "2013-01-01", "2014-01-01"),
    ("in two weeks", "2023-05-22", "2023-05-29"),
    ("last weekend", "2023-05-06", "2023-05-08"),
    ("this past weekend", "2023-05-06", "2023-05-08"),
    ("next month", "2023-06-01", "2023-07-01"),
    ("last year", "2022-01-01", "2023-01-01"),
    ("last June", "2022-06-01", "2022-07-01"),
    ("next March", "2024-03-01", "2024-04-01"),
    ("in May", "2023-05-01", "2023-06-01"),
    ("In December we skied", "2022-12-01", "2023-01-01"),
    ("We will ski in January", "2024-01-01", "2024-02-01"),
    ("last summer", "2022-06-01", "2022-09-01"),
    ("summer of 2021", "2021-06-01", "2021-09-01"),
    ("on 3 March", "2023-03-03", "2023-03-04"),
    ("on March 3rd, 2022", "2022-03-03", "2022-03-04"),
    ("the 3rd of March 2022", "2022-03-03", "2022-03-04"),
    ("7 May, 2023", "2023-05-07", "2023-05-08"),
    ("2023-06-09", "2023-06-09", "2023-06-10"),
    ("am 3.6.2023", "2023-06-03", "2023-06-04"),
    ("13/4/2023", "2023-04-13", "2023-04-14"),
    ("4/13/2023", "2023-04-13", "2023-04-14"),
    ("What happened in 2022?", "2022-01-01", "2023-01-01"),
    ("March 2022", "2022-03-01", "2022-04-01"),
    ("the week before 9 June 2023", "2023-05-29", "2023-06-05"),
    ("the weekend before 20 October 2023", "2023-10-14", "2023-10-16"),
    ("the Sunday before 25 May 2023", "2023-05-21", "2023-05-22"),
    ("the week of 3 July 2023", "2023-07-03", "2023-07-10"),
    ("since 2016", "2016-01-01", None),
    ("since last June", "2022-06-01", None),
    ("until June 2024", None, "2024-07-01"),
    ("before 2020", None, "2020-01-01"),
    ("after 3 March 2022", "2022-03-04", None),
    ("the 1990s", "1990-01-01", "2000-01-01"),
    ("am 3. März 2023", "2023-03-03", "2023-03-04"),
    ("Im Juli ziehe ich um.", "2023-07-01", "2023-08-01"),
    ("Im Oktober zog ich nach Bonn.", "2022-10-01", "2022-11-01"),
    ("Ab August arbeite ich bei Contoso.", "2023-08-01", None),
    ("Seit März wohne ich hier.", "2023-03-01", None),
    ("Ik werk hier sinds 2016.", "2016-01-01", "2017-01-01"),
    ("gestern", "2023-05-07", "2023-05-08"),
    ("hier", "2023-05-07", "2023-05-08"),
    ("J'ai vu Marie hier.", "2023-05-07", "2023-05-08"),
    ("вчера", "2023-05-07", "2023-05-08"),
    # French, Italian, Portuguese and Spanish: days and months that are bound, and the last and the next.
    ("Desde el jueves trabajo en Repsol.", "2023-05-04", None),
    ("Depuis samedi j'habite à Lyon.", "2023-05-06", None),
    ("À partir de mardi je travaille chez Renault.", "2023-05-09", None),
    ("Da giovedì lavoro a Torino.", "2023-05-11", None),
    ("A partire dal lunedì prossimo sono a casa.", "2023-05-15", None),
    ("A partir de segunda trabalho em casa.", "2023-05-15", None),
    ("Desde sexta-feira moro no Porto.", "2023-05-05", None),
    ("Hasta el viernes estoy en casa.", None, "2023-05-13"),
    ("Je suis à Lille jusqu'à jeudi.", None, "2023-05-12"),
    ("Fino a sabato sono da mia sorella.", None, "2023-05-14"),
    ("Até domingo estou em Faro.", None, "2023-05-15"),
    ("Llegó el lunes pasado.", "2023-05-01", "2023-05-02"),
    ("Dentiste mercredi prochain.", "2023-05-10", "2023-05-11"),
    ("Desde marzo vivo en Bilbao.", "2023-03-01", None),
    ("Depuis juin 2021 je suis à Nantes.", "2021-06-01", None),
    ("À partir de septembre, je travaille à mi-temps.", "2023-09-01", None),
    ("Da marzo abito a Bari.", "2023-03-01", None),
    ("Nació en febrero de 2020.", "2020-02-01", "2020-03-01"),
    ("Em junho vou a Braga.", "2023-06-01", "2023-07-01"),
    ("Cours de danse à partir du 1er juin.", "2023-06-01", None),
    ("You weigh three kilos more than in June.", "2022-06-01", "2022-07-01"),
    ("Die Rechnung ist höher als im Juli.", "2022-07-01", "2022-08-01"),
    ("C'est plus cher qu'en juin.", "2022-06-01", "2022-07-01"),
    ("The show opens no later than in June.", "2023-06-01", "2023-07-01"),
]


@pytest.mark.parametrize(("text", "first", "after"), MEANINGS, ids=[text for text, _, _ in MEANINGS])
def test_a_phrase_means_its_period(text: str, first: str | None, after: str | None) -> None:
    (mention,) = resolve(text, SAID_AT)
    assert text[mention.start : mention.end] == mention.phrase
    assert (mention.valid_from.date().isoformat() if mention.valid_from else None) == first
    assert (mention.valid_until.date().isoformat() if mention.valid_until else None) == after


@pytest.mark.parametrize(
    "text",
    [
        "2025-02-30", "on 30 February", "on 31 April 2023", "3/4/2023", "I may go", "they march on", "0000-00-00",
        "year 0", "99.99.2023",
        "I have 2000 people", "2023 km", "room 2022-A", "version 1.2.3", "call 555-2022", "$2019",
        "Deposit; Amount: 1900 EUR", "1950 kWh", "EUR 1900", "The report has 2019 pages",
        "What do you think?", "second hand", "",
        "The bins go out on Tuesday", "Book club meets on the first Monday of the month", "every second Tuesday",
        "I go climbing every Wednesday", "We usually eat fish on Friday", "The museum is closed on Monday", "jeden Montag",
        "It's 900 a month, due on the 1st.", "I moved to May Street.",
        "Rent is due on the 1st.", "Payday is on the 28th.", "We live on the 4th floor.", "It worked on the 2nd attempt.",
        "Scouts meet on the 3rd of each month",
        "Sofia's birthday is 9 March", "母の誕生日は5月3日です", "guten morgen", "17 to 3 August",
        "tomorrowland", "Sundays are fun", "999999 years ago",
        "the june meeting", "call june about it", "Rent is due the 3rd.",
        "The boiler will last ten years.", "The tyres won't last three months", "It'll only last 3 weeks",
        "I drive a 2014 Golf.", "We bought a 1930s semi.", "Her 2012 Fiesta failed its MOT.",
        "My 2022 tax return is in the folder.", "Our niece was born in October.", "Moss is a collie, born about Dec.",
    ],
)  # fmt: skip
def test_what_is_no_date_is_not_mentioned(text: str) -> None:
    assert resolve(text, SAID_AT) == []


def test_what_is_put_off_is_still_to_come() -> None:
    days = [
        mention.whole[0].day
        for mention in resolve("The meeting moved from Monday to Wednesday.", datetime(2023, 5, 11, tzinfo=UTC))
    ]
    assert days == [15, 17]


@pytest.mark.parametrize(
    ("words", "day"), [("Dinner's Saturday with Tom.", "2026-11-14"), ("There's a 3 May deadline for the form.", "2027-05-03")]
)
def test_a_verb_or_an_article_before_a_day_takes_it_for_no_habit(words: str, day: str) -> None:
    found = resolve(words, datetime(2026, 11, 13, 12, tzinfo=UTC))
    assert [each.valid_from and each.valid_from.date().isoformat() for each in found] == [day]


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("My card runs out 9 September next year", "2027-09-09"),
        ("The wedding was on 4 July last year.", "2025-07-04"),
        ("He retires in March next year.", "2027-03-01"),
        ("We met in June last year.", "2025-06-01"),
        ("I had it on March 3rd this year.", "2026-03-03"),
        ("3 to 17 August next year", "2027-08-03"),
        ("Wir heiraten am 4. Mai nächsten Jahres.", "2027-05-04"),
    ],
)
def test_a_year_said_behind_a_day_or_a_month_is_its_year(words: str, day: str) -> None:
    (found,) = resolve(words, datetime(2026, 11, 13, 12, tzinfo=UTC))
    assert found.relative
    assert str(found.valid_from)[:10] == day
    (again,) = resolve(written(found), datetime(1999, 1, 1, tzinfo=UTC))
    assert again.whole == found.whole


@pytest.mark.parametrize(
    "words",
    [
        "Dougie turned up, first time in three years.",
        "Read Piranesi on the beach, in two days.",
        "Lost five kilos in three months.",
        "For the first time in two weeks I slept.",
        "Haven't seen her in six months.",
        "She has never been on time in ten years",
        "the biggest storm in 20 years",
        "Half a tablet a day from now on.",
    ],
)
def test_what_is_counted_back_or_goes_on_names_no_day_to_come(words: str) -> None:
    assert resolve(words, SAID_AT) == []


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("Signed up for the Bath half, 14 March.", "2027-03-14"),
        ("Got two tickets to the derby on 5 January.", "2027-01-05"),
        ("Enrolled Leo in swimming camp, 20 December.", "2026-12-20"),
        ("Put her name down for nursery, 4 January.", "2027-01-04"),
        ("Registered for VAT on 3 October.", "2026-10-03"),  # the nearest one
        ("Entered the Bath half, 14 March.", "2027-03-14"),
        ("Entered the hospital on 4 March.", "2026-03-04"),
        ("Found places to eat in Rome on 12 March.", "2026-03-12"),
        ("putting her rate up from january", "2027-01-01"),
        ("we move in february", "2027-02-01"),
        ("ordered the gravel, coming the 12th", "2026-12-12"),
        ("The sofa arrives the 5th.", "2026-12-05"),
        ("Signed the lease on 14 March.", "2026-03-14"),
        ("In the last ten days we moved twice.", "2026-11-15"),
    ],
)
def test_what_is_to_come_is_on_the_nearest_such_day(words: str, day: str) -> None:
    (found,) = resolve(words, datetime(2026, 11, 25, 18, tzinfo=UTC))
    assert str(found.valid_from)[:10] == day


@pytest.mark.parametrize(
    "words",
    ["I haven't paid it, due in three weeks", "My first shift is in two weeks", "Not moving in two weeks", "a week from now"],
)
def test_what_is_to_come_in_some_weeks_keeps_its_day(words: str) -> None:
    (found,) = resolve(words, SAID_AT)
    assert found.valid_from is not None
    assert found.valid_from > SAID_AT


def test_a_day_without_its_month_is_of_the_month_that_the_sentence_named() -> None:
    found = resolve("Booked for September, a week in Tenby, from the 13th.", datetime(2026, 11, 13, tzinfo=UTC))
    assert [str(each.valid_from)[:10] for each in found] == ["2027-09-01", "2027-09-13"]
    found = resolve("The rent of September was late. Next is on the 3rd.", datetime(2026, 11, 13, tzinfo=UTC))
    assert str(found[-1].valid_from)[:10] == "2026-12-03"


def test_a_clock_time_makes_it_exact() -> None:
    (mention,) = resolve("Remind me tomorrow at 5pm.", SAID_AT)
    assert (mention.valid_from, mention.precision) == (datetime(2023, 5, 9, 17, 0, tzinfo=UTC), "minute")
    (mention,) = resolve("Meeting on 3 June at 10:30", SAID_AT)
    assert mention.valid_from == datetime(2023, 6, 3, 10, 30, tzinfo=UTC)


def test_dates_are_in_the_zone_of_who_said_it() -> None:
    zone = timezone(timedelta(hours=9))
    (mention,) = resolve("yesterday", datetime(2023, 5, 8, 1, 0, tzinfo=zone))
    assert mention.valid_from == datetime(2023, 5, 7, tzinfo=zone)
    assert mention.valid_from is not None
    assert mention.valid_from.utcoffset() == timedelta(hours=9)


def test_several_dates_come_in_order() -> None:
    phrases = [mention.phrase for mention in resolve("From 3 May 2022 to 2023-01-01, and yesterday.", SAID_AT)]
    assert [phrase.removeprefix("From ") for phrase in phrases] == ["3 May 2022", "2023-01-01", "yesterday"]


def test_vague_counts_are_called_about() -> None:
    (mention,) = resolve("a few weeks ago", SAID_AT)
    assert mention.precision == "about"


@pytest.mark.parametrize(
    "text", ["yesterday", "last week", "this past weekend", "next month", "last summer", "last year", "tomorrow at 5pm"]
)
def test_what_is_written_out_means_the_same_on_any_day(text: str) -> None:
    (mention,) = resolve(text, SAID_AT)
    (again,) = resolve(written(mention), datetime(1999, 1, 1, tzinfo=UTC))
    assert again.whole == mention.whole
    assert mention.relative
    assert not again.relative


@pytest.mark.parametrize("year", [1, 9999])
def test_the_ends_of_the_calendar_are_no_trap(year: int) -> None:
    edge = datetime(year, 12 if year > 1 else 1, 28 if year > 1 else 2, tzinfo=UTC)
    for phrase in (
        "yesterday",
        "last week",
        "next week",
        "next month",
        "in 50 years",
        "50 years ago",
        "last year",
        "next summer",
        "last June",
    ):
        assert len(resolve(phrase, edge)) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "I changed gym days to Tuesday and Friday.",
        "Gym is now Tuesday and Friday.",
        "Frau Moser moved the lessons to Thursday.",
        "The museum is open Wednesday to Sunday.",
        "Started there, on site in Rotterdam Monday to Thursday until the summer.",
        "New bedtime since the clinic: nine sharp, Monday to Friday.",
        "Malt from Haldane's, order by Tuesday for Thursday.",
        "Moved choir from Monday to Thursday.",
        "Bins Thursday",
        "They take part in a night hike.",
        "Chor ist jetzt Montag und Donnerstag.",
        "She teaches Sunday school.",
        "We hide eggs on Easter Monday.",
        "We always had carp on Christmas Eve.",
        "As a child I got oranges on St. Nicholas' Day.",
        "Gran used to stay over Easter.",
        "Tom's birthday is on Christmas Eve.",
        "She likes the Sunday roast.",
        "I can't be in two places on a Tuesday.",
        "Signed up for the welding class, Tuesday nights.",
        "The club lost its thursday ice.",
        "Ben naps on Saturdays now, so the call is on Sunday.",
        "It's Friday collection now, so out on Thursday night.",
        "Los martes nado.",
        "Le mardi je vais à la piscine.",
        "Da lunedì a venerdì sono in ufficio.",
        "Trabajo desde el lunes hasta el viernes.",
        "Lunes de fiesta.",
        "A chicken in mayo, please.",
    ],
)
def test_days_of_every_week_and_days_in_names_are_no_dates(text: str) -> None:
    assert resolve(text, SAID_AT) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Next week yoga is on Friday instead.", date(2026, 12, 4)),
        ("Last week the class was on Tuesday.", date(2026, 11, 17)),
        ("This week yoga is on Friday.", date(2026, 11, 27)),
        ("Diese Woche ist Yoga ausnahmsweise am Freitag.", date(2026, 11, 27)),
        ("Yoga ist nächste Woche am Donnerstag.", date(2026, 12, 3)),
        ("In the week of 7 December we meet on Thursday.", date(2026, 12, 10)),
        ("Next week I'm off, back on Monday.", date(2026, 12, 7)),
        ("Next week is full. We met last Friday.", date(2026, 11, 27)),
    ],
)
def test_a_weekday_lies_in_the_week_that_its_sentence_names(text: str, day: date) -> None:
    found = resolve(text, datetime(2026, 11, 28, 18, tzinfo=UTC))
    assert [mention.whole[0].date() for mention in found if mention.precision == "day"] == [day]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Dentist Thursday week at 10.", date(2026, 12, 3), date(2026, 12, 3)),
        ("The boiler man comes a week on Friday.", date(2026, 12, 4), date(2026, 12, 4)),
        ("Exam is a fortnight on Monday.", date(2026, 12, 14), date(2026, 12, 14)),
        ("He died three weeks last Tuesday.", date(2026, 11, 3), date(2026, 11, 3)),
        ("Party on the last Saturday in January.", date(2027, 1, 30), date(2027, 1, 30)),
        ("The hen do is the last weekend in March.", date(2027, 3, 27), date(2027, 3, 28)),
        ("We met on the first Sunday of March 2024.", date(2024, 3, 3), date(2024, 3, 3)),
        ("The fair was on the second Sunday of October.", date(2026, 10, 11), date(2026, 10, 11)),
        ("She left three Mondays ago.", date(2026, 11, 9), date(2026, 11, 9)),
        ("Camping the weekend after next.", date(2026, 12, 12), date(2026, 12, 13)),
        ("Ten years ago today I quit smoking.", date(2016, 11, 25), date(2016, 11, 25)),
        ("Term ends on the 18th of next month.", date(2026, 12, 18), date(2026, 12, 18)),
        ("Booked the van for the 28th to the 30th.", date(2026, 11, 28), date(2026, 11, 30)),
        ("Moved in 6 months ago.", date(2026, 5, 1), date(2026, 5, 31)),
        ("She's due mid March.", date(2027, 3, 1), date(2027, 3, 31)),
        ("End of Feb we complete.", date(2027, 2, 28), date(2027, 2, 28)),
        ("Anfang Mai war ich krank.", date(2026, 5, 1), date(2026, 5, 31)),
    ],
)
def test_a_day_may_be_named_by_way_of_another(text: str, first: date, last: date) -> None:
    (found,) = resolve(text, datetime(2026, 11, 25, 18, tzinfo=UTC))
    assert (found.whole[0].date(), (found.whole[1] - timedelta(days=1)).date()) == (first, last)
    assert text[found.start : found.end] == found.phrase


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Lunch w Tom Tues 12.30.", date(2026, 12, 1)),
        ("Dentist 2pm Fri.", date(2026, 11, 27)),
        ("dentist fri 2pm", date(2026, 11, 27)),
        ("haircut fri", date(2026, 11, 27)),
        ("Picked up the glasses Sat, they're fine.", date(2026, 11, 21)),
        ("Interview on Thurs.", date(2026, 11, 26)),
        ("see you mon", date(2026, 11, 30)),
        ("saw tom on fri", date(2026, 11, 20)),
        ("Called the bank Thurs", date(2026, 11, 19)),
        ("next weds we fly", date(2026, 12, 2)),
        ("on mon 7 dec we fly", date(2026, 12, 7)),
        ("saw sam fri, he looks well", date(2026, 11, 20)),
        ("the gas man came mon, all fine", date(2026, 11, 23)),
        ("jab booked sat", date(2026, 11, 28)),
        ("deposit back by fri", date(2026, 11, 27)),
        ("antibiotics til fri", date(2026, 11, 27)),
        ("here since mon", date(2026, 11, 23)),
        ("book club moved to the 26th", date(2026, 11, 26)),
        ("dad's op went fine, home on sunday", date(2026, 11, 29)),
        ("the dentist says i need a crown, 480 quid, booked 22 december 3pm", date(2026, 12, 22)),
        ("lease ends march", None),
        ("lease ends february", date(2027, 2, 1)),
        ("baby due august", date(2027, 8, 1)),
        ("zoe started nursery sept", date(2026, 9, 1)),
        ("my friend june, a nurse", None),
        ("we love september evenings, april too", None),
        ("insurance renews 30/6", date(2027, 6, 30)),
        ("passport expires 11/2031", date(2031, 11, 1)),
        ("card ending 4471 exp 04/29", date(2029, 4, 1)),
        ("see rule 12/2024", None),
        ("the Saturday girl is Maisie", None),
        ("we sell at the Thursday market", None),
        ("the pub has ordered 30 rolls a day from april", date(2027, 4, 1)),
        ("off for a fortnight from monday", date(2026, 11, 30)),
        ("wedding is a fortnight from saturday", date(2026, 12, 12)),
        ("they raised the price to £26.50 from January", date(2027, 1, 1)),
        ("the rent went up from october", date(2026, 10, 1)),
    ],
)
def test_days_and_months_are_written_in_short(text: str, day: date | None) -> None:
    found = [each.whole[0].date() for each in resolve(text, datetime(2026, 11, 25, 18, tzinfo=UTC))]
    assert found == [day] * (day is not None)


@pytest.mark.parametrize(
    "text",
    [
        "The cat sat in the sun.",
        "We sat on the beach, the sun was low.",
        "I read the Sun, and he the Star.",
        "Tom's wed to Ann.",
        "i do mon wed fri, she does tues thurs",
        "Bins: Weds.",
        "football weds at 7",
        "Mon ami est là.",
        "Open from mon to fri.",
        "open from thurs - sat",
        "il tue, je crois",
        "Library: Mon 9am-5pm, Tue 10am-6pm.",
        "Surgery hours Fri 8.30 to 12.30",
        "Black Friday week deals",
    ],
)
def test_what_is_no_short_weekday_of_this_week_is_none(text: str) -> None:
    assert resolve(text, SAID_AT) == []


@pytest.mark.parametrize(
    "text",
    [
        "Bins go out the first Monday of the month.",
        "The lift goes from the 3rd to the 4th floor.",
        "Every year on the last Saturday in May we swim.",
        "Monday week 3 of term is full.",
    ],
)
def test_what_only_looks_like_such_a_day_is_none(text: str) -> None:
    assert [each.phrase for each in resolve(text, SAID_AT) if each.phrase != "Monday"] == []


@pytest.mark.parametrize(
    "edge", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC), datetime(2024, 2, 29, tzinfo=UTC)]
)
@pytest.mark.parametrize(
    "text",
    [
        "Next week yoga is on Friday, back on Monday.",
        "The fifth Sunday of February 2023, the first weekend of next month.",
        "999 Mondays ago, 999 years ago today, a fortnight on Monday.",
        "The 31st of next month, the 0th to the 3rd, am 31.2. und am 0.12. ist Feier.",
    ],
)
def test_what_leads_out_of_the_calendar_is_no_time(text: str, edge: datetime) -> None:
    assert all(each.whole[0] < each.whole[1] for each in resolve(text, edge))


def test_what_is_planned_in_a_list_is_all_to_come() -> None:
    at = datetime(2026, 11, 10, 18, tzinfo=UTC)
    found = resolve("The plan for the loft: strip it in April, insulation in May, plaster in June.", at)
    assert [mention.valid_from.year for mention in found if mention.valid_from] == [2027] * 3


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("I switched my piano lesson to Thursday.", [11]),
        ("Meeting on Tuesday and Friday this week.", [9, 12, 8]),
        ("I saw him on Saturday and Sunday.", [6, 7]),
    ],
)
def test_days_of_one_week_are_dates(text: str, days: list[int]) -> None:
    assert [mention.whole[0].day for mention in resolve(text, SAID_AT)] == days


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("Fees are collected on 1 December.", "2026-12-01"),
        ("Room lists are made up on 25 January and will not be changed afterwards.", "2027-01-25"),
        ("The keys are given back on 2 February.", "2027-02-02"),
        ("The hall was painted on 25 January.", "2026-01-25"),
        ("I am told that he moved out on 3 March.", "2026-03-03"),
        ("Dentist rescheduled, now 28 May 9:00", "2027-05-28"),
        ("The release slipped to 12 March.", "2027-03-12"),
        ("Zahnarzt hat verschoben, jetzt 28. Mai 9:00", "2027-05-28"),
        ("Termin verlegt auf den 28. Mai", "2027-05-28"),
        ("Der Termin wurde auf den 28. Mai verschoben.", "2027-05-28"),
        ("I slipped on the ice on 3 March.", "2026-03-03"),
        ("Ordered the greenhouse. Coming on the 4th of June.", "2027-06-04"),
        ("It was coming on the 4th of June, and got lost.", "2026-06-04"),
    ],
)
def test_what_is_done_to_something_on_a_day_is_to_come(words: str, day: str) -> None:
    found = resolve(words, datetime(2026, 11, 13, tzinfo=UTC))
    assert [each.valid_from and each.valid_from.date().isoformat() for each in found] == [day]


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("The free tier is being killed on 1 February.", "2027-02-01"),
        ("They're being moved to the annexe in March.", "2027-03-01"),
        ("Dad's hip is getting replaced on 11 January.", "2027-01-11"),
        ("The kitchen gets ripped out on 20 February.", "2027-02-20"),
        ("The bridge was being repaired on 20 February.", "2026-02-20"),
        ("The roof is to be replaced in February.", "2027-02-01"),
        ("The roof had to be replaced in February.", "2026-02-01"),
        ("New job from 1 March.", "2027-03-01"),
        ("I worked there from 1 March.", "2026-03-01"),
        ("Letter from 2 February says we owe 40.", "2026-02-02"),
        ("Rechnung vom 2. Februar bezahlt.", "2026-02-02"),
        ("Neuer Job ab 1. Februar.", "2027-02-01"),
        ("Die Heizung wird am 20. Februar ausgetauscht.", "2027-02-20"),
        ("Die Heizung wurde am 20. Februar ausgetauscht.", "2026-02-20"),
        ("Hab den Vertrag zum 31. März gekündigt.", "2027-03-31"),
        ("Hab am 31. März gekündigt.", "2026-03-31"),
        ("Urlaub gebucht: 3. bis 10. Februar, Sylt.", "2027-02-03"),
        ("Nächster Zahnarzttermin 3. Februar, 9 Uhr.", "2027-02-03"),
        ("Visa runs out 3 February.", "2027-02-03"),
        ("Visa ran out 3 February.", "2026-02-03"),
        ("The contract was extended to 6 March.", "2027-03-06"),
        ("We've got tickets for the ballet on 3 March.", "2027-03-03"),
        ("Nina marries Paul on 20 February.", "2027-02-20"),
        ("Nina married Paul on 20 February.", "2026-02-20"),
        ("Grace gets married on 14 February.", "2027-02-14"),
        ("Her last day's the 27th.", "2026-11-27"),
        ("The AGM is the 24th, at seven.", "2026-11-24"),
        ("Interview was the 9th.", "2026-11-09"),
        ("Elsie was born on 3 November, 3.2 kilos.", "2026-11-03"),
        ("Tom was born on 14 March 1988.", "1988-03-14"),
    ],
)
def test_what_is_to_come_or_past_by_its_verb_is_that_year(words: str, day: str) -> None:
    found = resolve(words, datetime(2026, 11, 13, tzinfo=UTC))
    assert [each.valid_from and each.valid_from.date().isoformat() for each in found] == [day]


@pytest.mark.parametrize(
    ("words", "start", "precision"),
    [
        ("The exam is on 28 November at 2:20.", "2026-11-28T00:00", "day"),  # of the afternoon, or of the night
        ("The flight leaves on 28 November at 02:20.", "2026-11-28T02:20", "minute"),
        ("The exam is on 28 November at 2:20pm.", "2026-11-28T14:20", "minute"),
        ("The exam is on 28 November at 9:20.", "2026-11-28T09:20", "minute"),
        ("Granny's coming for Christmas, on the 23rd.", "2026-12-23T00:00", "day"),
    ],
)
def test_a_time_that_may_be_of_either_half_of_the_day_is_not_guessed(words: str, start: str, precision: str) -> None:
    (found,) = resolve(words, datetime(2026, 11, 13, tzinfo=UTC))
    assert (f"{found.whole[0]:%Y-%m-%dT%H:%M}", found.precision) == (start, precision)


@pytest.mark.parametrize(
    "words",
    [
        "Our floor is the 27th.",
        "The best symphony is the 9th.",
        "I get paid on the 28th.",
        "Tom was born on 14 March.",  # nobody says in which year
        "I was born in Leeds on June 14.",
        "Lena ist am 14. Februar geboren.",
    ],
)
def test_what_is_counted_or_comes_each_month_is_no_day(words: str) -> None:
    assert resolve(words, SAID_AT) == []


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("The flight leaves on the 29th of August, back on the 31st.", date(2023, 8, 31)),
        ("Away from 29 August, back on the 2nd.", date(2023, 9, 2)),
        ("Dentist 3 June, and the plumber on the 12th.", date(2023, 6, 12)),
        ("We left on 3 April and came back on the 9th.", date(2023, 4, 9)),
        ("Away in September, from the 28th.", date(2023, 9, 28)),
        ("Dentist 3 June. The plumber comes on the 12th.", date(2023, 5, 12)),
    ],
)
def test_a_day_of_the_month_is_in_the_month_named_before_it_in_the_sentence(text: str, second: date) -> None:
    found = resolve(text, SAID_AT)[-1].valid_from
    assert found is not None
    assert found.date() == second
