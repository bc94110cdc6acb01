"""Russian."""

from __future__ import annotations

from lattice_common.language.table import Table

TABLE = Table(
    months={
        "января": 1, "февраля": 2, "марта": 3, "апреля": 4, "мая": 5, "июня": 6, "июля": 7, "августа": 8, "сентября": 9,
        "октября": 10, "ноября": 11, "декабря": 12,
    },
    weekdays={"понедельник": 0, "вторник": 1, "среда": 2, "четверг": 3, "пятница": 4, "суббота": 5, "воскресенье": 6},
    days={"позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1},
)  # fmt: skip
"""Months in the genitive, as dates have them."""
