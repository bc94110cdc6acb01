"""Files that cannot be read any more, one kind of a store's after the other: `python -m tests.crash.reads`.

The disk answers each read of them with EIO (`faults.c`): first while Lattice runs, then from its start on. Meanwhile it is told,
asked, changed and looked through. What it says then has to be a sentence of ours, what it serves what was told, and the deep
doctor has to name the trouble. When the disk can be read again nothing is lost, and the doctor finds nothing.
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import sys
import tempfile
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from tests.crash import faults
from tests.crash.points import Child, in_child, tail

NEW = "My bicycle is from Utrecht."
FORGOTTEN = "I sing in the choir on Tuesdays."
AT_ONCE = 3
"""Trials beside each other."""
QUESTIONS = ("Where do I live?", "Who is the rye bread from?", "Where is my bicycle from?", "What binds the tenant?")


@dataclass(slots=True)
class Told:
    """What was said and served while files could not be read. `said` are sentences of ours, `wrong` is what must not be."""

    said: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    stored: bool = False
    refused: int = 0

    @contextmanager
    def of(self, what: str) -> Iterator[None]:
        """Do something that may be refused in words of ours, and in no others."""
        from lattice_common.errors import LatticeError

        try:
            yield
        except LatticeError as error:
            self.said.append(f"{what}: {type(error).__name__}: {error}")
        except Exception:  # noqa: BLE001 - whatever else comes is what is looked for
            self.wrong.append(f"{what}: {traceback.format_exc(limit=-6)}")


def kinds() -> dict[str, tuple[str, ...]]:
    """The patterns of each kind of file, relative to the data folder."""
    return {
        "memories": ("atoms/*.md",),
        "archive": ("archive/*.md",),
        "trash": ("trash/*.md",),
        "captures and commands": ("journal/2*/[0-9a-z]*.json",),
        "receipts": ("journal/2*.receipt.json",),
        "originals": ("journal/2*.original.txt",),
        "readings": ("journal/2*.reading.json",),
        "what was forgotten": ("journal/forgotten.jsonl",),
        "keys": ("journal/keys/*.json",),
        "marks": ("journal/open/*", "journal/again/*", "journal/deleted/*"),
        "nodes": ("graph/nodes.jsonl",),
        "edges": ("graph/edges.jsonl",),
        "manifest": ("graph/manifest.json",),
        "catalogue": ("index/catalogue.sqlite*",),
        "words": ("index/lexical/engine/*",),
        "vectors": ("index/dense/exact/*",),
        "passages": ("index/passages/passages.sqlite*",),
        "words of passages": ("index/passages/lexical/engine/*",),
        "vectors of passages": ("index/passages/dense/*",),
        "notes": ("index/*.json",),
        "subjects": ("subjects.json",),
        "tokens": ("access.json",),
        "tokens of models": ("logs/tokens/*.jsonl",),
        **{f"log {name}": (f"logs/{name}.jsonl",) for name in LOGS},
    }


LOGS = ("chat", "feedback", "intents", "usage", "traces", "migrations", "egress", "rejected", "reflections")


def lived_in(root: Path) -> None:
    """Make a store with every kind of file."""
    from lattice_api.token_file import TokenFile

    from tests.pipeline.test_flipped_bits import with_every_kind

    with_every_kind(root)
    TokenFile(root).add_token("phone", ["admin"])


def settings_of(root: Path) -> Any:
    from lattice_common.settings import Settings

    return Settings(_env_file=None, data_dir=root, embed_model="none", llm_provider="none")  # type: ignore[call-arg]  # of pydantic-settings


def opened(root: Path) -> Any:
    from lattice_common.ingest.pace import Pace

    from tests.pipeline.living import open_store

    return open_store(root, _env_file=None, pace=Pace(pause_seconds=0.02), trace=True)


def contents(root: Path) -> tuple[list[tuple[str, bool]], list[str]]:
    """What a store holds when all of it can be read, and what of its documents is found."""
    from lattice_common.domain.recall import Query

    from tests.crash.stored import come_to_rest

    with opened(root) as store:
        come_to_rest(store)
        found = sorted((atom.content, atom.is_superseded) for atom in store.stores.catalogue.all())
        passages = [each.atom.content for text in QUESTIONS for each in store.lattice.select(Query(text)).atoms]
        return found, sorted(set(passages))


def use(store: Any, told: Told, known: frozenset[str]) -> None:
    """Tell, ask, list and change, as somebody does who knows nothing of the disk."""
    from lattice_common.capture.request import IngestRequest
    from lattice_common.domain.capture import EditAtom
    from lattice_common.domain.recall import Query

    from tests.pipeline.living import atom_saying, send

    with told.of("tell"):
        accepted = send(store, IngestRequest(text=NEW))
        told.stored = store.lattice.wait_for(accepted, 3.0).state == "stored"
    for question in QUESTIONS:
        with told.of("ask"):
            served = [each.atom.content for each in store.lattice.select(Query(question)).atoms]
            told.wrong += [f"served: {each}" for each in served if each not in known]
        with told.of("answer"):
            store.lattice.answer(Query(question), channel="page", session_id="s")
    with told.of("list"):
        told.wrong += [f"listed: {each.content}" for each in store.stores.catalogue.all() if each.content not in known]
    with told.of("captures"):
        store.lattice.captures(state=None, limit=50, cursor=None)
    with told.of("edit"):
        atom = atom_saying(store, "I moved from Ghent to")
        store.lattice.change(EditAtom(atom.atom_id, {"importance": 0.9}), timeout=3.0)
    for what, ask in asked_of(store).items():
        with told.of(what):
            ask()
    with told.of("status"):
        told.said += [f"status: {each}" for each in store.lattice.status().degraded]
        told.said += [
            f"ready: {name} {each}" for name, each in store.lattice.readiness().parts.items() if each not in ("up", "off")
        ]


def asked_of(store: Any) -> dict[str, Callable[[], object]]:
    lattice = store.lattice
    return {
        "stats": lattice.stats,
        "conversation": lambda: lattice.journey.today(),
        "recent": lambda: lattice.recent(20),
        "one memory": lambda: lattice.atom(lattice.recent(1)[0].atom_id),
        "source": lambda: lattice.source_text(lattice.recent(1)[0].capture_id, start=0, limit=100),
        "profile": lambda: lattice.profile(20),
        "needs": lattice.needs,
        "today": lattice.today,
        "trash": lambda: lattice.in_trash(20),
        "archived": lambda: lattice.archived(20),
        "names": lambda: lattice.entities(limit=20),
        "graph": lattice.graph_about,
        "imports": lambda: lattice.imports(20),
        "export": lambda: list(lattice.export()),
        "rejected": lambda: lattice.rejected(20),
        "forget": lambda: forget(store),
    }


def forget(store: Any) -> None:
    from lattice_common.domain.forgetting import Forgettable

    wanted = Forgettable(about="choir")
    store.lattice.forget(wanted, store.lattice.forget_preview(wanted, now=True).confirm, now=True, timeout=3.0)


def looked(root: Path, told: Told) -> None:
    from lattice_common.inspection import look_through

    with told.of("doctor"):
        found = look_through(settings_of(root), lambda *_: None, deep=True).findings
        told.said += [f"doctor: {each.area} {each.thing}: {each.problem}" for each in found]


def struck(root: Path, patterns: Sequence[str], known: frozenset[str], *, from_start: bool) -> dict[str, Any]:
    """In a fork."""
    from tests.crash.stored import come_to_rest

    told = Told()
    if from_start:
        faults.refuse_reads(root, patterns)
    with told.of("start"), opened(root) as store:
        if from_start:
            store.start()
        else:
            come_to_rest(store)
            faults.refuse_reads(root, patterns)
        use(store, told, known)
        looked(root, told)
    if any(each.startswith("start") for each in told.said):
        looked(root, told)
    told.refused = faults.allow_reads()
    return {"said": told.said, "wrong": told.wrong, "stored": told.stored, "refused": told.refused}


def tried_again(store: Any) -> None:
    """Do what the owner is asked to do for what was given up while files could not be read."""
    from tests.crash.stored import rest

    for dead in store.lattice.captures(state="dead", limit=50, cursor=None)[0]:
        store.lattice.retry(dead.capture_id)
    rest(store)


def afterwards(root: Path, before: list[list[Any]], told: dict[str, Any]) -> list[str]:
    """In a fork: nothing that was there is lost, and nothing is left."""
    from tests.crash.stored import come_to_rest

    found = []
    with opened(root) as store:
        come_to_rest(store)
        tried_again(store)
        now = sorted((atom.content, atom.is_superseded) for atom in store.stores.catalogue.all())
    was = {(str(content), bool(old)) for content, old in before if "choir" not in content}
    if lost := sorted(was - set(now)):
        found.append(f"lost: {lost}")
    if told["stored"] and NEW not in {content for content, _ in now}:
        found.append("what was said to be stored is not there")
    known = {content for content, _ in was} | {NEW, FORGOTTEN}
    if new := sorted({content for content, _ in now} - known):
        found.append(f"made up: {new}")
    found += [f"the doctor finds {each.area} {each.thing}: {each.problem}" for each in _doctor(root)]
    return found


def _doctor(root: Path) -> Any:
    from lattice_common.inspection import look_through

    return look_through(settings_of(root), lambda *_: None, deep=True).findings


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--verbose", action="store_true")
    chosen = parser.parse_args(arguments)
    if why := faults.missing():
        print(f"Not run: {why}.")
        return 2
    faults.begin_again_with_faults(["-m", "tests.crash.reads", *(sys.argv[1:] if arguments is None else arguments)])
    from tests.crash import reads_beside

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    findings: list[str] = []
    with tempfile.TemporaryDirectory(prefix="lattice-reads-") as scratch:
        base, log = Path(scratch, "base"), Path(scratch, "log")
        lived_in(base)
        code, seen = in_child(lambda: contents(base), log)
        assert code == 0, tail(log)
        before, found = seen
        known = frozenset({content for content, _ in before} | {NEW, *found})
        trials = [
            (
                kind,
                partial(
                    strike,
                    kind=kind,
                    patterns=patterns,
                    before=before,
                    known=known,
                    from_start=from_start,
                    verbose=chosen.verbose,
                ),
            )
            for kind, patterns in kinds().items()
            if not chosen.only or kind in chosen.only
            for from_start in (False, True)
        ]
        findings += struck_by_turns(trials, Path(scratch))
        findings += reads_beside.strike_beside(Path(scratch), in_child, chosen.only or [])
    print(f"{len(findings)} findings")
    if chosen.json:
        chosen.json.write_text(json.dumps({"findings": findings, "kinds": len(kinds()), "beside": len(reads_beside.trials())}))
    return 1 if findings else 0


def struck_by_turns(trials: Sequence[tuple[str, Callable[[Path], list[str]]]], scratch: Path) -> list[str]:
    """Try each in a fork and a folder of its own, several at once: most of their time they wait for what is refused."""
    found: list[str] = []
    running: deque[tuple[str, Path, Child]] = deque()

    def end() -> None:
        kind, own, child = running.popleft()
        code, told = child.end()
        print((own / "said").read_text(), end="", flush=True)
        found.extend(told if code == 0 else [f"{kind}: ended with {code}: {tail(own / 'said')}"])
        shutil.rmtree(own)

    for number, (kind, trial) in enumerate(trials):
        own = scratch / str(number)
        own.mkdir()
        shutil.copytree(scratch / "base", own / "struck")
        running.append((kind, own, Child(partial(trial, own), own / "said")))
        if len(running) == AT_ONCE:
            end()
    while running:
        end()
    return found


def strike(
    scratch: Path, *, kind: str, patterns: Sequence[str], before: Any, known: frozenset[str], from_start: bool, verbose: bool
) -> list[str]:
    """Have reads of one kind of file of the store in `struck` fail, and return what is wrong."""
    root, log = scratch / "struck", scratch / "log"
    when = "from the start" if from_start else "while it runs"
    code, told = in_child(lambda: struck(root, patterns, known, from_start=from_start), log)
    found = [f"{kind}, {when}: {each}" for each in (told["wrong"] if code == 0 else [f"ended with {code}: {tail(log)}"])]
    if code == 0:
        said = [each for each in told["said"] if each.startswith("doctor")]
        if told["refused"] and not any(each.startswith(("doctor", "ready", "status", "start")) for each in told["said"]):
            found.append(f"{kind}, {when}: nothing was said")
        print(f"{kind}, {when}: {told['refused']} reads refused, stored {told['stored']}, {len(told['said'])} said", flush=True)
        if verbose:
            print("   ", "\n    ".join([each for each in told["said"] if each not in said] + said[:3]))
        code, after = in_child(lambda: afterwards(root, before, told), log)
        found += [f"{kind}, {when}, afterwards: {each}" for each in (after if code == 0 else [f"ended with {code}: {tail(log)}"])]
    for each in found:
        print(f"FOUND {each}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
