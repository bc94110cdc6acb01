"""How far a job of idle time has come: a file of a few words in `index/`, sealed.

It is derived and not made durable: without it the same is done once more.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lattice_common.domain.seal import is_damaged, sealed


def read_note(path: Path) -> dict[str, Any]:
    """Return what was written last; nothing where it cannot be read, or is not what was written. Raise `FileNotFoundError`."""
    try:
        if path.exists() and not path.is_file():
            return {}  # a pipe would be waited for
        content = path.read_bytes()
        noted = None if is_damaged(content) else json.loads(content)
    except FileNotFoundError:
        raise
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def write_note(path: Path, fields: Mapping[str, Any]) -> None:
    """Replace what was written. Raise `OSError`."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no regular file: move it out of the data folder", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(sealed(json.dumps(dict(fields)).encode()))
