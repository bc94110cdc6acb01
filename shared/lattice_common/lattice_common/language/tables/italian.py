"""Italian."""

from __future__ import annotations

from lattice_common.language.table import Table
from lattice_common.language.tables.romance_roles import ITALIAN, ITALIAN_ROLES

TABLE = Table(
    yearly=("compleanno", "anniversario"),
    months={
        "gennaio": 1, "febbraio": 2, "marzo": 3, "aprile": 4, "maggio": 5, "giugno": 6, "luglio": 7, "agosto": 8, "settembre": 9,
        "ottobre": 10, "novembre": 11, "dicembre": 12,
    },
    weekdays={
        "lunedì": 0, "martedì": 1, "mercoledì": 2, "giovedì": 3, "venerdì": 4, "sabato": 5, "domenica": 6,
    },
    days={"ieri": -1, "oggi": 0, "domani": 1},
    roles=ITALIAN_ROLES,
    belonging=ITALIAN,
)  # fmt: skip
