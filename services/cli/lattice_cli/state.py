"""What the command line notes for itself of a memory, beside it: of one memory nothing is known in another."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import platformdirs
from lattice_common.adapters.files import durable
from lattice_common.errors import Corrupt, Unavailable

from lattice_cli.target import Target, find_target

LONGEST_NAME = 500
"""Characters that the name of a source may have."""


def state_folder() -> Path:
    """Return where the command line keeps its state."""
    return platformdirs.user_state_path("lattice")


def store_name(target: Target | None = None) -> str:
    """Return a name for the memory that commands work on: of its folder, and of the address that was given for it."""
    target = target or find_target()
    store = f"{target.given_url or ''}\n{target.data_dir.expanduser().resolve()}"
    return hashlib.sha256(store.encode("utf-8", "surrogateescape")).hexdigest()[:24]


class SourceNames:
    """What imported files are called in a memory: by their names below what was imported, and by more of their paths where
    another file was imported under that name. A file keeps its name."""

    def __init__(self) -> None:
        self._state = state_folder() / "imported" / f"{store_name()}.json"
        self._paths = self._read()
        self._names = {path: name for name, path in self._paths.items()}

    def name(self, path: Path, root: Path) -> str:
        """Return what a file below `root` is called, and keep that."""
        found = path.resolve()
        if (known := self._names.get(str(found))) is not None:
            return known
        inner = path.relative_to(root)
        parts = (*root.resolve().parts, *inner.parts)
        ends = ("/".join(parts[at:]).lstrip("/")[-LONGEST_NAME:] for at in range(len(parts) - len(inner.parts), -1, -1))
        name = next((end for end in ends if end not in self._paths), str(found)[-LONGEST_NAME:])
        self._paths[name] = str(found)
        self._names[str(found)] = name
        return name

    def known(self, path: Path) -> str | None:
        """Return what a file was imported as; None for one that was not."""
        return self._names.get(str(path.resolve()))

    def keep(self) -> None:
        """Write what files are called. Where nothing can be written, as in a container, say so and go on: the import is what was
        asked for."""
        try:
            durable.write(self._state, json.dumps(self._paths).encode("utf-8", "surrogateescape"))
        except (OSError, Unavailable) as error:
            sys.stderr.write(
                f"What these files are called is not noted ({error}): another one of the same name, imported later from "
                "elsewhere, is taken for the same.\n"
            )

    def _read(self) -> dict[str, str]:
        try:
            return {str(name): str(path) for name, path in json.loads(self._state.read_bytes()).items()}
        except FileNotFoundError:
            return {}
        except (ValueError, AttributeError, OSError) as error:
            raise Corrupt(
                f"What imported files are called cannot be read ({self._state}: {error}). Remove that file: then files of "
                "one name in several folders are told apart from now on only."
            ) from error
