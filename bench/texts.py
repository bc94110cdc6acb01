"""How well texts become single facts: the rules over `train/data/texts-*.jsonl`, each text captured as a client would send it.

Texts go through the stages of ingest as the product runs them (accept, segment, extract, ground), in memory, without a language
model. Counted for each part (`tuned on`, `held out`, and each further file as `dev` or `test`):

found      gold facts of which one atom has every content word that the text says (stems, function words aside), with the people
           it is about by name. `strictly` asks for words that only the author of the gold facts chose, too.
own        those found whose atom holds no other gold fact.
invented   atoms with a content word that neither the text nor a gold fact has, or with a name that is not in their quote and that
           no gold fact of that quote is about.
not facts  what is said not to be stated, stated by an atom that no gold fact accounts for.

    python -m bench.texts [--missing] [--invented] [--atoms] [--small] [--data FOLDER]

Nothing of what is held out or test is ever printed; of `dev`, misses are. Texts are tuned on and held out by their numbers. With
`--small` all letters of the texts are small ones, as many people type on a phone.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lattice_common.capture.accept import accept
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture
from lattice_common.ingest.parts import parts_of
from lattice_common.ingest.prove import atoms_of, prove
from lattice_common.language.dates.mentions import resolve, written
from lattice_common.language.names import names_of
from lattice_common.language.text import analyze

DATA = Path(__file__).resolve().parent.parent / "train" / "data"
TUNED_ON = "texts-A.jsonl"
DEV = ("texts-D.jsonl", "texts-F.jsonl")
SEEN = 62
"""Of the first so many texts those divisible by three were read while the rules were written: there, others are held out."""
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)

_FUNCTION_WORDS = frozenset(
    # English beyond the stop words of the index, then German, Spanish, French, Italian.
    """
    not no nor must may might shall will would us me one ones der die das den dem des ein eine einen einem einer eines
    und oder aber ist sind war waren wird werden hat haben hatte im in am an auf bei mit von vom zu zum zur für aus nach
    um als wie sich er sie es ich wir ihr sein seine seinen seiner ihre ihren mein meine meinen meiner unser unsere
    unseren man nicht kein keine keinen bis ab el la los las un una unos unas y e o u pero es son está están era fue ser
    ha han de del al a en con por para su sus mi mis nuestro nuestra se lo le les que no yo le la les un une des et ou
    mais est sont était a ont du de à au aux en dans par pour sur avec son sa ses mon ma mes notre nos se ce il elle on
    je nous ne pas que qui il lo la i gli le un uno una e o ma è sono era ha hanno di del della dei delle dello da dal
    in nel nella con per su mio mia miei suo sua suoi si che non io
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)

_MEANT = re.compile(r" \((?:(?:[a-z]+|\d{1,2}|[A-Z][a-z]+),? )*\d{4}\)")
"""What a relative date means, as the product writes it: "(week of 2 March 2026)"."""
_SPEAKER = re.compile(r"^[^\W\d]+: ", re.MULTILINE)


@dataclass(frozen=True)
class Clock:
    """One moment, and ids that count up."""

    def now(self) -> datetime:
        return NOW

    def machine(self) -> datetime:
        return NOW

    def ahead(self) -> datetime | None:
        return None

    def new_id(self) -> str:
        return "01jd0000000000000000000000"


@dataclass(frozen=True)
class Gold:
    """A single fact: its words as far as its text has them, all of them, and the people whom it is about."""

    content: str
    quote: str
    said: frozenset[str]
    all: frozenset[str]
    people: frozenset[str]


def stems(text: str) -> frozenset[str]:
    """The content words of a text."""
    found = analyze(text.replace("/", " ").replace("_", " "))
    return frozenset(word for word in found if word not in _FUNCTION_WORDS and any(map(str.isalnum, word)))


def gold_of(row: dict[str, Any]) -> list[Gold]:
    """The gold facts of a text."""
    told = stems(_SPEAKER.sub("", row["text"]) if row["source_type"] == "chat" else row["text"])
    facts = []
    for fact in row["facts"]:
        words = stems(fact["content"])
        named = [word for each in fact["about"] for word in each.split() if word[:1].isupper() and word != "I"]
        people = frozenset().union(*(stems(each) for each in named)) & told
        facts.append(Gold(fact["content"], fact["quote"], words & told, words, people))
    return facts


def captured(row: dict[str, Any]) -> Capture:
    """The text as the journal keeps it."""
    return accept(IngestRequest(text=row["text"], source_type=row["source_type"]), Clock(), max_bytes=10_000_000)


def atoms(capture: Capture) -> list[Atom]:
    """What becomes of a capture before it is compared with what is known."""
    found: list[Atom] = []
    for part in parts_of(capture):
        found += atoms_of(capture, prove(capture, part), ordinal=len(found), seq=1 + len(found))
    return found


def invented(atom: Atom, text: str, facts: Sequence[Gold]) -> str:
    """The words of an atom that nothing licenses; empty where all are."""
    dates = " ".join(written(mention) for said in (text, atom.source_quote) for mention in resolve(said, NOW))
    words = _MEANT.sub(lambda meant: meant[0] if meant[0] in text else "", atom.content)
    known = stems(text) | stems(dates) | frozenset().union(*(fact.all for fact in facts)) | stems("in reply to")
    if strange := stems(words) - known:
        return ", ".join(sorted(strange))
    content = words.split(" (in reply to: ")[0]
    head = content.rpartition(": ")[0]  # the labels that it stands below
    added = {name.word for name in names_of(content)} - {name.word for name in names_of(f"x {atom.source_quote}")}
    added = {name for name in added if name not in head and name.lower() not in atom.source_quote.lower() and name not in dates}
    around = [fact for fact in facts if fact.quote in atom.source_quote or atom.source_quote in fact.quote]
    about = frozenset().union(*(fact.all | fact.people for fact in around))
    return ", ".join(name for name in sorted(added) if around and not stems(name) <= about)


@dataclass
class Measured:
    """The counts of one part."""

    counts: Counter[str]
    missing: list[str]
    made_up: list[str]


def measure(rows: Sequence[dict[str, Any]], *, show_atoms: bool = False) -> Measured:
    """The counts over these texts."""
    measured = Measured(Counter(), [], [])
    for row in rows:
        facts, found = gold_of(row), atoms(captured(row))
        words = {atom.atom_id: stems(atom.content) for atom in found}
        count(row, facts, found, words, measured)
        if show_atoms:
            print(f"\n{row['id']} {row['source_type']} {row['text']!r}")
            for atom in found:
                print(f"    {atom.kind:10} {atom.content}   [{atom.source_quote}]")
    return measured


def count(
    row: dict[str, Any], facts: Sequence[Gold], found: Sequence[Atom], words: dict[str, frozenset[str]], measured: Measured
) -> None:
    """Add the counts of one text."""
    counts = measured.counts
    holders = {fact.content: [atom for atom in found if fact.said | fact.people <= words[atom.atom_id]] for fact in facts}
    for fact in facts:
        holding = holders[fact.content]
        own = any(
            not any(
                other is not fact and atom in holders[other.content] and not other.said <= fact.said | fact.people
                for other in facts
            )
            for atom in holding
        )
        counts["gold"] += 1
        counts["found"] += bool(holding)
        counts["own"] += own
        counts["strict"] += any(fact.all | fact.people <= words[atom.atom_id] for atom in found)
        if not own:
            measured.missing.append(f"{row['id']} {'MISSED' if not holding else 'joined'} {fact.content}  [{fact.quote}]")
    counts["atoms"] += len(found)
    for atom in found:
        if strange := invented(atom, row["text"], facts):
            counts["invented"] += 1
            measured.made_up.append(f"{row['id']} {strange}: {atom.content}  [{atom.source_quote}]")
    for wrong in row["not_facts"]:
        accounted = {atom.atom_id for holding in holders.values() for atom in holding}
        stated = any(stems(wrong) <= words[atom.atom_id] for atom in found if atom.atom_id not in accounted)
        counts["not facts"] += 1
        counts["stated"] += bool(stems(wrong)) and stated


def held_out(row: dict[str, Any]) -> bool:
    """Whether a text of the file that is tuned on is kept from tuning."""
    number = int(row["id"].lstrip("t"))
    return number % 3 == (1 if number <= SEEN else 0)


def parts(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The texts by what they are used for."""
    files = sorted(folder.glob("texts-*.jsonl"))
    if not files:
        sys.exit(f"{folder} has no texts-*.jsonl: give the folder that has them with --data.")
    made: dict[str, list[dict[str, Any]]] = {}
    for file in files:
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        if file.name != TUNED_ON:
            made[f"{'dev' if file.name in DEV else 'test'} {file.name}"] = rows
            continue
        made["tuned on"] = [row for row in rows if not held_out(row)]
        made["held out"] = [row for row in rows if held_out(row)]
    return made


def small(row: dict[str, Any]) -> dict[str, Any]:
    """The text as it is typed by somebody who never looks for the key of the capitals; the people of its facts stay theirs."""
    return {**row, "text": row["text"].lower(), "facts": [{**fact, "quote": fact["quote"].lower()} for fact in row["facts"]]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--missing", action="store_true", help="print facts tuned on that were not found, or not by themselves")
    parser.add_argument("--invented", action="store_true", help="print invented atoms of what is tuned on")
    parser.add_argument("--atoms", action="store_true", help="print all atoms of what is tuned on")
    parser.add_argument("--small", action="store_true", help="read the texts without their capitals")
    parser.add_argument("--data", type=Path, default=DATA)
    args = parser.parse_args()
    print(
        f"{'':22} {'texts':>5} {'gold':>5} {'atoms':>5} {'found':>7} {'own':>7} {'strictly':>8} {'invented':>8} {'not facts':>9}"
    )
    for name, rows in parts(args.data).items():
        for language in ("", "en", "other"):
            chosen = [row for row in rows if not language or (row["lang"] == "en") == (language == "en")]
            open_to_see = name.startswith(("tuned on", "dev")) and not language
            shown = args.atoms and open_to_see
            begun = time.process_time()
            measured = measure([small(row) for row in chosen] if args.small else chosen, show_atoms=shown)
            took = time.process_time() - begun
            counts = measured.counts
            share = {key: 100 * counts[key] / max(counts["gold"], 1) for key in ("found", "own", "strict")}
            print(
                f"{name + (f', {language}' if language else ''):22} {len(chosen):5} {counts['gold']:5} {counts['atoms']:5}"
                f" {share['found']:5.1f} % {share['own']:5.1f} % {share['strict']:6.1f} % {counts['invented']:8}"
                f" {counts['stated']:3}/{counts['not facts']} {'' if language else f'{took:.2f} s'}"
            )
            if open_to_see:
                print("\n".join([*(measured.missing if args.missing else ()), *(measured.made_up if args.invented else ())]))


if __name__ == "__main__":
    main()
