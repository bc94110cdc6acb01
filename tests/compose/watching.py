"""Who talks to whom, as the host sees it: on Docker's bridges, where all passes that containers send, and on its own way out."""

from __future__ import annotations

import contextlib
import ipaddress
import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

from tests.compose.deployment import wait_until

_WATCH = """
import socket
seen = set()
raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
print("watching", flush=True)
while True:
    frame, (interface, kind, *_) = raw.recvfrom(256)
    if kind != 0x0800 or interface.startswith(("lo", "veth")):
        continue
    where = "bridge" if interface.startswith(("br-", "docker0")) else "wire"
    head = frame[14:]
    size = (head[0] & 15) * 4
    source, target = socket.inet_ntoa(head[12:16]), socket.inet_ntoa(head[16:20])
    port = int.from_bytes(head[size + 2 : size + 4], "big") if head[9] in (6, 17) else 0
    if (where, source, target) not in seen:
        seen.add((where, source, target))
        print(where, source, target, {1: "icmp", 2: "igmp", 6: "tcp", 17: "udp"}.get(head[9], head[9]), port, flush=True)
"""
"""Prints each pair of addresses once for bridges and once for the wire, with what the first packet was."""


@dataclass(frozen=True)
class Watched:
    """The container that watches, by name."""

    name: str

    def leaving(self, networks: list[str]) -> list[str]:
        """What went out of these networks (CIDR), a line for each pair of addresses; not what is for everybody on a network."""
        inside = [ipaddress.ip_network(each) for each in networks]
        found = []
        for line in self._seen("bridge"):
            source, target = (ipaddress.ip_address(each) for each in line.split()[:2])
            everybody = target.is_multicast or any(target == each.broadcast_address for each in inside)
            if not everybody and any(source in each for each in inside) and not any(target in each for each in inside):
                found.append(line)
        return found

    def reached_the_wire(self, address: str) -> bool:
        """Whether a packet to this address left the host."""
        return any(line.split()[1] == address for line in self._seen("wire"))

    def _seen(self, where: str) -> list[str]:
        lines = _docker("logs", self.name).splitlines()
        return [line.removeprefix(f"{where} ") for line in lines if line.startswith(f"{where} ")]


@contextlib.contextmanager
def watching() -> Iterator[Watched]:
    """From the first packet after this has begun."""
    watched = Watched(f"lattice-watch-{secrets.token_hex(4)}")
    image = "python:3.13-slim"
    _docker("run", "-d", "--name", watched.name, "--network", "host", "--cap-add", "NET_RAW", image, "python", "-c", _WATCH)
    try:
        wait_until("the watch to begin", lambda: "watching" in _docker("logs", watched.name))
        yield watched
    finally:
        _docker("rm", "-f", watched.name)


def networks_of(project: str) -> list[str]:
    """The address ranges of a project's networks."""
    ids = _docker("network", "ls", "-q", "--filter", f"label=com.docker.compose.project={project}").split()
    return _docker("network", "inspect", "-f", "{{range .IPAM.Config}}{{.Subnet}} {{end}}", *ids).split()


def _docker(*arguments: str) -> str:
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, check=True, timeout=120).stdout
