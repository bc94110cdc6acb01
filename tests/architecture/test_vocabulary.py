"""Each vocabulary stands once: a month's name that is missing in one of eleven lists is a month that one rule does not know."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.language.tables import TABLES
from lattice_common.language.words import any_of, months, number_words, weekdays
from source_tree import COMMON, product_files, relative, syntax

OTHER_WORDS_TOO = {"march", "mars", "may", "mai", "june", "april", "august", "среда", "fall"}
"""Names of people, and common words."""
TELLING = (
    {name for table in TABLES.values() for names in (table.months, table.weekdays) for name in names}
    | {f"{day}s" for day in weekdays("en")}
    | {"tues", "wednes", "thurs", "satur", "uary", "ember", *number_words(6, 90)}
) - OTHER_WORDS_TOO
MOST = 2
"""A rule may name one or two for themselves."""


def texts_of(path: Path) -> Iterator[ast.Constant]:
    """The strings of a file that are no documentation."""
    told = {
        id(node.value) for node in ast.walk(syntax(path)) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node


def test_names_of_months_and_weekdays_and_numbers_stand_in_the_tables_only() -> None:
    copies = [
        f"{relative(path)}:{node.lineno}: {sorted(found)}"
        for path in product_files()
        if COMMON / "language" / "tables" not in path.parents
        for node in texts_of(path)
        if len(found := TELLING.intersection(re.findall(r"[^\W\d_]+", str(node.value).lower()))) > MOST
    ]
    assert copies == []


@pytest.mark.parametrize("language", [each for each, table in TABLES.items() if table.months])
def test_every_month_of_a_language_has_its_number(language: str) -> None:
    assert sorted(months(language).values()) == list(range(1, 13))  # type: ignore[arg-type]  # a key of the tables


def test_the_longest_alternative_is_tried_first() -> None:
    names = ["sep", "sept", "september", "a.b"]
    for name in names:
        assert re.match(any_of(names), name)[0] == name  # type: ignore[index]  # it matches
