"""What the programs share that fit numbers of the product: their arguments, and samples that are kept, for asking takes minutes
and fitting seconds."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import lattice_common.recall

Sample = TypeVar("Sample")


def arguments(description: str | None, file: str) -> argparse.Namespace:
    """Return `write`, `stores` and `samples` as given; `file` is what is written, beside the code of recall."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--write", action="store_true", help=f"write {file}")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here")
    parser.add_argument("--samples", type=Path, help="read what was found from here, or keep it here")
    return parser.parse_args()


def kept(path: Path | None, read: Callable[[dict[str, Any]], Sample], make: Callable[[], Iterable[Sample]]) -> list[Sample]:
    """Return the samples of a file, one a line; what is made where there is none, which goes into it. Samples are dataclasses."""
    if path is not None and path.exists():
        return [read(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    made = list(make())
    if path is not None:
        path.write_text("".join(json.dumps(asdict(each)) + "\n" for each in made), encoding="utf-8")  # type: ignore[call-overload]  # samples are dataclasses
    return made


def beside_recall(file: str) -> Path:
    """Return the path of a file of numbers in the package."""
    return Path(lattice_common.recall.__file__).with_name(file)
