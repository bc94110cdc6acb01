"""German."""

from __future__ import annotations

from lattice_common.language.table import Table
from lattice_common.language.tables.german_roles import BELONGING, ROLES, SHORT_NAMES
from lattice_common.language.vocabulary import vocabulary

TABLE = Table(
    yearly=("geburtstag", "jahrestag", "hochzeitstag", "namenstag"),
    months={
        "januar": 1, "februar": 2, "märz": 3, "april": 4, "mai": 5, "juni": 6, "juli": 7, "august": 8, "september": 9,
        "oktober": 10, "november": 11, "dezember": 12,
    },
    short_months={"jan": 1, "feb": 2, "apr": 4, "aug": 8, "okt": 10, "nov": 11, "dez": 12},
    weekdays={
        "montag": 0, "dienstag": 1, "mittwoch": 2, "donnerstag": 3, "freitag": 4, "samstag": 5, "sonnabend": 5, "sonntag": 6,
    },
    seasons={"frühling": 3, "sommer": 6, "herbst": 9, "winter": 12},
    days={"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2},
    past=vocabulary(
        """war waren hatte hatten wurde wurden ging gingen kam kamen gab gaben zog zogen fuhr fuhren flog flogen traf trafen nahm
        nahmen fand fanden blieb blieben schrieb schrieben sprach sprachen verlor verloren gewann gewannen starb starben
        bekam bekamen fing fingen begann begannen sah sahen aß aßen trank tranken rief riefen ließ ließen hieß hießen
        schlief schliefen trug trugen verließ verließen brachte brachten dachte dachten wusste wussten musste mussten
        konnte konnten wollte wollten durfte durften sagte sagten wohnte wohnten lebte lebten arbeitete arbeiteten machte
        machten kaufte kauften verkaufte verkauften mietete mieteten heiratete heirateten besuchte besuchten feierte
        feierten spielte spielten lernte lernten kündigte kündigten wechselte wechselten holte holten zahlte zahlten
        bezahlte bezahlten reiste reisten startete starteten endete endeten"""
    ),
    units={"woche": "week", "wochenende": "weekend", "monat": "month", "jahr": "year"},
    roles=ROLES,
    belonging=BELONGING,
    short_names=SHORT_NAMES,
)  # fmt: skip
"""`past` has the simple past of verbs that notes have, without those that are English words ("stand", "half"). In `days`
"morgen" is missing: it is the morning as well, and only a pattern tells which."""
AUSTRIAN_MONTHS = {"jänner": 1, "feber": 2}
