"""Which models an endpoint has: a look of a few hundred milliseconds at most, with the standard library alone.

The product starts with it, and the openai package takes a second to import.
"""

from __future__ import annotations

import http.client
from collections.abc import Sequence
from typing import Any

import orjson

from lattice_common.adapters.models.endpoint import Endpoint

OLLAMA_URL = "http://127.0.0.1:11434/v1"
PROBE_SECONDS = 0.3
_MOST_BYTES = 2_000_000
_EMBEDDERS = ("embed", "minilm", "bge-", "e5-", "rerank")
"""Parts of the names of models that cannot talk."""


def models_at(endpoint: Endpoint, *, seconds: float = PROBE_SECONDS) -> Sequence[str] | None:
    """Return the names of the models that can talk, newest first; None when nothing answers in time that knows of models.

    Ollama is asked in its own language, for it says of each model of what family it is; others by /models.
    """
    own = endpoint.provider == "ollama"
    path = "/api/tags" if own else f"{endpoint.parts.path}/models"
    kind = http.client.HTTPSConnection if endpoint.parts.scheme == "https" else http.client.HTTPConnection
    host, port, gate = endpoint.parts.hostname or "", endpoint.parts.port, endpoint.through
    connection = kind((gate.hostname or "") if gate else host, gate.port if gate else port, timeout=seconds)
    if gate:
        connection.set_tunnel(host, port)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {})
        response = connection.getresponse()
        listed = orjson.loads(response.read(_MOST_BYTES)) if response.status == 200 else None
    except (OSError, http.client.HTTPException, orjson.JSONDecodeError, UnicodeError):
        return None
    finally:
        connection.close()
    models = listed.get("models" if own else "data") if isinstance(listed, dict) else None
    if not isinstance(models, list):
        return None
    return [name for name in map(_name_of_talker, models) if name]


def _name_of_talker(listed: Any) -> str:
    """Return the name of a model as it was listed; empty for one that only embeds."""
    if not isinstance(listed, dict):
        return ""
    name = str(listed.get("name") or listed.get("id") or "")
    details = listed.get("details")
    families = details.get("families") if isinstance(details, dict) else None
    only_embeds = families == ["bert"] or families == ["nomic-bert"] or any(part in name.lower() for part in _EMBEDDERS)
    return "" if only_embeds else name
