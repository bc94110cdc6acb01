"""How old somebody is, is told where it was said, and of nobody else; through the running product."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.domain.recall import Query

from tests.pipeline.living import say, started
from tests.pipeline.test_read_in_one_go import Unsure

TOLD = [
    "Our greyhound Pixel is 4 and terrified of balloons.",
    "My daughter Ingrid lives in Oslo with her boys, Emil (9) and Anton (6).",
    "Emil has given up the cello for football.",
    "My brother Jonas lives in Graz.",
    "Karla's birthday is on 3 March.",
]


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("How old is Pixel?", TOLD[0]),
        ("How old is Emil?", TOLD[1]),
        ("what age is Anton", TOLD[1]),
        ("Wie alt ist Emil?", TOLD[1]),
        ("How old is Jonas?", None),
        ("How old is Karla?", None),
        ("How old is my brother?", None),
        ("How old is our greyhound?", TOLD[0]),
    ],
)
def test_an_age_is_told_of_whom_it_was_said(tmp_path: Path, question: str, quote: str | None) -> None:
    with started(tmp_path, judge=Unsure()) as store:  # the judge has not learned that ages can be known
        for text in TOLD:
            say(store, text)
        answer = store.lattice.answer(Query(question))
        assert answer.answered == (quote is not None)
        if quote is not None:
            assert [each.quote for each in answer.citations] == [quote]
