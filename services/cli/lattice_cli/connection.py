"""The connection of a command to the running product."""

from __future__ import annotations

from lattice_common.client import LatticeClient, NotRunning
from lattice_common.errors import NotAllowed

from lattice_cli.target import Target, find_target


def connected(target: Target | None = None, *, timeout: float = 60.0) -> LatticeClient:
    """Return a client of the server that this target names. Whether it is there is known at the first call."""
    target = target or find_target()
    return LatticeClient(target.base_url, target.token(), timeout)


def running(target: Target | None = None) -> LatticeClient | None:
    """Return a client of the server, when it is there; None when nobody listens. Raise `NotAllowed` for a token that it does not
    know, or that may not look."""
    client = connected(target)
    try:
        client.status()
    except NotRunning:
        client.close()
        return None
    except NotAllowed:
        client.close()
        raise
    return client


def opened_at(reached: str) -> str:
    """Return the address that people open: the one in the settings, else the one that a command reached, by the name that
    `lattice up` shows: a browser takes `localhost` and `127.0.0.1` for two sites, and is signed in to one."""
    from lattice_common.settings import Settings

    return Settings().public_url.rstrip("/") or reached.replace("://127.0.0.1:", "://localhost:")
