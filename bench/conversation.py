"""How well follow-up questions are seen and made self-contained, on the labelled conversations in tests/data/conversation.

    python -m bench.conversation [--wrong]

Precision and recall of seeing that a question leans on the conversation; and of what was rewritten: right, wrong (which is worse
than none), and left alone. By rules only; `--wrong` lists what went wrong.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lattice_common.domain.recall import Exchange
from lattice_common.recall.conversation import reading, resolved_turns

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "conversation"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question after some turns: whether it leans on them, and the rewritings that are right (none: it cannot be known)."""

    history: tuple[Exchange, ...]
    ask: str
    leans: bool
    accept: tuple[str, ...]


def labelled(name: str) -> Iterator[Labelled]:
    """The lines of one file."""
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        turns = tuple(
            Exchange(turn["told"], told=True) if "told" in turn else Exchange(turn["question"], turn["answer"])
            for turn in row["history"]
        )
        yield Labelled(turns, row["ask"], row["depends"], tuple(row["accept"]))


def outcome(case: Labelled) -> tuple[bool, str | None, str]:
    """Whether it was seen to lean, what was made of it, and `right`, `wrong` or `left`."""
    read = reading(case.ask, resolved_turns(case.history)[-1]) if case.history else None
    text = read.text if read else None
    if text is None:
        return bool(read and read.leans), None, "left"
    return True, text, "right" if _plain(text) in map(_plain, case.accept) else "wrong"


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s'’]", " ", text.lower()).split())


def main(show: bool) -> None:
    """Print one line for each file."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        cases = list(labelled(path.name))
        judged = [(case, *outcome(case)) for case in cases]
        both = sum(case.leans and seen for case, seen, *_ in judged)
        seen_all = sum(seen for _, seen, *_ in judged)
        leaning = sum(case.leans for case in cases)
        counts = Counter(verdict for *_, verdict in judged)
        possible = sum(bool(case.accept) for case in cases)
        print(
            f"{path.name}: {len(cases)} questions, {leaning} lean; seen: precision {both / max(seen_all, 1):.3f}, "
            f"recall {both / max(leaning, 1):.3f}; rewritten: {counts['right']} right of {possible}, {counts['wrong']} wrong"
        )
        for case, seen, text, verdict in judged if show else ():
            if verdict == "wrong" or seen != case.leans or (verdict == "left" and case.accept):
                seen_as = "" if seen == case.leans else " MISSED" if case.leans else " FALSE"
                before = case.history[-1].question if case.history else ""
                print(f"  {verdict}{seen_as}: {before} / {case.ask} -> {text} (want {case.accept})")


if __name__ == "__main__":
    main("--wrong" in sys.argv)
