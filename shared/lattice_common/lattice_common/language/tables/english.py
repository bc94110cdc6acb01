"""English."""

from __future__ import annotations

from lattice_common.language.table import Table, forms_of
from lattice_common.language.tables.english_roles import BELONGING, MAKES, ROLES, SHORT_NAMES

IRREGULAR_VERBS = """
    become became; begin began begun; bend bent; bite bit bitten; blow blew blown; break broke broken; bring
    brought; build built; buy bought; catch caught; choose chose chosen; come came; cost cost; cut cut; deal dealt;
    dig dug; do did done; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen;
    feed fed; feel felt; fight fought; find found; fly flew flown; forget forgot forgotten; freeze froze frozen; get
    got gotten; give gave given; go went gone; grow grew grown; hang hung; have had; hear heard; hide hid hidden;
    hold held; hurt hurt; keep kept; know knew known; lay laid; lead led; learn learnt; leave left; lend lent; lose
    lost; make made; meet met; pay paid; quit quit; read read; rebuild rebuilt; ride rode ridden; ring rang rung;
    rise rose risen; run ran; say said; see saw seen; sell sold; send sent; shake shook shaken; shoot shot; sing
    sang sung; sink sank sunk; sit sat; sleep slept; sow sown; speak spoke spoken; spend spent; spin spun; stand
    stood; steal stole stolen; stick stuck; swear swore sworn; swim swam swum; take took taken; teach taught; tear
    tore torn; tell told; think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn;
    win won; write wrote written
"""
"""A verb, its past, and its participle where that is another word; between semicolons."""
IRREGULAR_NOUNS = """
    foot feet; tooth teeth; mouse mice; goose geese; man men; woman women; child children; person people; loaf
    loaves; knife knives; wolf wolves; half halves; shelf shelves; wife wives; life lives
"""

TABLE = Table(
    yearly=("birthday", "anniversary", "was born", "were born"),
    months={
        "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
        "october": 10, "november": 11, "december": 12,
    },
    short_months={
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
        "nov": 11, "dec": 12,
    },
    weekdays={"monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6},
    short_weekdays={
        "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
    },
    seasons={"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12},
    days={
        "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "earlier today": 0, "later today": 0,
        "yesterday": -1, "last night": -1, "the day before yesterday": -2, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tomorow": 1,
        "tommorow": 1, "tommorrow": 1, "the day after tomorrow": 2,
    },
    numbers={
        "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
        "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
        "ninety": 90,
    },
    ordinals={
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
        "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
        "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty-first": 21, "twenty-second": 22,
        "twenty-third": 23, "twenty-fourth": 24, "twenty-fifth": 25, "twenty-sixth": 26, "twenty-seventh": 27,
        "twenty-eighth": 28, "twenty-ninth": 29, "thirtieth": 30, "thirty-first": 31,
    },
    times={"once": 1, "twice": 2, "thrice": 3},
    scales={"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000},
    about={
        "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2, "a few": 3, "few": 3, "several": 4, "some": 3, "many": 5,
    },
    irregular=forms_of(f"{IRREGULAR_VERBS};{IRREGULAR_NOUNS}"),
    past=frozenset(row.split()[1] for row in IRREGULAR_VERBS.split(";")),
    roles=ROLES,
    makes=MAKES,
    belonging=BELONGING,
    short_names=SHORT_NAMES,
)  # fmt: skip
