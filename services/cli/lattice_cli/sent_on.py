"""What waits in this machine's inbox for a Lattice on another one: nobody there looks into it, so the next `lc`,
and the next start of `lattice mcp`, sends it on.

Each goes under the key that it was left with, so that what somebody else takes in as well is still kept once.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lattice_common.capture import dropped
from lattice_common.client import LatticeClient
from lattice_common.errors import Conflict, InvalidInput, Unavailable


def send_on(client: LatticeClient, inbox: Path) -> None:
    """Send what was left, oldest first, and take it away; what the server refuses stays, and is told of. Where the
    server has gone again, the rest waits on."""
    sent = 0
    for path in sorted(inbox.glob(f"*{dropped.ENDING}")):
        try:
            _send(client, path)
        except FileNotFoundError:
            continue  # somebody else took it
        except Unavailable:
            break
        except (InvalidInput, Conflict) as error:
            sys.stderr.write(f"{path} was not sent: {error}\n")
            continue
        sent += 1
    if sent:
        sys.stderr.write(f"What waited in {inbox} was sent, too ({sent}).\n")


def _send(client: LatticeClient, path: Path) -> None:
    left = dropped.decode(path.read_bytes(), path.name)
    beside = Path(dropped.beside(str(path)))
    if left.name is None:
        client.ingest(left.body, idempotency_key=left.idempotency_key)
    else:
        with beside.open("rb") as file:
            client.ingest_file(left.name, file, left.body, idempotency_key=left.idempotency_key)
    path.unlink(missing_ok=True)
    beside.unlink(missing_ok=True)
