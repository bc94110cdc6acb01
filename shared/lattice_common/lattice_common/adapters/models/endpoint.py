"""The one address that a language model is asked at."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from lattice_common.errors import NotConfigured


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`base_url` as the settings have it; `provider` is `ollama` or `openai`, whatever else speaks its language included. The key
    is in no text that this makes of itself."""

    base_url: str
    provider: str
    api_key: str | None = field(default=None, repr=False)
    gate: str = ""
    """Address of the proxy that leads there; empty where it is reached directly."""

    @property
    def parts(self) -> SplitResult:
        return urlsplit(self.base_url)

    @property
    def host(self) -> str:
        """Return name and port, as shown to people: without whatever credentials stand in the address."""
        port = self.parts.port
        return f"{self.parts.hostname or ''}{f':{port}' if port else ''}"

    @property
    def through(self) -> SplitResult | None:
        """Return the proxy to ask; None for none. What is on this very machine needs no way out."""
        return urlsplit(self.gate) if self.gate and not self.local else None

    @property
    def local(self) -> bool:
        """Return whether it is this machine, by what it is called: names are not looked up, for they may mean another later.

        Only `localhost` and the loopback addresses are. `host.docker.internal` is this machine as a container sees it, but what
        listens there is not known to be on it; `ollama.localhost` may be another container.
        """
        name = self.parts.hostname or ""
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name == "localhost"


def checked_endpoint(base_url: str, provider: str, api_key: str | None, gate: str = "") -> Endpoint:
    """Raise `NotConfigured` when the address is none."""
    endpoint = Endpoint(base_url.strip().rstrip("/"), provider, api_key, gate.strip())
    try:
        good = endpoint.parts.scheme in ("http", "https") and bool(endpoint.host)
    except ValueError:  # a port that is no number
        good = False
    if not good:
        line = "LLM_BASE_URL=http://127.0.0.1:11434/v1"
        raise NotConfigured(f"LLM_BASE_URL is no address of an endpoint: give one like in {line}.", env_line=line)
    return endpoint
