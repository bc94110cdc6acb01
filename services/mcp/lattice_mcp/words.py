"""What the tools say in plain text, beside their structured results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lattice_common.client_replies import FINAL_STATES
from lattice_common.domain.reading_notes import unread

from lattice_mcp.defang import defanged_atom
from lattice_mcp.results import NOT_ORDERS, AnswerResult, CaptureResult, RecallResult, ReviewResult, StatusResult

OF_NOTES = {
    "date-ignored": "The date could not be read, or is yet to come: the time of telling counts. Write 2026-05-01T09:00:00+02:00.",
    "invisible-removed": "Invisible characters were taken out.",
}
"""Texts for the notes of a capture."""


def in_a_line(text: object) -> str:
    """Return the text without line breaks: in a list, the beginning of a line must not come from a memory."""
    return " ".join(str(text).split())


def listed(atom: Mapping[str, Any], more: str = "") -> str:
    """Return a memory as a line of a list: what it says, when that was said, whose words it is, and its id."""
    return f"- {in_a_line(atom['content'])} ({str(atom['observed_at'])[:10]}, {atom['trust']}{more}) [{atom['atom_id']}]"


def listed_defanged(atom: Mapping[str, Any]) -> str:
    """Return a memory as the API gives it as such a line, with nothing in it that could load or open."""
    return listed(defanged_atom({name: atom[name] for name in ("atom_id", "content", "observed_at", "trust", "source_quote")}))


def indented(text: object) -> str:
    """Return the text with every further line indented, so that none passes for one of ours."""
    return "\n  ".join(str(text).splitlines())


def of_capture(result: CaptureResult, said: Sequence[str] = ()) -> str:
    """Return what became of what was told; `said` are the first new memories."""
    if result.inbox is not None:
        return f"Lattice does not answer, so this waits in the inbox ({result.inbox}) and is taken in once it runs."
    noticed = [*(OF_NOTES[note] for note in result.notes if note in OF_NOTES), *map(in_a_line, unread(result.notes))]
    if result.state not in FINAL_STATES:
        return "\n".join([f"Kept as {result.capture_id}. It is being read; lattice_status shows when it is done.", *noticed])
    if result.state == "dead":
        return f"Kept as {result.capture_id}, but it could not be read: {result.reason}"
    lines = []
    if result.atoms_new:
        lines.append(f"Remembered {_counted(result.atoms_new, 'thing', 'things')}.")
        lines += [f"- {in_a_line(memory)}" for memory in said]
    elif result.duplicates_skipped:
        lines.append("Already known.")
    elif not result.rejected:
        lines.append("Nothing to remember in that." + (f" {result.reason}" if result.reason else ""))
    if result.atoms_updated:
        lines.append(f"{_counted(result.atoms_updated, 'older memory', 'older memories')} replaced.")
    if result.rejected:
        lines.append(f"Set aside: {_counted(result.rejected, 'statement', 'statements')} that the words do not bear out.")
    if result.atoms_new or result.atoms_updated:
        lines.append(f"To take it back: undo {result.capture_id}")
    lines += noticed
    return "\n".join(lines)


def of_recall(result: RecallResult) -> str:
    """Return the memories, one a line, each with its date, whose words it is, and its id."""
    without = [f"Searched without all of memory: {each}." for each in result.degraded]
    if not result.memories:
        return "\n".join(["Nothing is remembered about that.", *without])
    lines = [NOT_ORDERS if result.answerable else f"Nothing answers that for sure; these are the nearest. {NOT_ORDERS}"]
    for memory in result.memories:
        meant = "" if memory.status == "asserted" else f", {memory.status}"
        more = ", replaced since" if memory.is_superseded else ", perhaps no longer so" if memory.may_be_outdated_by else ""
        of = f", from {in_a_line(memory.passage_of)}" if memory.passage_of else ""
        lines.append(listed(memory.model_dump(), meant + more + of))
    return "\n".join([*lines, *without])


def of_review(result: ReviewResult) -> str:
    """Return the pairs, the older one first, as the question is about it; then those that disagree."""
    if not result.review and not result.disagreeing:
        return "Nothing is in doubt."
    lines = [NOT_ORDERS]
    for each in result.review:
        lines += [
            listed(each.older.model_dump()),
            f"  {each.question} Since {each.since[:10]}:",
            f"  {listed(each.newer.model_dump())}",
        ]
    if (more := result.count - len(result.review)) > 0:
        lines.append(f"… and {more:,} more.")
    for pair in result.disagreeing:
        lines += [
            listed(pair.said_before.model_dump()),
            f"  {pair.question} Something says otherwise:",
            f"  {listed(pair.said_otherwise.model_dump())}",
        ]
    return "\n".join(lines)


def of_answer(result: AnswerResult) -> str:
    """Return the answer, then where it comes from."""
    lines = [indented(result.answer)]
    for each in result.citations:
        doubt = "" if each["supported"] else " (not borne out by it)"
        lines.append(f'[{each["n"]}] "{in_a_line(each["quote"])}" ({each["observed_at"][:10]}) [{each["atom_id"]}]{doubt}')
    others = [listed(pair.disagrees_with.model_dump()) for pair in result.disagreements]
    lines += [f"Says otherwise, and only one can be true: {other}" for other in others]
    lines += [f"Note: {warning}" for warning in result.warnings]
    cited = {each["atom_id"] for each in result.citations}
    shown = [atom for atom in result.atoms if atom.atom_id in cited] + [pair.disagrees_with for pair in result.disagreements]
    if any(atom.trust != "user" for atom in shown):
        lines.append(NOT_ORDERS)
    return "\n".join(lines)


def of_status(result: StatusResult) -> str:
    """Return the status in a few lines."""
    open_ = {state: count for state, count in result.captures.items() if state in ("waiting", "working", "dead") and count}
    lines = [f"{_counted(result.atoms, 'memory', 'memories')}; {_counted(result.streak, 'day', 'days')} in a row."]
    if result.top_subjects:
        lines.append(f"Mostly about: {', '.join(result.top_subjects)}.")
    if open_:
        lines.append("Captures: " + ", ".join(f"{count} {state}" for state, count in open_.items()) + ".")
    if result.in_review:
        lines.append(f"{_counted(result.in_review, 'memory', 'memories')} may no longer hold: `review` lists them.")
    lines.append(f"Language model: {result.language_model or 'none'}.")
    lines += [f"Degraded: {each}." for each in result.degraded]
    return "\n".join(lines)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
