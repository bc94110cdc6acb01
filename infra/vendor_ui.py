"""Fetch the page's few libraries and keep them beside it, pinned.

The page has no build step and asks no other host for anything, so what it uses is committed under `ui/vendor/`. The lock names
each package with its version and the integrity of its archive, and each file with its hash. Bare imports (`lit-html`) become
relative ones, because a browser resolves them only through an inline import map, which the content security policy forbids;
source map comments go, because the maps are not shipped. Nothing else is changed.

    python infra/vendor_ui.py           fetch with npm, check, write the files and their hashes into the lock
    python infra/vendor_ui.py --check   compare the committed files with the lock; needs no network (the test suite does it too)
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "infra" / "vendor_ui.lock.json"
VENDOR = ROOT / "services" / "api" / "lattice_api" / "ui" / "vendor"

_IMPORT = re.compile(r"""(?P<before>\bfrom|\bimport)(?P<quote>["'])(?P<name>[^"'./][^"']*)(?P=quote)""")
_SOURCE_MAP = re.compile(r"\n?//# sourceMappingURL=\S+\s*$")


def archive_of(name: str, version: str, integrity: str, folder: Path) -> Path:
    """The package's archive, fetched by npm from whatever registry it is set up for.

    Raises `SystemExit` when its hash is not the locked one.
    """
    done = subprocess.run(  # noqa: S603  the arguments come from the lock
        ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(folder), f"{name}@{version}"],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    )
    archive = folder / done.stdout.strip().splitlines()[-1]
    algorithm, expected = integrity.split("-", 1)
    actual = base64.b64encode(hashlib.new(algorithm, archive.read_bytes()).digest()).decode()
    if actual != expected:
        raise SystemExit(
            f"{name} {version} is not what was locked: its archive has {algorithm}-{actual}. If the new one is wanted, look at "
            f"what changed and put this hash into {LOCK.name}."
        )
    return archive


def member(archive: Path, path: str) -> bytes:
    """One file of the archive, by its path inside the package."""
    with tarfile.open(archive) as tar:
        extracted = tar.extractfile(f"package/{path}")
        if extracted is None:
            raise SystemExit(f"{archive.name} has no file {path}: correct `files` in {LOCK.name}.")
        return extracted.read()


def relative_imports(code: str, target: str, addresses: dict[str, str]) -> str:
    """`code` with bare imports turned into paths relative to `target`; `addresses` says where each bare name was put."""

    def rewrite(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in addresses:
            raise SystemExit(f"{target} imports {name}, which is not among the vendored files: add it to {LOCK.name}.")
        path = posixpath.relpath(addresses[name], posixpath.dirname(target))
        return f"{match['before']}{match['quote']}{path if path.startswith('.') else './' + path}{match['quote']}"

    return _SOURCE_MAP.sub("\n", _IMPORT.sub(rewrite, code))


def fetch(lock: dict[str, Any]) -> None:
    """Write every vendored file and its hash. `files` maps a path in the package to one under `ui/vendor/`."""
    addresses: dict[str, str] = lock["imports"]
    with tempfile.TemporaryDirectory() as folder:
        for package in lock["packages"]:
            archive = archive_of(package["name"], package["version"], package["integrity"], Path(folder))
            for path, target in package["files"].items():
                content = member(archive, path)
                if target.endswith(".js"):
                    content = relative_imports(content.decode(), target, addresses).encode()
                (VENDOR / target).parent.mkdir(parents=True, exist_ok=True)
                (VENDOR / target).write_bytes(content)
                lock["hashes"][target] = hashlib.sha256(content).hexdigest()
    LOCK.write_text(json.dumps(lock, indent=2) + "\n", encoding="utf-8")


def differences() -> list[str]:
    """What in `ui/vendor/` is not as the lock says, one sentence each; empty when all is well."""
    hashes: dict[str, str] = json.loads(LOCK.read_text(encoding="utf-8"))["hashes"]
    there = {path.relative_to(VENDOR).as_posix(): path for path in VENDOR.rglob("*") if path.is_file()}
    found = [f"{name} is not in the lock" for name in sorted(there.keys() - hashes.keys())]
    found += [f"{name} is missing" for name in sorted(hashes.keys() - there.keys())]
    for name in sorted(there.keys() & hashes.keys()):
        if hashlib.sha256(there[name].read_bytes()).hexdigest() != hashes[name]:
            found.append(f"{name} was changed")
    return found


def main() -> None:
    if "--check" not in sys.argv[1:]:
        fetch(json.loads(LOCK.read_text(encoding="utf-8")))
    found = differences()
    if found:
        raise SystemExit("\n".join([*found, "Run `python infra/vendor_ui.py` to fetch what is locked."]))


if __name__ == "__main__":
    main()
