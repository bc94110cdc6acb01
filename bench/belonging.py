"""Whether what is told alone of something is found as of that: `python -m bench.belonging [--show]`.

"Theo handed in his notice, last day is the 30th." is two statements, of which the second names nobody. All messages of
`bench/belonging/messages.json` are told to one memory, a day apart, and each question is asked as an answer is made. *Right*
holds what it has to, *wrong* answers without it, the rest is "I don't know".
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lattice_common import logs
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.domain.recall import Query
from rich.console import Console
from rich.table import Table

from bench.evidence import Corpus, bench_model, filled

MESSAGES = Path(__file__).parent / "belonging" / "messages.json"
FIRST_DAY = datetime(2026, 3, 2, 18, tzinfo=UTC)


def told(messages: list[str]) -> Corpus:
    days = [(FIRST_DAY + timedelta(days=at)).strftime("%Y-%m-%dT%H:%M:%SZ") for at in range(len(messages))]
    requests = [
        IngestRequest(text=text, metadata=CaptureMetadata(source_id=f"m{at}", observed_at=day))
        for at, (text, day) in enumerate(zip(messages, days, strict=True))
    ]
    return Corpus("belonging", tuple(requests), ())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print what was not right of dev")
    args = parser.parse_args()
    logs.configure("error", json=None)
    halves = {name: rows for name, rows in json.loads(MESSAGES.read_text(encoding="utf-8")).items() if name != "comment"}
    console, model = Console(width=140), bench_model()
    table = Table("half", "questions", "right, %", "wrong, %", title="what is told alone of something")
    with filled(told([row[0] for rows in halves.values() for row in rows]), model) as (product, _):
        for name, rows in halves.items():
            counted: Counter[str] = Counter()
            for _, question, right in rows:
                answer = product.lattice.answer(Query(question))
                outcome = "right" if answer.answered and right in answer.answer else "wrong" if answer.answered else "none"
                counted[outcome] += 1
                if args.show and name == "dev" and outcome != "right":
                    console.print(f"{outcome}: {question} {answer.answer}", markup=False)
            table.add_row(name, str(len(rows)), *(f"{100 * counted[each] / len(rows):.1f}" for each in ("right", "wrong")))
    console.print(table)


if __name__ == "__main__":
    main()
