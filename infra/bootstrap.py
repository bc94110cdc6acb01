"""Finds or fetches uv, and prints where it is. Needs nothing but Python's standard library.

Debian splits pip and ensurepip from Python, so a machine with only Python may have neither. In order: a uv on the PATH, the one
fetched before, one installed by pip, and at last uv's wheel from the package index, both checked against the hashes pinned here.
"""

from __future__ import annotations

import hashlib
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

VERSION = "0.13.8"
INDEX = os.environ.get("UV_DEFAULT_INDEX") or os.environ.get("PIP_INDEX_URL") or "https://pypi.org/simple"
FOLDER = Path(__file__).resolve().parent.parent / ".venv-uv"
PINNED = {
    "manylinux_2_28_aarch64": "5337c30bb893b4f9ce0ceb921ba2da0d13f649da644f40ad3bef84083bef0203",
    "manylinux_2_17_x86_64.manylinux2014_x86_64": "e18a57b8b352eb7c8feb317b9f6f533c8f0ad9673fd6cf34bbe3cf1a9f6a8984",
    "macosx_11_0_arm64": "62b6943c7fd64fac6854f780bea6e0359e5a5bc3241f83ee357bb38276afac49",
    "macosx_10_12_x86_64": "b7124ca1956ec2e476a1003ea5715a15f0266afaec37f4dc9c6972ba8183e6d1",
}
"""SHA-256 of the wheels of `VERSION`, as the index published them."""

WHEELS = {
    ("Linux", "x86_64"): "manylinux_2_17_x86_64.manylinux2014_x86_64",
    ("Linux", "aarch64"): "manylinux_2_28_aarch64",
    ("Darwin", "arm64"): "macosx_11_0_arm64",
    ("Darwin", "x86_64"): "macosx_10_12_x86_64",
}


def main() -> None:
    if sys.version_info < (3, 11):
        sys.exit(
            f"Lattice needs Python 3.11 or newer; this is {platform.python_version()}. Install a newer one and run make again."
        )
    found = shutil.which("uv") or fetched()
    if not found:
        say(f"fetching uv {VERSION} ...")
        if not with_pip():
            from_index()
        found = fetched()
    if not found:
        sys.exit("uv could not be fetched: is the package index reachable? Install uv yourself and run make again.")
    print(found)


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def fetched() -> str | None:
    for place in (FOLDER / "bin" / "uv", FOLDER / "uv"):
        if place.exists():
            return str(place)
    return None


def with_pip() -> bool:
    """By the same hashes: what the index gives under that name and version alone is not enough."""
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "uv.txt"
        pinned.write_text(f"uv=={VERSION} {' '.join(f'--hash=sha256:{each}' for each in PINNED.values())}\n", encoding="ascii")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
        command += ["--target", str(FOLDER), "--requirement", str(pinned)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0 and fetched() is not None


def from_index() -> None:
    tag = WHEELS.get((platform.system(), platform.machine()))
    if tag is None:
        sys.exit(f"There is no pinned uv for {platform.system()} {platform.machine()}. Install uv yourself and run make again.")
    name = f"uv-{VERSION}-py3-none-{tag}.whl"
    page = f"{INDEX.rstrip('/')}/uv/"
    with urllib.request.urlopen(page, timeout=60) as answer:
        listing = answer.read().decode()
    link = re.search(rf'href="([^"#]*{re.escape(name)})', listing)
    if link is None:
        sys.exit(f"The package index has no {name}. Install uv yourself and run make again.")
    with urllib.request.urlopen(urllib.parse.urljoin(page, link.group(1)), timeout=300) as answer:
        wheel = answer.read()
    if hashlib.sha256(wheel).hexdigest() != PINNED[tag]:
        sys.exit(f"{name} is not the file that is pinned in infra/bootstrap.py. Nothing was installed.")
    member = f"uv-{VERSION}.data/scripts/uv"
    FOLDER.mkdir(exist_ok=True)
    target = FOLDER / "uv"
    target.write_bytes(zipfile.ZipFile(io.BytesIO(wheel)).read(member))
    target.chmod(0o755)


if __name__ == "__main__":
    main()
