"""Every setting is set by a test that sees what it changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.settings import Settings, setting_names
from source_tree import ROOT, syntax

ELSEWHERE = [path for path in (ROOT / "tests").rglob("*.py") if "architecture" not in path.parts]


def set_in(path: Path) -> Iterator[str]:
    """What is given by name (`field=…`), and every text: names of the environment, keys of what is given by `**`."""
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


SET = {name for path in ELSEWHERE for name in set_in(path)}


@pytest.mark.parametrize(("name", "field"), list(zip(setting_names(), Settings.model_fields, strict=True)))
def test_every_setting_is_set_by_a_test(name: str, field: str) -> None:
    assert SET & {name, f"{name}_FILE", field}, f"no test sets {name}: show what it changes"
