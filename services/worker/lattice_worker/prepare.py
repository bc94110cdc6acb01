"""Prepares what the services of a deployment need to start: folders, their owner, and generated secrets.

Runs once before each start, as root, in a container of its own (`python -m lattice_worker.prepare`). Existing files stay as they
are, and where nothing is missing nothing is written, so that the API also starts on a full or a read-only disk. Secrets are in a
volume for each engine, so that no engine sees another's; Qdrant's key for readers is in one by itself, so that the API, which
only reads, does not get the other.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from lattice_common.domain.space import SPACES_FOLDER
from lattice_common.errors import NotConfigured
from lattice_common.settings import Settings
from lattice_common.spaces import spaces_of

FOLDERS = ("journal", "atoms", "archive", "trash", "graph", "index", "inbox", "logs", "access", "bot")
"""All folders that services mount of the data folder; a mount needs its folder to exist."""

FORBIDDEN = "-config -debug -flushall -flushdb -module -shutdown -acl -replicaof -slaveof -monitor -failover -save -bgsave -keys"
"""Redis commands that the services never use, and that would do harm."""


OF_A_SPACE = tuple(name for name in FOLDERS if name not in ("access", "bot"))
"""The folders of a further owner's memory: tokens are kept with the first owner's, and the bot is one for all."""


def spaces_in(names: str) -> list[Path]:
    """Return the folders of further owners' memories, and of the one that all share, in a data folder: for `LATTICE_OWNERS`."""
    return [Path(SPACES_FOLDER, space.name) for space in spaces_of(Settings(owners=names))[1:]]


def prepare(data: Path, secrets_folder: Path, owner: int, group: int, spaces: Sequence[Path] = ()) -> list[str]:
    """Make what is missing; what was made, in words."""
    made: list[str] = []
    further = [Path(SPACES_FOLDER)] if spaces else []
    further += [folder for space in spaces for folder in (space, *(space / name for name in OF_A_SPACE))]
    for folder in (data, *(data / name for name in FOLDERS), *(data / each for each in further)):
        if not folder.exists():
            folder.mkdir(mode=0o700)
            made.append(f"the folder {folder}")
        if folder.stat().st_uid == 0 != owner:  # the engine that mounts it made it, as root
            os.chown(folder, owner, group)
            folder.chmod(0o700)
    password = _secret(secrets_folder / "redis" / "password", made)
    hashed = hashlib.sha256(password.encode()).hexdigest()
    rules = f"user default on #{hashed} ~* &* +@all {FORBIDDEN}\n"
    acl = secrets_folder / "redis" / "users.acl"
    if not acl.exists() or acl.read_text(encoding="ascii") != rules:
        _write(acl, rules)
    _secret(secrets_folder / "qdrant" / "api_key", made)
    _secret(secrets_folder / "qdrant-reader" / "read_only_api_key", made)
    _secret(secrets_folder / "graph" / "token", made)
    return made


def _secret(path: Path, made: list[str]) -> str:
    """Return a secret of 256 random bits, made once."""
    if not path.exists():
        _write(path, secrets.token_urlsafe(32))
        made.append(f"the secret {path.parent.name}/{path.name}")
    return path.read_text(encoding="ascii")


def _write(path: Path, content: str) -> None:
    """Write a file readable by everybody with the volume: services and engines run as different users."""
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o755)
    path.with_suffix(".new").write_text(content, encoding="ascii")
    path.with_suffix(".new").chmod(0o444)
    path.with_suffix(".new").replace(path)


def main() -> None:
    owner, group = (int(os.environ.get(name, "1000")) for name in ("PUID", "PGID"))
    try:
        spaces = spaces_in(os.environ.get("LATTICE_OWNERS", ""))
    except NotConfigured as error:
        sys.exit(str(error))
    for each in prepare(Path("/data"), Path("/secrets"), owner, group, spaces):
        sys.stdout.write(f"made {each}\n")


if __name__ == "__main__":
    main()
