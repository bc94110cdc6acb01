"""The connection of a command to the running product."""

from __future__ import annotations

from lattice_common.client import LatticeClient, NotRunning
from lattice_common.errors import NotAllowed

from lattice_cli.target import Place, find_place


def connected(place: Place | None = None, *, timeout: float = 60.0) -> LatticeClient:
    """Return a client of the server that this place names. Whether it is there is known at the first call."""
    place = place or find_place()
    return LatticeClient(place.base_url, place.token(), timeout)


def running(place: Place | None = None) -> LatticeClient | None:
    """Return a client of the server, when it is there; None when nobody listens. Raise `NotAllowed` for a token that it does not
    know, or that may not look."""
    client = connected(place)
    try:
        client.status()
    except NotRunning:
        client.close()
        return None
    except NotAllowed:
        client.close()
        raise
    return client
