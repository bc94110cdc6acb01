"""Spanish."""

from __future__ import annotations

from lattice_common.language.table import Table
from lattice_common.language.tables.romance_roles import SPANISH, SPANISH_ROLES

TABLE = Table(
    yearly=("cumpleaños", "aniversario"),
    months={
        "enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8, "septiembre": 9,
        "octubre": 10, "noviembre": 11, "diciembre": 12,
    },
    weekdays={"lunes": 0, "martes": 1, "miércoles": 2, "jueves": 3, "viernes": 4, "sábado": 5, "domingo": 6},
    days={"anteayer": -2, "ayer": -1, "hoy": 0},
    roles=SPANISH_ROLES,
    belonging=SPANISH,
)  # fmt: skip
"""In `days` "mañana" is missing: it is the morning as well."""
