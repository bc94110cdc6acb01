"""A list of the parts of every image, in CycloneDX 1.5: `python -m infra.sbom` (or `make sbom`) writes build/sbom/IMAGE.cdx.json.

The same sources make the same bytes, whenever and wherever: the serial number is made of the parts, and the time is that of the
last commit (or SOURCE_DATE_EPOCH). docs/operations.md says how a release signs them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infra import digests
from infra.parts import IMAGES, ROOT, Part, base, parts_of

FOLDER = ROOT / "build" / "sbom"
OURS = uuid.UUID("1c0a4a62-58f0-4d0e-9d5b-6a2f9f6b5d11")
"""The name space of our serial numbers."""


def made_at() -> str:
    """When what is described was made."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        command = ["git", "log", "-1", "--format=%ct"]
        epoch = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603 - no shell, no argument of others
    return datetime.fromtimestamp(int(epoch), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def bill_of(target: str, version: str) -> dict[str, Any]:
    """The bill of materials of an image."""
    digest = digests.known().get(base())
    under = Part("OCI", base().partition(":")[0], digest or base().partition(":")[2], ())
    parts = [under, *parts_of(target)]
    named = {
        "type": "container",
        "bom-ref": f"lattice-{target}@{version}",
        "name": f"lattice-{target}",
        "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(OURS, json.dumps([target, version, [part.purl for part in parts]]))}",
        "version": 1,
        "metadata": {"timestamp": made_at(), "component": named},
        "components": [_component(part) for part in parts],
        "dependencies": [{"ref": named["bom-ref"], "dependsOn": [part.purl for part in parts]}],
    }


def _component(part: Part) -> dict[str, Any]:
    described: dict[str, Any] = {
        "type": "container" if part.ecosystem == "OCI" else "library",
        "bom-ref": part.purl,
        "name": part.name,
        "version": part.version,
        "purl": part.purl,
    }
    # One hash says what a part is; a package with a wheel for each system has several files, each with its own.
    if part.hashes:
        described["externalReferences"] = [
            {"type": "distribution", "url": part.purl, "hashes": [{"alg": alg, "content": value}]} for alg, value in part.hashes
        ]
    return described


def write(folder: Path, version: str, images: Sequence[str] = IMAGES) -> list[Path]:
    """A file for each image; where they are."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for image in images:
        path = folder / f"lattice-{image}.cdx.json"
        path.write_text(json.dumps(bill_of(image, version), indent=1, sort_keys=True) + "\n", encoding="utf-8")
        written.append(path)
    return written


def main() -> None:
    from lattice_common import __version__

    for path in write(FOLDER, __version__):
        sys.stdout.write(f"{path.relative_to(ROOT)}: {len(json.loads(path.read_text())['components'])} parts\n")


if __name__ == "__main__":
    main()
