"""The health check of a container: `python -m lattice_common.healthcheck URL`, or with the path of a heartbeat.

Imports nothing of ours, so that it takes a few hundredths of a second. A heartbeat is a JSON file with `at` (seconds since 1970),
when its process last said that it goes on, and `stuck`, why it does not although it has work to do. Where LATTICE_OWNERS names
several, each memory's writer has a heartbeat, and all of them have to be well.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

STALE_SECONDS = 60.0
"""docs/guarantees.md, G25: a hanging process is noticed within a minute."""


HEARTBEAT = "/index/writer.json"
"""In a data folder; those of further owners lie below it (`spaces`)."""


def trouble(what: str) -> str | None:
    """Return why it is not healthy; None when it is."""
    if what.startswith("http://"):
        try:
            with urllib.request.urlopen(what, timeout=4) as answer:  # noqa: S310 - the address is in the image, and begins with http
                return None if answer.status == 200 else f"it answers {answer.status}"
        except urllib.error.HTTPError as error:
            return f"it answers {error.code}{_said(error)}"
        except OSError as error:
            return f"it does not answer: {error}"
    try:
        beat = json.loads(Path(what).read_bytes())
        age = time.time() - float(beat["at"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"there is no heartbeat: {error}"
    if age > STALE_SECONDS:
        return f"its last heartbeat was {age:.0f} s ago"
    return str(beat["stuck"]) if beat.get("stuck") else None


def troubles(what: str, owners: str) -> str | None:
    """Return the same of all memories: `what` is the heartbeat of the first owner's writer, `owners` what LATTICE_OWNERS says."""
    names = [each.strip() for each in owners.split(",") if each.strip()]
    if not names or not what.endswith(HEARTBEAT):
        return trouble(what)
    root = Path(what.removesuffix(HEARTBEAT))
    beats = {names[0]: what, **{name: f"{root}/spaces/{name}{HEARTBEAT}" for name in (*names[1:], "shared")}}
    said = {name: trouble(path) for name, path in beats.items()}
    return "; ".join(f"{name}: {each}" for name, each in said.items() if each) or None


def _said(answer: urllib.error.HTTPError) -> str:
    """Return the parts that `/ready` says are not up; nothing of another answer."""
    try:
        parts = json.loads(answer.read(100_000))["parts"]
        down = [f"{name}: {said}" for name, said in parts.items() if name in ("journal", "writer") and said != "up"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""
    return f" ({'; '.join(down)})" if down else ""


if __name__ == "__main__":
    found = troubles(sys.argv[1], os.environ.get("LATTICE_OWNERS", ""))
    if found:
        sys.stderr.write(f"{found}\n")
    sys.exit(1 if found else 0)
