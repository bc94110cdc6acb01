"""Patterns that are compiled when they are first used: the same as those that are compiled at once, and all of them valid."""

from __future__ import annotations

import copy
import gc
import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType

import lattice_common.language
import pytest
from lattice_common.language.patterns import lazy_regex


def test_it_does_what_the_compiled_one_does() -> None:
    lazy, compiled = lazy_regex(r"(?P<word>b\w+)", re.IGNORECASE), re.compile(r"(?P<word>b\w+)", re.IGNORECASE)
    text = "A bee, and a Bear"

    found = lazy.search(text, 3)

    assert found is not None
    assert found["word"] == "Bear"
    assert found.re == compiled
    assert found.span() == (13, 17)
    assert lazy.findall(text) == compiled.findall(text)
    assert lazy.sub("it", text) == compiled.sub("it", text)
    assert (lazy.pattern, lazy.flags) == (compiled.pattern, compiled.flags)
    assert (lazy.groups, lazy.groupindex) == (compiled.groups, compiled.groupindex)


def test_what_is_not_valid_is_refused_when_it_is_used() -> None:
    wrong = lazy_regex("(")

    with pytest.raises(re.error):
        wrong.search("a")


def test_it_has_nothing_that_a_pattern_has_not() -> None:
    assert not hasattr(lazy_regex("a"), "__deepcopy__")
    assert copy.copy(lazy_regex("a")).search("a")


def test_all_of_the_rules_are_valid() -> None:
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(lattice_common.language.__path__, "lattice_common.language.")
    ]

    patterns = [each for module in modules for each in _patterns_in(module)]

    assert len(patterns) > 400
    for each in patterns:
        each.search("")


def _patterns_in(module: ModuleType) -> Iterator[re.Pattern[str]]:
    """Yield the patterns that the names of a module lead to, in tuples, tables and rules, too."""
    lazy = type(lazy_regex(""))
    seen, left = set[int](), [value for name, value in vars(module).items() if not name.startswith("__")]
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, ModuleType | FunctionType | BuiltinFunctionType | type | str | re.Pattern):
            continue
        seen.add(id(each))
        if isinstance(each, lazy):
            yield each
        elif isinstance(each, tuple | list | dict | frozenset) or type(each).__module__.startswith("lattice_common.language"):
            left += gc.get_referents(each)
