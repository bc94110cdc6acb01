"""The table and the figure of what `bench.peers` measured."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from bench.evidence import evidence_recall
from bench.peers.texts import OTHER, OWN, TALK, Collection

RECALLS = ((TALK, 10), (TALK, 20), (OTHER, 10), (OWN, 1))
"""The kinds of questions, and how many results count."""
BARS = ((TALK, 10), (OTHER, 10), (OWN, 1))
"""What the figure shows."""
COLUMNS = (
    "system",
    *(f"{kind}, @{k}" for kind, k in RECALLS),
    "a question, p50 / p95 (ms)",
    "its processor time, p50 (ms)",
    "texts a second, until found / settled",
    "texts a processor second, until settled",
    "memory, peak (MB)",
    "disk (MB)",
)


@dataclass(frozen=True, slots=True)
class Row:
    """What one system did with all collections."""

    system: str
    version: str
    python: str
    recall: dict[tuple[str, int], float]
    p50_ms: float
    p95_ms: float
    cpu_ms: float
    texts_per_second: float
    settled_per_second: float
    settled_per_cpu_second: float
    memory_mb: float
    disk_mb: float

    def cells(self) -> tuple[str, ...]:
        found = (f"{100 * self.recall[each]:.1f}" if each in self.recall else "" for each in RECALLS)
        return (
            self.system,
            *found,
            f"{_ms(self.p50_ms)} / {_ms(self.p95_ms)}",
            _ms(self.cpu_ms),
            f"{self.texts_per_second:,.0f} / {self.settled_per_second:,.0f}",
            f"{self.settled_per_cpu_second:,.0f}",
            f"{self.memory_mb:,.0f}",
            f"{self.disk_mb:,.1f}",
        )


def _ms(value: float) -> str:
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def row(system: str, runs: Sequence[tuple[Collection, dict[str, Any]]]) -> Row:
    """Of one system's runs, one for each collection."""
    took = sorted(1000 * each for _, run in runs for each in run["find_s"])
    texts = sum(len(collection.texts) for collection, _ in runs)
    return Row(
        system=system,
        version=runs[0][1]["version"],
        python=runs[0][1]["python"],
        recall=recalls(runs),
        p50_ms=statistics.median(took),
        p95_ms=took[max(0, -(-len(took) * 95 // 100) - 1)],
        cpu_ms=1000 * statistics.median(each for _, run in runs for each in run["find_cpu_s"]),
        texts_per_second=texts / sum(run["told_s"] for _, run in runs),
        settled_per_second=texts / sum(run["settled_s"] for _, run in runs),
        settled_per_cpu_second=texts / sum(run["settled_cpu_s"] for _, run in runs),
        memory_mb=max(run["peak_mb"] for _, run in runs),
        disk_mb=sum(run["disk_mb"] for _, run in runs),
    )


def recalls(runs: Sequence[tuple[Collection, dict[str, Any]]]) -> dict[tuple[str, int], float]:
    """The share of a question's gold texts that the first results come from, averaged over the questions of each kind."""
    shares: dict[tuple[str, int], list[float]] = {}
    for collection, run in runs:
        for question, found in zip(collection.questions, run["found"], strict=True):
            for kind, k in RECALLS:
                if question.kind == kind:
                    shares.setdefault((kind, k), []).append(evidence_recall(found, frozenset(question.gold), k))
    return {each: statistics.fmean(values) for each, values in shares.items()}


def markdown(rows: Sequence[Row]) -> str:
    """The table as markdown, with the versions below."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    lines += ["| " + " | ".join(each.cells()) + " |" for each in rows]
    return "\n".join([*lines, "", *(f"- {each.system}: {each.version}; Python {each.python}" for each in rows)])


_LABEL, _WIDTH, _LINE, _BAR = 170, 330, 24, 14
_INK, _OURS, _OTHERS = "#24292f", "#1f6f5c", "#a9b4bf"


def figure(rows: Sequence[Row]) -> str:
    """Bars for each kind of question, as an SVG of its own."""
    parts, top = [], 0
    for kind, k in BARS:
        shown = [(each.system, 100 * each.recall[kind, k]) for each in rows if (kind, k) in each.recall]
        if not shown:
            continue
        parts.append(_text(0, top + 16, f"{kind}: % of the texts that answer, {_among(k)}", weight=600))
        for at, (system, share) in enumerate(shown):
            y = top + 30 + at * _LINE
            colour = _OURS if system.startswith("Lattice") else _OTHERS
            parts.append(_text(_LABEL - 8, y + 11, system, anchor="end"))
            parts.append(f'<rect x="{_LABEL}" y="{y}" width="{_WIDTH * share / 100:.1f}" height="{_BAR}" fill="{colour}"/>')
            parts.append(_text(_LABEL + _WIDTH * share / 100 + 6, y + 11, f"{share:.1f}"))
        top += 30 + len(shown) * _LINE + 18
    width, height = _LABEL + _WIDTH + 60, max(top, 1)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
    ground = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    title = "<title>Evidence recall of Lattice beside other memories</title>"
    return "\n".join([head, title, ground, *parts, "</svg>", ""])


def _among(k: int) -> str:
    return "found first" if k == 1 else f"found among the first {k}"


def _text(x: float, y: float, text: str, *, anchor: str = "start", weight: int = 400) -> str:
    font = f'font-family="sans-serif" font-size="12" font-weight="{weight}" fill="{_INK}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {font}>{escape(text)}</text>'
