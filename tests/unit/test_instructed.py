"""What somebody whose word counts says is to change."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.instructed import EXAMPLES, is_instruction


@pytest.mark.parametrize(("content", "instructs"), EXAMPLES)
def test_each_example_is_read_as_it_says(content: str, instructs: bool) -> None:
    assert is_instruction(content) == instructs
