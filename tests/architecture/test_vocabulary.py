"""Each vocabulary stands once, in `language/tables`: a month's name that is missing in one of eleven lists is a month that
one rule does not know."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.language.tables import TABLES, english_words
from lattice_common.language.tables.first_names import HE, MORE, RUSSIAN, SHE
from lattice_common.language.words import any_of, months, number_words, past, people_by_role, weekdays
from source_tree import COMMON, PACKAGES, nodes, product_files, relative, syntax

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
    told = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in nodes(path):
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


def test_the_page_has_no_names_of_months_and_weekdays_of_its_own() -> None:
    scripts = [path for package in PACKAGES for path in package.rglob("*.js") if "vendor" not in path.parts]
    copies = {
        relative(path): found
        for path in scripts
        if len(found := TELLING.intersection(re.findall(r"[^\W\d_]+", path.read_text(encoding="utf-8").lower()))) > MOST
    }
    assert scripts
    assert copies == {}


LISTS: dict[str, frozenset[str]] = {
    "first names": SHE | HE | MORE | {name.lower() for name in RUSSIAN},
    "what people are to somebody": people_by_role() | people_by_role(one=True) | people_by_role(several=True),
    "irregular pasts": past(),
    "small words of English": frozenset[str]().union(
        *(words for words in vars(english_words).values() if isinstance(words, frozenset))
    ),
}
"""Tables of words."""
FEWEST, SHARE = 28, 0.8
"""From so many words of a table, of which a list consists to this share, it is a copy. Shorter ones are picked by a rule."""


def lists_in(tree: ast.Module) -> Iterator[tuple[int, set[str]]]:
    """(line, words) of each value that is given a name: what stands in its strings, in small letters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            texts = [
                each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            yield node.lineno, set(re.findall(r"[^\W\d_]+(?:'[a-z]+)?", " ".join(texts).lower()))


def copied(words: set[str]) -> list[str]:
    """The tables that a list of words is typed from."""
    return [name for name, table in LISTS.items() if len(found := words & table) >= FEWEST and len(found) >= SHARE * len(words)]


def test_a_list_of_words_that_is_a_table_is_not_typed_again() -> None:
    copies = [
        f"{relative(path)}:{line}: {names}"
        for path in product_files()
        if COMMON / "language" / "tables" not in path.parents
        for line, words in lists_in(syntax(path))
        if (names := copied(words))
    ]
    assert copies == []


def test_a_list_that_is_typed_again_is_found() -> None:
    names = " ".join(sorted(SHE)[:30])
    assert [copied(words) for _, words in lists_in(ast.parse(f"_NAMES = frozenset('{names}'.split())"))] == [["first names"]]


@pytest.mark.parametrize("language", [each for each, table in TABLES.items() if table.months])
def test_every_month_of_a_language_has_its_number(language: str) -> None:
    assert sorted(months(language).values()) == list(range(1, 13))  # type: ignore[arg-type]  # a key of the tables


def test_the_longest_alternative_is_tried_first() -> None:
    names = ["sep", "sept", "september", "a.b"]
    for name in names:
        assert re.match(any_of(names), name)[0] == name  # type: ignore[index]  # it matches


WORD_PATTERNS = 47
"""Patterns outside `language/` that choose between words of a language, among names of formats and of protocols, which are none.
They only become fewer: a rule over words belongs into the room for language."""


def word_patterns(path: Path) -> Iterator[int]:
    """Yield the lines at which a pattern with four words or more is compiled that chooses between words."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("re.compile", "lazy_regex"):
            pattern = ast.unparse(node.args[0])
            words = set(re.findall(r"(?<![\\%A-Za-z{_])[a-z]{3,}", pattern))
            if len(words) >= 4 and re.search(r"\b[a-z]{2,}\|[a-z]{2,}", pattern):
                yield node.lineno


def test_rules_over_words_stand_in_the_room_for_language() -> None:
    outside = [path for path in product_files() if COMMON / "language" not in path.parents]
    found = [f"{relative(path)}:{line}" for path in outside for line in word_patterns(path)]
    assert len(found) <= WORD_PATTERNS, found


def test_a_pattern_over_words_is_told_from_one_over_marks(tmp_path: Path) -> None:
    written = tmp_path / "rules.py"
    written.write_text('import re\nA = re.compile(r"\\b(?:hers|ours|theirs|yours)\\b")\nB = re.compile(r"[\\w.]+|\\d{2,4}")\n')
    assert list(word_patterns(written)) == [2]
