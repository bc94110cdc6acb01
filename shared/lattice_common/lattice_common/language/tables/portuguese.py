"""Portuguese."""

from __future__ import annotations

from lattice_common.language.table import Table

TABLE = Table(
    months={
        "janeiro": 1, "fevereiro": 2, "março": 3, "abril": 4, "maio": 5, "junho": 6, "julho": 7, "agosto": 8, "setembro": 9,
        "outubro": 10, "novembro": 11, "dezembro": 12,
    },
    weekdays={
        "segunda-feira": 0, "terça-feira": 1, "quarta-feira": 2, "quinta-feira": 3, "sexta-feira": 4, "sábado": 5, "domingo": 6,
    },
    short_weekdays={"segunda": 0, "terça": 1, "quarta": 2, "quinta": 3, "sexta": 4},
)  # fmt: skip
"""The short names are ordinals as well."""
