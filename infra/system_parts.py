"""What the system of an image is made of: the packages of Debian that its base brings and that infra/Dockerfile may add.

They are read off the built image, for no file of ours says which versions a base has. Debian's advisories speak of source
packages: one stands for all that were built of it.
"""

from __future__ import annotations

import re
import shutil
import subprocess

from debian_inspector.debcon import get_paragraphs_data

from infra.parts import Part

STATUS = "/var/lib/dpkg/status"
RELEASE = "/etc/os-release"
_PATIENCE = 120.0


class NoSystem(Exception):
    """Nothing can be said of an image's system; why, in words."""


def system_parts(status: str, release: str) -> list[Part]:
    """Return the source packages of what is installed, by the contents of dpkg's status file and of os-release.

    Raises `NoSystem` where it is no Debian.
    """
    named = dict(re.findall(r'^(ID|VERSION_ID)="?([^"\n]*)"?$', release, re.MULTILINE))
    if named.get("ID") != "debian" or not named.get("VERSION_ID"):
        raise NoSystem(f"it is no release of Debian but {named.get('ID') or 'unnamed'}")
    ecosystem = f"Debian:{named['VERSION_ID']}"
    found = {}
    for each in get_paragraphs_data(status):
        if each.get("status", "").split()[-1:] == ["installed"]:
            part = Part(ecosystem, *_source(each), ())
            found[part.name, part.version] = part
    return [found[key] for key in sorted(found)]


def _source(package: dict[str, str]) -> tuple[str, str]:
    """Name and version of the source: `Source: glibc (2.41-12)`, without what is as in the package itself."""
    name, _, version = package.get("source", package["package"]).partition(" ")
    return name, version.strip("()") or package["version"]


def system_of(image: str) -> list[Part]:
    """Return the same of an image that is on this machine, without a network and without starting what it is for.

    Raises `NoSystem`: no Docker, no such image, nothing in it that could be read.
    """
    docker = shutil.which("docker")
    if docker is None:
        raise NoSystem("there is no docker here to look into it")
    contents = []
    for file in (STATUS, RELEASE):
        command = [docker, "run", "--rm", "--pull=never", "--network=none", "--entrypoint", "cat", image, file]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=True)  # noqa: S603 - no shell, names of our own
        except subprocess.CalledProcessError as error:
            why = error.stderr.strip().partition("\n")[0]
            raise NoSystem(why or f"docker ended with {error.returncode}") from error
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoSystem(str(error)) from error
        contents.append(done.stdout)
    return system_parts(*contents)
