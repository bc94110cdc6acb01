"""What is made before a deployment's first start, and left alone at every other."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path

import pytest
import yaml
from lattice_worker.mounts import mounts
from lattice_worker.prepare import FOLDERS, prepare, spaces_in

SECRETS = ("redis/password", "qdrant/api_key", "qdrant-reader/read_only_api_key", "graph/token")


def prepared(root: Path) -> list[str]:
    (root / "secrets").mkdir(exist_ok=True)
    return prepare(root / "data", root / "secrets", os.getuid(), os.getgid())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_every_folder_is_there_and_the_owners_only(tmp_path: Path) -> None:
    prepared(tmp_path)
    for folder in (tmp_path / "data", *(tmp_path / "data" / name for name in FOLDERS)):
        assert (mode(folder), folder.stat().st_uid) == (0o700, os.getuid()), folder


def test_further_owners_have_folders_of_their_own_and_those_that_services_mount_are_among_them(tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    spaces = spaces_in("ada, ben")
    assert spaces == [Path("spaces/ben"), Path("spaces/shared")]
    prepare(tmp_path / "data", tmp_path / "secrets", os.getuid(), os.getgid(), spaces)
    services = yaml.safe_load(mounts(spaces))["services"]
    assert set(services) == {"api", "graph", "bot"}
    mounted = [volume.split(":/data/")[1] for service in services.values() for volume in service["volumes"]]
    assert len(mounted) == 2 * 5
    for name in ("spaces/ben", *(each.removesuffix(":ro") for each in mounted)):
        assert mode(tmp_path / "data" / name) == 0o700
    assert all(volume.endswith(":ro") for volume in services["graph"]["volumes"])
    assert spaces_in("") == []


def test_every_secret_is_made_of_256_bits_of_chance(tmp_path: Path) -> None:
    prepared(tmp_path)
    made = [(tmp_path / "secrets" / name).read_text() for name in SECRETS]
    assert len(set(made)) == len(made)
    assert all(len(secret) == 43 and not secret.endswith("\n") for secret in made)
    (tmp_path / "second").mkdir()
    prepared(tmp_path / "second")
    assert not set(made) & {(tmp_path / "second" / "secrets" / name).read_text() for name in SECRETS}


def test_what_is_there_stays_as_it_is(tmp_path: Path) -> None:
    assert len(prepared(tmp_path)) == 1 + len(FOLDERS) + len(SECRETS)
    (tmp_path / "data" / "atoms").chmod(0o750)
    before = {name: (tmp_path / "secrets" / name).read_text() for name in SECRETS}
    assert prepared(tmp_path) == []
    assert {name: (tmp_path / "secrets" / name).read_text() for name in SECRETS} == before
    assert mode(tmp_path / "data" / "atoms") == 0o750


def test_where_all_is_there_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full or a read-only disk a deployment's other containers start after this one."""
    prepared(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    for name in ("write_text", "mkdir", "chmod", "replace"):
        monkeypatch.setattr(Path, name, refuse)
    assert prepare(tmp_path / "data", tmp_path / "secrets", os.getuid(), os.getgid()) == []


def test_redis_knows_its_password_by_its_hash_and_refuses_what_hurts(tmp_path: Path) -> None:
    """docs/security-checks.md, S23."""
    prepared(tmp_path)
    rules = (tmp_path / "secrets" / "redis" / "users.acl").read_text()
    password = (tmp_path / "secrets" / "redis" / "password").read_text()
    assert password not in rules
    assert f"#{hashlib.sha256(password.encode()).hexdigest()}" in rules
    for command in ("config", "debug", "flushall", "module", "shutdown", "acl"):
        assert f"-{command}" in rules.split()
    assert rules.count("\n") == 1


def test_engines_of_other_users_can_read_their_secret_and_nobody_can_write_it(tmp_path: Path) -> None:
    prepared(tmp_path)
    for name in SECRETS:
        path = tmp_path / "secrets" / name
        assert (mode(path), mode(path.parent)) == (0o444, 0o755)
    assert not list((tmp_path / "secrets").rglob("*.new"))


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give folders away")
def test_a_folder_that_the_engine_made_as_root_becomes_the_owners(tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "data" / "journal").mkdir(parents=True)
    prepare(tmp_path / "data", tmp_path / "secrets", 12345, 12346)
    for folder in (tmp_path / "data", tmp_path / "data" / "journal"):
        assert (folder.stat().st_uid, folder.stat().st_gid, mode(folder)) == (12345, 12346, 0o700)
