"""The texts from which the judge learns how a part is meant: every part stands in its text, once, and the product finds it."""

from __future__ import annotations

from itertools import pairwise

from lattice_common.domain.quote import locate

from train.corpus import STATUSES, meant


def test_every_part_is_found_in_its_text_and_no_two_of_them_overlap() -> None:
    assert len(meant("train")) > 6 * len(meant("dev")) > 200
    found = [*meant("train"), *meant("dev")]
    assert {STATUSES[status] for _, _, parts in found for _, status in parts} > {"asserted", "quoted", "wish", "rejected"}
    for _, text, parts in found:
        assert parts
        spans = sorted((span.start, span.end) for part, _ in parts for span in [locate(part, text)] if span is not None)
        assert len(spans) == len(parts), text
        assert all(text.count(part) == 1 for part, _ in parts), text
        assert all(one[1] <= other[0] for one, other in pairwise(spans)), text
