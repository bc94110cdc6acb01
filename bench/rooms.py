"""How many modules one text passes from the door to its file, and one question to its answer: `python -m bench.rooms [-v]`.

A *room* is a module of the product; who follows a text reads each function where it is called first, so a *stay* is a run of
functions of one module in the order of their first calls, and a stay in a module seen before is a *re-entry*. Values, rules of
the domain and the words of languages are what is carried, not where it goes: they are left out, and so are the lambdas and
comprehensions of whoever calls them.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Model, open_embedded
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings

TEXT = "I live in Lisbon. The spare key is with Ines."
QUESTION = "Who has the spare key?"
CARRIED = ("lattice_common.domain", "lattice_common.language", "lattice_common.errors", "lattice_common.logs")
PATIENCE = 30.0


@contextmanager
def followed() -> Iterator[list[tuple[str, str]]]:
    """Module and name of each function of the product, in the order of their first calls on this thread and those it starts."""
    seen: set[CodeType] = set()
    path: list[tuple[str, str]] = []

    def called(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code in seen:
            return
        module = frame.f_globals.get("__name__", "")
        if not module.startswith("lattice_common") or module.startswith(CARRIED) or frame.f_code.co_name.startswith("<"):
            return
        seen.add(frame.f_code)
        path.append((module.removeprefix("lattice_common."), frame.f_code.co_qualname))

    threading.setprofile(called)
    sys.setprofile(called)
    try:
        yield path
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # as `sys.setprofile` has it


def stays(path: list[tuple[str, str]]) -> list[str]:
    """The modules in the order in which they are entered."""
    modules = [module for module, _ in path]
    return [module for n, module in enumerate(modules) if n == 0 or modules[n - 1] != module]


def report(what: str, walk: Callable[[], object], verbose: bool) -> None:
    with followed() as path:
        walk()
    entered = stays(path)
    rooms = len(set(entered))
    print(f"{what:<28}{rooms:>6}{len(entered):>8}{len(entered) - rooms:>12}{len(path):>12}")
    if verbose:
        for module, name in path:
            print(f"    {module:<48}{name}")


def main() -> None:
    verbose = "-v" in sys.argv[1:]
    print(f"{'':<28}{'rooms':>6}{'stays':>8}{'re-entries':>12}{'functions':>12}")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder) / "data", embed_model="none", judge="none")
        opened = []
        report("making the product", lambda: opened.append(open_embedded(settings, model=Model(HashedEmbedder()))), verbose)
        with opened[0] as store:
            writer, lattice = store.writer, store.lattice
            kept = []

            def tell() -> None:
                accepted = lattice.accept(IngestRequest(text=TEXT))
                kept.append(accepted.status.capture_id)
                # The writer's turn, on this thread: what it does when it is rung.
                writer._turn()

            report("a text to its receipt", tell, verbose)
            assert lattice.wait_for(kept[0], PATIENCE).state == "stored"
            report("a question to its answer", lambda: lattice.answer(Query(QUESTION)), verbose)


if __name__ == "__main__":
    main()
