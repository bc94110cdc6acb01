"""The documents that the judge learns to read: what is said to answer must be there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from train.corpus import Sheet, sheets


def every_sheet() -> Iterator[Sheet]:
    yield from sheets("train")
    yield from sheets("dev")
    yield from sheets("test")


def test_every_answer_is_a_line_of_its_document() -> None:
    wrong = [
        (sheet.file, sheet.title, question)
        for sheet in every_sheet()
        for question, places in sheet.asked
        if not places or not set(places) <= set(range(len(sheet.lines)))
    ]
    assert wrong == []


def test_nothing_is_both_answered_and_not() -> None:
    assert [sheet.title for sheet in every_sheet() if {question for question, _ in sheet.asked} & set(sheet.none)] == []


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_documents_are_learned_from_and_others_are_held_out(split: str) -> None:
    files = {"train": {f"documents-{author}" for author in "ABCDFGHIJKM"}, "dev": {"documents-E"}, "test": {"documents-L"}}
    assert {sheet.file for sheet in sheets(split)} == files[split]  # type: ignore[arg-type]  # one of both names


def test_a_line_is_read_below_its_title_and_headings() -> None:
    sheet = next(sheet for sheet in every_sheet() if sheet.lines[-1][0] and sheet.lines[-1][0] != sheet.title)
    headings, words = sheet.lines[-1]
    assert sheet.shown(len(sheet.lines) - 1) == f"{sheet.title} › {headings}: {words}"
