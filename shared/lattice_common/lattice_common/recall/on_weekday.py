"""What is on a day of the week, of a question that asks for nothing else: "What do I do on Saturdays?".

Nothing in such a question says what is sought but the day, so that what is found is as unlikely to answer as anything. A
statement that names the day does; one that names only others never.
"""

from __future__ import annotations

from collections.abc import Sequence

from lattice_common.domain.recall import Selected
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.questions.asked_weekday import weekday_asked, weekdays_named
from lattice_common.recall.question import Search


def on_weekday(search: Search, chosen: Sequence[Selected]) -> tuple[Selected, ...] | None:
    """Return what names the day that is asked for, none where nothing does; None of a question for something else. English asks
    for one day of the calendar by its name alone ("What's on Saturday?"): what is on it may not name it."""
    question = search.question
    day = weekday_asked(question.text)
    if day is None or (question.period is not None and language_of(question.text) is None):
        return None
    others = search.of_others
    return tuple(each for each in chosen if day in weekdays_named(each.atom.content) and each.atom.atom_id not in others)
