"""What the client reads is what the API says it answers: two descriptions of one thing, held to each other.

The client describes answers as typed dictionaries, for it must load in a moment; the API as models, for its OpenAPI document.
"""

from __future__ import annotations

import inspect
from typing import get_type_hints, is_typeddict

import lattice_common.client_replies
import pytest
from lattice_api import chat_shapes, replies, usage_shapes
from lattice_api.routes import health
from pydantic import BaseModel

READ = {
    name: shape
    for name, shape in inspect.getmembers(lattice_common.client_replies)
    if is_typeddict(shape) and name.endswith("Reply")
}
ANSWERED = {
    name: model
    for module in (replies, chat_shapes, usage_shapes, health)
    for name, model in inspect.getmembers(module, inspect.isclass)
    if issubclass(model, BaseModel) and name.endswith("Reply")
}
SIMPLE = (str, int, float, bool, list[str], str | None, int | None, dict[str, int], dict[str, str])
"""Types that both sides can say in the same words; the others (a time, a list of atoms) are text or objects to the client."""


def test_there_is_something_to_compare() -> None:
    assert len(READ) >= 4
    assert READ.keys() <= ANSWERED.keys()


@pytest.mark.parametrize("name", sorted(READ))
def test_the_client_reads_only_what_the_api_answers(name: str) -> None:
    assert get_type_hints(READ[name]).keys() <= ANSWERED[name].model_fields.keys()


@pytest.mark.parametrize("name", sorted(READ))
def test_what_both_can_say_in_the_same_words_they_do(name: str) -> None:
    answered = get_type_hints(ANSWERED[name])
    differing = {
        field: (read, answered[field])
        for field, read in get_type_hints(READ[name]).items()
        if answered[field] in SIMPLE and read != answered[field]
    }
    assert differing == {}
