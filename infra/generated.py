"""What is made from the code and kept beside it: `python -m infra.generated` (or `make docs`) writes all of it anew.

docs/configuration.md, docs/api.md, .env.example, infra/opensearch/atoms.json, and the dashboards and alerts in infra/ops. Tests
hold each to what this makes.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

from lattice_common.adapters.server.opensearch_lexical import TEMPLATE
from lattice_common.settings import Settings, setting_names, settings_page

from infra import operations
from infra.api_page import api_page

ROOT = Path(__file__).resolve().parent.parent

GROUPS = {
    "LATTICE_DIR": "Where things are",
    "LATTICE_HOST": "The address, and who may come in",
    "LATTICE_LOG_LEVEL": "Logs",
    "LATTICE_EMBED_MODEL": "Searching and remembering",
    "LATTICE_REDIS_URL": "Servers (LATTICE_MODE=server); docker-compose.yml brings its own",
    "LATTICE_MAX_FILE_BYTES": "Files",
    "LLM_PROVIDER": "Language models",
    "LATTICE_PII_SCRUB": "What leaves the machine, and the rest",
}
"""The setting that each group begins with: what is added later falls into the one it stands in."""

DEPLOYMENT = {
    "LATTICE_DATA": ("./data", "The owner's data: the folder that is mounted. LATTICE_DIR is inside the containers."),
    "PUID": ("1000", "The user that the services run as, and that owns the data."),
    "PGID": ("1000", "That user's group."),
    "TZ": ("UTC", "The time zone, for instance Europe/Berlin."),
    "OPENSEARCH_HEAP": ("384m", "Memory of OpenSearch's heap; its container may take 900 MB in all."),
    "LATTICE_DASHBOARDS_PORT": ("5601", "Port of OpenSearch Dashboards on this machine (docker compose --profile ops)."),
    "LATTICE_CONTAINER_LOGS": (
        "/var/lib/docker/containers",
        "Where Docker keeps the logs of containers, which --profile ops collects events from.",
    ),
    "LATTICE_API_EGRESS": (
        "false",
        "Whether the API's container may reach other machines: true where OpenSearch or Qdrant are elsewhere.",
    ),
    "LATTICE_WORKER_EGRESS": (
        "false",
        "Whether the worker's container may: true where OpenSearch or Qdrant are elsewhere.",
    ),
    "LATTICE_QDRANT_READER_KEY_FILE": (
        "/secrets/qdrant/read_only_api_key",
        "The file, in the API's container, with its key for Qdrant.",
    ),
}
"""What docker-compose.yml asks for beside the settings: default and help."""

HEAD = """\
# Settings of Lattice. Copy this to .env and take the # away where you want something else: nothing needs to be set.
# Made by `make docs` from shared/lattice_common/lattice_common/settings.py. docs/configuration.md says the same at more length.
#
# In a deployment (docker compose) LATTICE_MODE, LATTICE_DIR, LATTICE_INBOX, LATTICE_ACCESS_DIR, LATTICE_HOST, and the addresses
# of its own services, are set inside the containers, whatever stands here.
"""


def env_example() -> str:
    """`.env.example`: each setting, with its help and default, behind a #."""
    lines = [HEAD]
    for name, field in zip(setting_names(), Settings.model_fields.values(), strict=True):
        if name in GROUPS:
            lines.append(_heading(GROUPS[name]))
        depends = name == "LATTICE_DIR" or field.default is None
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
        lines.append(_entry(name, "" if depends else default, field.description or ""))
    lines.append(_heading("The deployment (docker compose) alone"))
    lines += [_entry(name, default, help_) for name, (default, help_) in DEPLOYMENT.items()]
    return "\n".join(lines)


def opensearch_template() -> str:
    """`infra/opensearch/atoms.json`: the index as one puts it into a cluster by hand. The worker does it itself."""
    own = {"number_of_shards": _default("opensearch_shards"), "number_of_replicas": _default("opensearch_replicas")}
    settings = {"index": {**TEMPLATE["settings"]["index"], **own}}
    body = {
        "index_patterns": [f"{_default('index_name')}-*"],
        "template": {"settings": settings, "mappings": TEMPLATE["mappings"]},
    }
    return json.dumps(body, indent=2) + "\n"


GENERATED: dict[str, Callable[[], str]] = {
    "docs/configuration.md": settings_page,
    "docs/api.md": api_page,
    ".env.example": env_example,
    "infra/opensearch/atoms.json": opensearch_template,
    "infra/ops/index-template.json": lambda: operations.pretty(operations.index_template()),
    "infra/ops/retention.json": lambda: operations.pretty(operations.retention()),
    "infra/ops/monitors.json": lambda: operations.pretty(operations.monitors()),
    "infra/ops/dashboards.ndjson": operations.saved_objects,
    "infra/ops/grafana.json": lambda: operations.pretty(operations.grafana()),
}


def _default(field: str) -> object:
    return Settings.model_fields[field].default


def _heading(words: str) -> str:
    return f"# --- {words} ---\n"


def _entry(name: str, default: str, help_: str) -> str:
    told = textwrap.wrap(help_.replace("`", ""), 118, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*(f"# {line}" for line in told), f"#{name}={default}"]) + "\n"


if __name__ == "__main__":
    for name, make in GENERATED.items():
        path = ROOT / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(make(), encoding="utf-8")
