"""How long a function may be, and how much state a class may have; the linter holds complexity (`max-complexity`).

A file may be as long as its one idea. There are no exceptions: what is too long is two things.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source_tree import nodes, product_files, relative

LONGEST_FUNCTION = 60
"""Lines of a body."""
MOST_FIELDS = 12
"""Attributes that `__init__` sets. A frozen value may be wider: it has no states."""


def long_functions() -> Iterator[str]:
    """The place of every function whose body is longer than the limit."""
    for path in product_files():
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.body[0].lineno + 1
                if lines > LONGEST_FUNCTION:
                    yield f"{relative(path)}:{node.lineno} has {lines} lines"


def wide_classes() -> Iterator[str]:
    """The place of every class whose `__init__` sets more attributes than the limit."""
    for path in product_files():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                fields = {
                    each.attr
                    for made in node.body
                    if isinstance(made, ast.FunctionDef) and made.name == "__init__"
                    for each in ast.walk(made)
                    if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
                    if isinstance(each.value, ast.Name) and each.value.id == "self"
                }
                if len(fields) > MOST_FIELDS:
                    yield f"{relative(path)}:{node.lineno} has {len(fields)} fields"


def test_no_function_is_longer_than_a_screen() -> None:
    assert list(long_functions()) == []


def test_no_class_has_more_state_than_a_reader_can_hold() -> None:
    assert list(wide_classes()) == []
