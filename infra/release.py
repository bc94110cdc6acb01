"""A release: `make release KEY=~/.ssh/id_ed25519` puts it into build/release/lattice-VERSION, and `--verify` checks one.

    lattice-VERSION.tar.gz        the sources of the commit, the same bytes from the same commit
    lattice-IMAGE.cdx.json        the parts of each image (CycloneDX)
    compose.digests.yml           the images of others, by digest
    SHA256SUMS, SHA256SUMS.sig    of all of these, signed with an SSH key (`ssh-keygen -Y sign`), as git signs tags

It stops for a tree that differs from its commit, a digest that is missing, and a list of parts that its schema refuses. Who
verifies needs `ssh-keygen` and the file of the signers they trust (a line `PRINCIPAL KEY`, as for git).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs

from infra import digests, sbom
from infra.parts import ROOT

FOLDER = ROOT / "build" / "release"
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
NAMESPACE = "lattice-release"
"""What a signature is for: one made for anything else does not count."""


class NotValid(Exception):
    """What is wrong with a release, in words."""


def make(folder: Path, version: str, key: Path, root: Path = ROOT) -> Path:
    """Write and sign the release of the commit that is checked out; return its folder. Raises `NotValid`, `OSError`."""
    changed = _run("git", "status", "--porcelain", cwd=root).strip()
    if changed:
        raise NotValid(f"{root} differs from its commit: commit or stash first\n{changed}")
    release = folder / f"lattice-{version}"
    if release.exists():
        raise NotValid(f"{release} is there already: a release is made once; remove it to make it anew")
    release.mkdir(parents=True)
    archive = release / f"lattice-{version}.tar.gz"
    _run("git", "archive", "--format=tar.gz", f"--prefix=lattice-{version}/", f"--output={archive}", "HEAD", cwd=root)
    for bill in sbom.write(release, version):
        valid_bill(bill)
    shutil.copy(digests.INFRA / digests.FILE, release)
    (release / SUMS).write_text("".join(f"{_sum(path)}  {path.name}\n" for path in sorted(release.iterdir())), encoding="ascii")
    _run("ssh-keygen", "-Y", "sign", "-q", "-n", NAMESPACE, "-f", str(key), str(release / SUMS))
    return release


def verify(release: Path, signers: Path) -> list[str]:
    """Return the names of the files that are as they were signed, by one of the signers. Raises `NotValid`, `OSError`."""
    sums = (release / SUMS).read_bytes()
    principal = _run("ssh-keygen", "-Y", "find-principals", "-f", str(signers), "-s", str(release / SIGNATURE)).strip()
    command = ["-Y", "verify", "-f", str(signers), "-I", principal, "-n", NAMESPACE, "-s", str(release / SIGNATURE)]
    _run("ssh-keygen", *command, given=sums)
    listed = dict(line.split("  ", 1)[::-1] for line in sums.decode("ascii").splitlines())
    there = {path.name for path in release.iterdir()} - {SUMS, SIGNATURE}
    for name in sorted(there ^ set(listed)):
        raise NotValid(f"{name} is {'not signed for' if name in there else 'missing'}")
    for name, expected in listed.items():
        if _sum(release / name) != expected:
            raise NotValid(f"{name} is not what was signed")
        if name.endswith(".cdx.json"):
            valid_bill(release / name)
    return sorted(listed)


def valid_bill(path: Path) -> None:
    try:
        _schema().validate(json.loads(path.read_bytes()))
    except (jsonschema_rs.ValidationError, ValueError) as error:
        why = str(error).partition("\n")[0]
        raise NotValid(f"{path.name} is no list of parts that CycloneDX 1.5 allows: {why}") from error


@cache
def _schema() -> Any:
    """The validator of CycloneDX 1.5, with what its schema refers to."""
    folder = files("cyclonedx") / "schema" / "_res"
    bom, *others = (
        json.loads((folder / f"{name}.SNAPSHOT.schema.json").read_text(encoding="utf-8"))
        for name in ("bom-1.5", "spdx", "jsf-0.82")
    )
    named = ("spdx.SNAPSHOT.schema.json", "jsf-0.82.SNAPSHOT.schema.json")
    registry = jsonschema_rs.Registry(
        [(f"http://cyclonedx.org/schema/{name}", each) for name, each in zip(named, others, strict=True)]
    )
    return jsonschema_rs.validator_for(bom, registry=registry, validate_formats=True)


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run(program: str, *arguments: str, cwd: Path | None = None, given: bytes | None = None) -> str:
    done = subprocess.run([program, *arguments], cwd=cwd, input=given, capture_output=True, check=False)  # noqa: S603 - no shell
    if done.returncode:
        raise NotValid(f"{program} {arguments[0]} {arguments[1]}: {(done.stderr or done.stdout).decode().strip()}")
    return done.stdout.decode()


def main(arguments: Sequence[str] | None = None, infra: Path = digests.INFRA) -> None:
    """Make a release, or check one. Ends with a sentence where it does not hold."""
    from lattice_common import __version__

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--key", type=Path, help="an SSH key to sign with")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--verify", type=Path, metavar="RELEASE", help="check this folder instead")
    parser.add_argument("--signers", type=Path, help="whose signatures count: lines of `PRINCIPAL KEY`")
    given = parser.parse_args(arguments)
    try:
        if given.verify is not None:
            if given.signers is None:
                parser.error("--verify needs --signers")
            sys.stdout.write("".join(f"{name}: as it was signed\n" for name in verify(given.verify, given.signers)))
            return
        if given.key is None:
            parser.error("a release is signed: give --key")
        digests.main(["--check"], infra)
        sys.stdout.write(f"{make(given.folder, __version__, given.key)}\n")
    except (NotValid, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
