"""The digest of every image of others: `python -m infra.digests` (or `make digests`) asks the registries and writes them down.

A tag can be moved to another image, a digest cannot. infra/Dockerfile names the base of our own images by both, and
infra/compose.digests.yml, which is used beside docker-compose.yml (docs/operations.md), each engine. Both are written where a
registry can be reached; `--check` asks nobody, and fails where a digest is missing or of another version than is used.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from infra.parts import ROOT, base, engines

INFRA = ROOT / "infra"
FILE, DOCKERFILE = "compose.digests.yml", "Dockerfile"
"""Where digests are written down: those of the engines, and that of the base."""
KINDS = (
    "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, "
    "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json"
)
HUB = "https://registry-1.docker.io"
HEAD = """\
# The images of docker-compose.yml by the digests of their lists over all platforms, as the registries told `make digests`.
# Used beside docker-compose.yml (docs/operations.md).
services:
"""


def place_of(image: str, registry: str | None = None) -> tuple[str, str, str]:
    """Registry, repository and tag of an image's name."""
    name, _, tag = image.partition("@")[0].rpartition(":")
    first, slash, rest = name.partition("/")
    if slash and ("." in first or ":" in first):
        return registry or f"https://{first}", rest, tag
    return registry or HUB, name if slash else f"library/{name}", tag


def digest_of(image: str, registry: str | None = None) -> str:
    """What the registry says that a tag is now: the digest of the list over all platforms, where it is one, checked against what
    it answers. Raises `OSError`."""
    host, repository, tag = place_of(image, registry)
    address = f"{host}/v2/{repository}/manifests/{tag}"
    headers = {"Accept": KINDS}
    try:
        content, told = _get(address, headers)
    except urllib.error.HTTPError as error:
        if error.code != 401:
            raise
        content, told = _get(address, headers | {"Authorization": f"Bearer {_token(error.headers['WWW-Authenticate'])}"})
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    if told is not None and told != digest:
        raise OSError(f"{host} says that {image} is {told}, and what it sends is {digest}")
    return digest


def _get(address: str, headers: dict[str, str]) -> tuple[bytes, str | None]:
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - https, or a registry that was named by hand
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - the same
        return answer.read(), answer.headers.get("Docker-Content-Digest")


def _token(asked: str) -> str:
    """What everybody may read is given to everybody who asks for a token."""
    fields = dict(re.findall(r'(\w+)="([^"]*)"', asked))
    query = urllib.parse.urlencode({name: fields[name] for name in ("service", "scope") if name in fields})
    content, _ = _get(f"{fields['realm']}?{query}", {})
    answer: dict[str, str] = json.loads(content)
    return answer.get("token") or answer["access_token"]


def known(folder: Path = INFRA) -> dict[str, str]:
    """Digests by image, as they were written down."""
    files = [folder / name for name in (DOCKERFILE, FILE)]
    texts = [file.read_text(encoding="utf-8") for file in files if file.exists()]
    return dict(re.findall(r"([^\s\"=]+)@(sha256:[0-9a-f]{64})", "\n".join(texts)))


def write(found: dict[str, str], folder: Path) -> None:
    """Write that of the base into the Dockerfile, and those of the engines into `compose.digests.yml`."""
    text = (folder / DOCKERFILE).read_text(encoding="utf-8")
    named = re.sub(r"^ARG PYTHON=\S+", f"ARG PYTHON={base()}@{found[base()]}", text, count=1, flags=re.MULTILINE)
    (folder / DOCKERFILE).write_text(named, encoding="utf-8")
    lines = [f'  {name}: {{image: "{image}@{found[image]}"}}\n' for name, image in engines().items()]
    (folder / FILE).write_text("".join([HEAD, *lines]), encoding="utf-8")


def wanted() -> list[str]:
    return list(dict.fromkeys([base(), *engines().values()]))


def main(arguments: Sequence[str] | None = None, folder: Path = INFRA) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="ask nobody; fail where a digest is missing")
    parser.add_argument("--registry", help="ask this one, whatever an image's name says (a mirror)")
    given = parser.parse_args(arguments)
    if given.check:
        missing = [image for image in wanted() if image not in known(folder)]
        if missing:
            sys.exit(f"No digest is known of {', '.join(missing)}: run `make digests` where the registries can be reached.")
        return
    try:
        found = {image: digest_of(image, given.registry) for image in wanted()}
    except OSError as error:
        sys.exit(f"A registry could not be asked ({error}): nothing was written. Run it where it can be reached.")
    write(found, folder)
    sys.stdout.write("".join(f"{image} is {digest}\n" for image, digest in found.items()))


if __name__ == "__main__":
    main()
