"""The names under which a door is reached, and the pages from which it accepts requests.

Another port or scheme of the same name is somebody else: a page of another program at `http://nas.local:8080` does not belong to
the Lattice at `http://nas.local:7337`. So a page is Lattice's own only where its origin, all three parts of it, is the one that
was requested, or one that the owner configured: in LATTICE_PUBLIC_URL, or with its scheme in LATTICE_ALLOWED_HOSTS.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not bound
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:/@\s]+))(?::[0-9]{1,5})?")
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port: what browsers keep apart (RFC 6454)."""

    scheme: str
    host: str
    port: int


class Origins:
    """`allowed` are names and origins beside this machine's own, `public_url` is the address that people open, `bound` the
    address of the listener: a name under which the door is reached, but no page that may use it."""

    def __init__(self, *, allowed: str = "", public_url: str = "", bound: str = "") -> None:
        entries = [entry.strip().lower().rstrip("/") for entry in allowed.split(",") if entry.strip()]
        named = {found for each in (*entries, public_url.strip()) if "://" in each and (found := origin_of(each))}
        names = {each for each in entries if "://" not in each} | {each.host for each in named} | {bound.lower()}
        self.hosts = (LOCAL_HOSTS | names) - ANY_ADDRESS - {""}
        self._named = named
        self._over_tls = {each.host for each in named if each.scheme == "https"}

    def knows_host(self, header: str) -> bool:
        """Return whether a `Host` header names this server; with any port, because a container and a proxy know another one than
        the browser."""
        found = _HOST.fullmatch(header)
        return found is not None and (found[1] or found[2]).lower() in self.hosts

    def is_own_page(self, page: str, scheme: str, host: str) -> bool:
        """Return whether the `Origin` of a request is the one that was requested by `scheme` and `Host`, or a configured one."""
        from_page = origin_of(page)
        if from_page is None:
            return False
        if from_page in self._named:
            return True
        # A name that is opened over TLS is not taken from its unencrypted twin, which anybody on the way can be.
        unencrypted_twin = from_page.scheme == "http" and from_page.host in self._over_tls
        return not unencrypted_twin and from_page == origin_of(f"{scheme}://{host}")


def origin_of(address: str) -> Origin | None:
    """Return the origin of an address; None for what has none (`null`, a file, a name with a user before it)."""
    try:
        parts = urlsplit(address)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if port is None or parts.scheme not in _DEFAULT_PORTS or not parts.hostname or "@" in parts.netloc:
        return None
    return Origin(parts.scheme, parts.hostname, port)


def scheme_asked(scheme: str, headers: Mapping[str, str]) -> str:
    """Return the scheme that the browser used: a proxy that ends TLS says so in `X-Forwarded-Proto`. The header is trusted from
    anybody: a page of another origin cannot send it without a preflight, which is refused, and other clients deceive only
    themselves."""
    said = headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
    return said if said in _DEFAULT_PORTS else scheme


def advice(page: str) -> str:
    """Return a refusal of a page, with what to do should it be Lattice's own."""
    found = origin_of(page)
    refused = f"Requests from the page {page[:200]} are not taken here."
    if found is None or found.host in LOCAL_HOSTS:
        return refused
    return f"{refused} Is it Lattice's own, behind a proxy? Then put this into .env: LATTICE_PUBLIC_URL={page[:200]}"
