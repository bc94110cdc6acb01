"""Portuguese."""

from __future__ import annotations

from lattice_common.language.table import Table

_MONTHS = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
_WEEKDAYS = "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo"

TABLE = Table(
    months={name: number for number, name in enumerate(_MONTHS.split(), start=1)},
    weekdays={name: number for number, name in enumerate(_WEEKDAYS.split())},
    short_weekdays={"segunda": 0, "terça": 1, "quarta": 2, "quinta": 3, "sexta": 4},
)
"""The short names are ordinals as well."""
