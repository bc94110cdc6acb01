"""French."""

from __future__ import annotations

from lattice_common.language.table import Table
from lattice_common.language.tables.romance_roles import FRENCH, FRENCH_ROLES

TABLE = Table(
    yearly=("anniversaire",),
    months={
        "janvier": 1, "février": 2, "mars": 3, "avril": 4, "mai": 5, "juin": 6, "juillet": 7, "août": 8, "septembre": 9,
        "octobre": 10, "novembre": 11, "décembre": 12,
    },
    weekdays={"lundi": 0, "mardi": 1, "mercredi": 2, "jeudi": 3, "vendredi": 4, "samedi": 5, "dimanche": 6},
    days={"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1},
    roles=FRENCH_ROLES,
    belonging=FRENCH,
)  # fmt: skip
