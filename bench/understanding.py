"""What is understood of what is said, without a language model, through the product: `python -m bench.understanding`.

One store for each half of the pairs: what is known first (the old statement of each topic, among the statements of other people's
memories), then one newer statement for each topic. An update is *settled* where the old statement is retired, *asked* where both
stay and are joined by `may_update` (the newer comes first and the older is marked); anything else is *missed*. What merely adds
must retire nothing. Then lives: what one owner's memory holds, and what was said later, half of it traps. `--without` leaves the
judge out: rules alone.

dev is what boundaries were chosen on, test was only ever printed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lattice_common import logs
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.composition.models import load_model
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings

from train.corpus import RELATIONS, Pair, Split, lives, memories, pairs

PATIENCE = 120.0
NO_LLM: Mapping[str, Any] = {"llm_provider": "none"}


@dataclass(frozen=True, slots=True)
class Told:
    """A topic's old statement, a newer one, and the ids of the atoms that each became."""

    pair: Pair
    old: tuple[str, ...]
    new: tuple[str, ...]


def by_topic(split: Split, label: str, chance: random.Random) -> list[Pair]:
    """One pair of that label for each old statement."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs(split):
        if RELATIONS[pair.label] == label:
            found.setdefault(pair.old, []).append(pair)
    return [chance.choice(group) for group in found.values()]


def say(product: Embedded, text: str, at: str) -> tuple[str, ...]:
    """Told by hand; the ids of what was stored or said again."""
    metadata = CaptureMetadata(observed_at=at)
    capture = product.lattice.accept(IngestRequest(text=text, metadata=metadata)).status.capture_id
    receipt = product.lattice.wait_for(capture, PATIENCE).receipt
    assert receipt is not None, f"{text!r} was not stored in {PATIENCE:.0f} s"
    return tuple(receipt.atom_ids)


def measure(
    split: Split, label: str, model: Model, beside: int, *, llm: Mapping[str, Any] = NO_LLM, most: int | None = None
) -> list[str]:
    """Tell the old statements, then the newer ones of that label, and count what became of the old ones. `llm`: settings of the
    language model; `most`: topics."""
    chance = random.Random(7)
    chosen = by_topic(split, label, chance)[:most]
    others = [text for memory in memories("train") for _, text in memory.statements.values() if memory.lang == "en"]
    with (
        TemporaryDirectory() as folder,
        open_embedded(Settings(data_dir=Path(folder), **llm), model=model) as product,
    ):
        product.start()
        for number, text in enumerate(chance.sample(others, beside)):
            say(product, text, f"2025-01-{number % 28 + 1:02}T09:00:00Z")
        old = {pair.old: say(product, pair.old, "2025-03-01T09:00:00Z") for pair in chosen}
        started = time.perf_counter()
        told = [
            Told(pair, old[pair.old], say(product, pair.new, f"2025-06-{n % 28 + 1:02}T09:00:00Z"))
            for n, pair in enumerate(chosen)
        ]
        spent = (time.perf_counter() - started) / max(len(told), 1)
        known = {atom.atom_id: atom for atom in product.stores.catalogue.all()}
        ends = Counter(_end(each, known) for each in told)
        first = sum(_newer_first(product, each.pair.old, each.old, each.new) for each in told)
        own = {atom_id for each in told for atom_id in each.old}
        tokens = product.lattice.status().language_model.get("tokens_today")
        elsewhere = [atom for atom in known.values() if atom.is_superseded and atom.atom_id not in own]
    total = len(told)
    lines = [f"{split} {label}: {total} in {len(known)} memories, {spent * 1000:.0f} ms each"]
    lines.append("  " + ", ".join(f"{name} {ends[name] / total:.1%}" for name in ("settled", "asked", "missed", "not stored")))
    if label == "updates":
        lines.append(f"  the newer one above the older, asked in the old one's words: {first / total:.1%}")
    lines.append(f"  other statements retired: {len(elsewhere)}")
    if llm != NO_LLM:
        lines.append(f"  tokens of the language model: {tokens}")
    return lines


def measure_lives(split: Split, model: Model, *, most: int | None = None) -> list[str]:
    """Each life in a store of its own: its statements, then its news one by one, and what each piece of news did."""
    ends: Counter[str] = Counter()
    ending = first = news_told = wrong = asked_wrongly = 0
    found = lives(split)[:most]
    for life in found:
        with TemporaryDirectory() as folder, open_embedded(Settings(data_dir=Path(folder), **NO_LLM), model=model) as product:
            product.start()
            known = [say(product, text, f"2025-03-{n % 28 + 1:02}T09:00:00Z") for n, text in enumerate(life.statements)]
            place_of = {atom_id: place for place, ids in enumerate(known) for atom_id in ids}
            for number, news in enumerate(life.news):
                before = {each.atom_id for each in product.stores.catalogue.all() if each.is_superseded}
                new = say(product, news.text, f"2025-06-{number % 28 + 1:02}T09:{number:02}:00Z")
                atoms = {each.atom_id: each for each in product.stores.catalogue.all()}
                retired = {place_of.get(each.atom_id, -1) for each in atoms.values() if each.is_superseded} - {
                    place_of.get(each, -1) for each in before
                }
                doubted = {
                    place_of.get(each.target, -1) for one in new for each in atoms[one].relations if each.type == "may_update"
                }
                news_told += 1
                wrong += bool(retired - set(news.updates) - {-1})
                asked_wrongly += bool(doubted - set(news.updates) - {-1})
                for place in news.updates:
                    if any(each in before for each in known[place]):
                        continue  # an earlier piece of news ended it already
                    ending += 1
                    ends["settled" if place in retired else "asked" if place in doubted else "missed"] += 1
                    first += _newer_first(product, life.statements[place], known[place], new)
    return [
        f"{split} lives: {len(found)} of {news_told} pieces of news, which end {ending} statements",
        "  " + ", ".join(f"{name} {ends[name] / max(ending, 1):.1%}" for name in ("settled", "asked", "missed")),
        f"  the newer one above the older, asked in the old one's words: {first / max(ending, 1):.1%}",
        f"  news that retired what it does not end: {wrong / max(news_told, 1):.2%}, that asked about it: "
        f"{asked_wrongly / max(news_told, 1):.1%}",
    ]


def _end(told: Told, known: dict[str, Atom]) -> str:
    if not told.old or not told.new:
        return "not stored"
    if any(known[atom_id].is_superseded for atom_id in told.old if atom_id in known):
        return "settled"
    doubted = {each.target for atom_id in told.new for each in known[atom_id].relations if each.type == "may_update"}
    return "asked" if doubted.intersection(told.old) else "missed"


def _newer_first(product: Embedded, asked: str, olds: tuple[str, ...], news: tuple[str, ...]) -> bool:
    found = [each.atom.atom_id for each in product.lattice.select(Query(asked, limit=15)).atoms]
    newer = [found.index(atom_id) for atom_id in news if atom_id in found]
    older = [found.index(atom_id) for atom_id in olds if atom_id in found]
    return bool(newer) and (not older or min(newer) < min(older))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", action="store_true", help="rules alone")
    parser.add_argument("--split", action="append", choices=("dev", "test"))
    parser.add_argument("--lives", type=int, help="only that many lives of each half, and no pairs")
    parser.add_argument("--beside", type=int, default=300, help="statements of others in the same memory")
    given = parser.parse_args()
    logs.configure("error", json=None)
    model = load_model(Settings())
    if given.without:
        model = replace(model, judge=None)
    for split in given.split or ("dev", "test"):
        for label in ("updates", "adds", "same") if given.lives is None else ():
            print("\n".join(measure(split, label, model, given.beside)), flush=True)
        print("\n".join(measure_lives(split, model, most=given.lives)), flush=True)


if __name__ == "__main__":
    main()
