"""What the logs hold of how memory is used, with the owner's verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import RateAtoms
from lattice_common.domain.chat import ChatTurn
from lattice_common.domain.feedback import Verdict
from lattice_common.domain.recall import Answer
from lattice_common.errors import NotFound, Unavailable
from lattice_common.logs import logger
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal
from lattice_common.ports.line_log import Logs
from lattice_common.ports.passages import PassageReader
from lattice_common.upkeep.feedback import (
    Given,
    ToCorrect,
    cited_by,
    given,
    judge,
    rating_of,
    shown_beside,
    to_correct,
)
from lattice_common.upkeep.learn import LONGEST, Example, examples, note_intent
from lattice_common.upkeep.undone import Standing, note_undo, standing
from lattice_common.upkeep.unread import UnreadFile, dismiss, unread_files, unread_ids
from lattice_common.upkeep.usage import LATE, DayUsage, Tokens, UsageSummary, moment_of, note_recalls, summary, weekly

log = logger(__name__)


class Records:
    """The logs besides the conversation's own. Safe to use from several threads."""

    def __init__(self, logs: Logs, catalogue: CatalogueReader, tokens: Tokens, clock: Clock) -> None:
        self._logs = logs
        self._catalogue = catalogue
        self._tokens = tokens
        self._clock = clock

    def recalled(self, found: Answer, channel: str | None) -> None:
        """Record that an answer was given: what it cited is counted into the memories later."""
        note_recalls(self._logs.usage, self._clock, found, channel)

    def judged_atoms(self, trace_id: str | None, atom_ids: Sequence[str], passages: PassageReader) -> list[Atom]:
        """Return the memories that a verdict is on: those named, else those that the answer cited; none where these are passages
        of documents, which have no quality of their own. Raise `NotFound`."""
        named = list(atom_ids) or (cited_by(self._logs.usage, trace_id) if trace_id else [])
        atoms = self._catalogue.get(named)
        if not atoms and not passages.passages(named):
            raise NotFound("Nothing is known of that answer's memories: send the `atom_ids` that it cited, or its `trace_id`.")
        return atoms

    def ignored_atoms(self, atoms: Sequence[Atom], trace_id: str | None) -> list[Atom]:
        """Return the memories that an answer showed beside those that a verdict is on."""
        judged = {atom.atom_id for atom in atoms}
        beside = shown_beside(self._logs.usage, trace_id) if trace_id else []
        return self._catalogue.get([each for each in beside if each not in judged])

    def rating(self, verdict: Verdict, atoms: Sequence[Atom], ignored: Sequence[Atom], trace_id: str | None) -> RateAtoms | None:
        """Return the change of a verdict; None where the same verdict was given on that answer before."""
        return rating_of(self._logs.feedback, verdict, atoms, ignored, trace_id)

    def judge(
        self, verdict: Verdict, atoms: Sequence[Atom], ignored: Sequence[Atom], trace_id: str | None, change_id: str | None
    ) -> None:
        """Write a verdict down. Raise `Unavailable` (507) when the disk takes no line."""
        judge(self._logs.feedback, self._clock, verdict, atoms, ignored, trace_id, change_id)

    def undone(self, change_id: str, by: str) -> None:
        """Record that a change was taken back by another: a verdict no longer stands then."""
        try:
            note_undo(self._logs.feedback, self._clock, change_id, by)
        except Unavailable:
            log.warning("log_not_written", log="feedback")

    def standing(self, change_ids: Sequence[str]) -> dict[str, Standing]:
        """Return how changes that were taken back at some time stand now, by their ids."""
        return standing(self._logs.feedback, change_ids)

    def unread(self, journal: Journal) -> list[UnreadFile]:
        """Return the files that could not be read and were not dismissed, newest first."""
        return unread_files(self._logs.feedback, journal)

    def count_unread(self) -> int:
        """Return how many files could not be read and were not dismissed."""
        return len(unread_ids(self._logs.feedback))

    def dismiss(self, capture_id: str, *, back: bool) -> None:
        """Take a file off that list, or put it back. Raise `NotFound`, or `Unavailable` (507)."""
        dismiss(capture_id, self._logs.feedback, self._clock, back=back)

    def given(self, turns: Sequence[ChatTurn]) -> dict[str, Given]:
        """Return the verdicts that stand on the answers among these turns, by their traces."""
        answers = {turn.trace_id: turn.ts for turn in turns if turn.trace_id}
        return given(self._logs.feedback, answers, min(answers.values()) - LATE) if answers else {}

    def to_correct(self, limit: int) -> list[ToCorrect]:
        """Return memories that were called wrong and still say the same, newest first."""
        return to_correct(self._logs.feedback, self._catalogue, limit)

    def chosen(self, text: str, chosen: str, guess: str, channel: str) -> None:
        """Record that the owner told what would have been taken for a question, or asked what would have been told: an example to
        learn from, which stays here. Longer texts than a sentence or two are not recorded."""
        if chosen != guess and len(text) <= LONGEST:
            note_intent(self._logs.intents, self._clock, text, chosen, guess, channel)

    def clear_chosen(self, day: date) -> None:
        """Remove the examples of a day, in the clock's own offset: the owner clears that day's conversation."""
        zone = self._clock.now().tzinfo
        self._logs.intents.drop(lambda line: (moment := moment_of(line)) is not None and moment.astimezone(zone).date() == day)

    def examples(self, journal: Journal) -> Iterator[Example]:
        """Yield examples from what the owner did later; see `upkeep.learn`."""
        return examples(journal, self._catalogue, self._logs)

    def summary(self) -> UsageSummary:
        """Return how much was asked, told, remembered and recalled, all in all."""
        columns, atoms = self._catalogue.columns(), self._catalogue.count()
        return summary(self._logs, columns, atoms, self._tokens, self._clock.now())

    def weekly(self) -> list[DayUsage]:
        """Return the same of each of the last seven days."""
        return weekly(self._logs, self._catalogue.columns(), self._tokens, self._clock.now())
