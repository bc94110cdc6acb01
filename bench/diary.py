"""A diary of short messages, told on its days and asked about, printed to be read: `python -m bench.diary FILE… [--only KIND]`.

The files of `bench/diaries` are made up, and written as people type on a phone: `whitby` and `dundee` (a year each in English,
with what each message is: a `change` of something said before, a `trap` that only looks like one, or `not_so`, and with questions
and what should be answered), `nuremberg`, `lyon`, `madrid` and `bologna` (German, French, Spanish, Italian;
without labels). Below each message stand the memories that it became, with how they are meant, their days, and what they
ended or put in doubt; below each question its answer. Nothing is counted: whether a memory says what was meant has to be read.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lattice_common import logs
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, load_model, open_embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings
from rich.console import Console

PATIENCE = 120.0


def told(product: Embedded, message: dict[str, Any]) -> tuple[str, ...]:
    """Tell one message on its day; the ids of what it became."""
    metadata = CaptureMetadata(observed_at=message["at"])
    capture = product.lattice.accept(IngestRequest(text=message["text"], metadata=metadata)).status.capture_id
    receipt = product.lattice.wait_for(capture, PATIENCE).receipt
    if receipt is None:
        raise SystemExit(f"Message {message['id']} was not finished in {PATIENCE:.0f} s.")
    return receipt.atom_ids


def described(atom: Atom, known: dict[str, Atom]) -> str:
    """A memory on one line: its words, how they are meant, its days, and what it ended or put in doubt."""
    days = " to ".join(str(each.date()) if each else "…" for each in (atom.valid_from, atom.valid_until))
    ended = "".join(f"\n      ends: {known[each].content}" for each in atom.supersedes if each in known)
    doubted = "".join(f"\n      doubts: {known[each].content}" for each in atom.may_update if each in known)
    return f"    {atom.content} [{atom.status}{'' if days == '… to …' else f', {days}'}]{ended}{doubted}"


def show(path: Path, console: Console, only: str | None) -> None:
    """Tell a diary to a memory of its own, and print what was made of it."""
    diary = json.loads(path.read_text(encoding="utf-8"))
    with (
        TemporaryDirectory() as folder,
        open_embedded(Settings(data_dir=Path(folder)), model=load_model(Settings())) as product,
    ):
        product.start()
        became = [(message, told(product, message)) for message in diary["messages"]]
        known = {atom.atom_id: atom for atom in product.stores.catalogue.all()}
        for message, atom_ids in became:
            if only is None or message.get("kind") == only:
                console.print(f"{message['id']} {message['at'][:10]} {message.get('kind', '')}: {message['text']}", markup=False)
                for atom_id in atom_ids:
                    if atom_id in known:
                        console.print(described(known[atom_id], known), markup=False, style="dim")
        for asked in diary["questions"]:
            answer = product.lattice.answer(Query(asked["question"])).answer
            expected = f" (expected: {asked['expected']})" if "expected" in asked else ""
            console.print(f"{asked['question']}{expected}\n    {answer}", markup=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--only", help="only messages of this kind: plain, change, trap, not_so")
    args = parser.parse_args()
    logs.configure("error", json=None)
    console = Console(width=160, highlight=False)
    for path in args.files:
        show(path, console, args.only)


if __name__ == "__main__":
    main()
