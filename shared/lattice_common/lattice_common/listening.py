"""A port of this machine, bound for a door before it starts anything else."""

from __future__ import annotations

import errno
import socket

from lattice_common.errors import Conflict, NotConfigured


def bound(host: str, port: int, *, what: str, port_setting: str, host_setting: str) -> socket.socket:
    """Return the bound port. `what` will listen there; the settings are those that name port and host.

    Raise `Conflict` when it is in use, `NotConfigured` when this machine has no such address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's delay off only where the protocol is named: without it each answer on a kept connection took 40 ms.
    held = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port that was in use a minute ago is free
        held.bind((host, port))
    except OSError as error:
        held.close()
        if error.errno == errno.EADDRINUSE:
            raise Conflict(f"Port {port} of {host} is taken. Use another one: {port_setting}={port + 1}") from error
        if error.errno in (errno.EADDRNOTAVAIL, errno.EACCES) or isinstance(error, socket.gaierror):
            message = f"{what} cannot listen on {host}, port {port} ({error.strerror}). Put an address of this machine into .env"
            raise NotConfigured(message, env_line=f"{host_setting}=127.0.0.1") from error
        raise
    return held
