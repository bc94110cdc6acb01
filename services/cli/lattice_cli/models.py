"""`lattice fetch` and `calibrate`: other models than the packaged one."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer


def fetch(
    name: Annotated[str, typer.Argument(help="An embedding model's or a reranker's name, as fastembed has it.")],
) -> None:
    """Download a model that fastembed knows. Nothing is ever downloaded but by this command.

    Example: lattice fetch sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2
    """
    from lattice_common.adapters.models.fetch_model import fetch_model

    kind = fetch_model(name)
    setting = "LATTICE_EMBED_MODEL" if kind == "embedding model" else "LATTICE_RERANK_MODEL"
    sys.stdout.write(f"The {kind} is here. To use it, put {setting}={name} into .env and start Lattice again.\n")


def calibrate(as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """See whether ranking and thresholds hold on your own memory with the embedding model in use. Changes nothing.

    Examples: lattice calibrate · lattice calibrate --json | jq .found
    """
    from lattice_common.inspection import calibrated
    from lattice_common.logs import configure
    from lattice_common.settings import Settings

    from lattice_cli.terminal import Steps

    settings = Settings()
    configure("warning", json=settings.log_json)
    with Steps() as steps:
        found = calibrated(settings, steps.count)
    if as_json:
        sys.stdout.write(json.dumps(asdict(found), ensure_ascii=False, indent=2) + "\n")
        return
    lines = [
        f"{found.asked} memories asked for by half of their words, with {found.model_id}:",
        f"  found first {found.found_first:.0%}, among the first ten {found.found:.0%}; held to be unknown {found.refused:.0%}",
        f"  of questions that nothing answers, answered all the same: {found.answered:.0%}",
    ]
    names = ("duplicate", "updates", "related")
    changed = [name for name in names if abs(getattr(found.used, name) - getattr(found.advised, name)) >= 0.02]
    if changed:
        lines.append("This model's cosines are others than the packaged one's. For .env:")
        lines += [f"  LATTICE_SIMILARITY_{name.upper()}={getattr(found.advised, name):.2f}" for name in changed]
    else:
        lines.append("The thresholds of similarity suit this model.")
    sys.stdout.write("\n".join(lines) + "\n")
