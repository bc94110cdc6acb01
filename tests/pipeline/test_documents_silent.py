"""What a document tells nothing of it does not answer, however near the rest of its words is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from lattice_common.composition import Embedded
from lattice_common.domain.recall import Query
from lattice_common.recall.from_passage import says, words_beside

from tests.pipeline.known_atoms import statement
from tests.pipeline.living import finished, say, send_file, started

ACCOUNTS = """# Accounts of the Rookery chess club

| Item | 2024 | 2025 |
|---|---|---|
| Membership fees | 1480 | 1612 |
| Hall hire | 1040 | 1092 |
| Prizes | 520 | 610 |

The membership fees of the chess club are due in March. The hall is hired from St Oswin's for the chess club. Prizes were handed
over by the mayor. The accounts of the chess club were passed without a vote on 4 March 2026 in the hall of the school.
"""


def answered(store: Embedded, question: str) -> str | None:
    answer = store.lattice.answer(Query(question))
    return answer.answer if answer.answered else None


def test_a_document_without_what_is_asked_for_answers_nothing_and_one_with_it_does(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        assert finished(store, send_file(store, "accounts.md", ACCOUNTS.encode(), source="document")).state == "stored"
        assert answered(store, "What is the treasurer of the chess club paid in accounts?") is None
        told = answered(store, "When are the membership fees of the chess club due?")
        assert told is not None
        assert "March" in told
        other = "# Minutes\n\nThe treasurer of the chess club is paid 40 euros a year, said the chair of the chess club."
        assert finished(store, send_file(store, "minutes.md", other.encode(), source="document")).state == "stored"
        told = answered(store, "What is the treasurer of the chess club paid?")
        assert told is not None
        assert "40 euros" in told


def test_what_the_owner_said_is_not_held_against_its_words(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "Ines looks after the money of the chess club.")
        assert answered(store, "Who looks after the finances of the chess club?") is not None


def test_a_row_with_its_date_in_figures_is_not_silent_about_the_month() -> None:
    """ "How far did I run on 4 October 2026?" """
    said = datetime(2026, 11, 30, tzinfo=UTC)
    rows = [statement(f"Log: Date: {day}; Session: Long run", said, capture=1) for day in ("2026-10-04", "30.09.2026")]
    (words,) = words_beside(rows).values()
    assert says(words, "October")
    assert says(words, "September")
    assert not says(words, "November")
