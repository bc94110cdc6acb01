"""A release can be checked by whoever has it: by its signature, its sums and the schema of its lists of parts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from infra import release
from infra.parts import IMAGES, ROOT

pytestmark = pytest.mark.lengthy

if shutil.which("ssh-keygen") is None:
    pytest.skip("ssh-keygen is not installed: nothing can be signed", allow_module_level=True)


def key_in(folder: Path, name: str) -> Path:
    path = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path], check=True)
    return path


def signers(folder: Path, *keys: Path) -> Path:
    path = folder / "signers"
    path.write_text("".join(f"{key.name}@lattice.example {key.with_suffix('.pub').read_text()}" for key in keys))
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A release of a small tree, and the key that it was signed with."""
    folder = tmp_path_factory.mktemp("release")
    tree, key = folder / "tree", key_in(folder, "ada")
    tree.mkdir()
    (tree / "README.md").write_text("Lattice\n")
    settings = ["-c", "user.name=Ada", "-c", "user.email=ada@lattice.example"]
    for command in (["init", "-q"], ["add", "."], [*settings, "commit", "-qm", "One"]):
        subprocess.run(["git", *command], cwd=tree, check=True)
    return release.make(folder / "out", "0.1.0", key, tree), key


def copied(made: tuple[Path, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(made[0], tmp_path / "copy"))


def test_a_release_has_its_sources_and_lists_of_parts_and_is_as_it_was_signed(made: tuple[Path, Path], tmp_path: Path) -> None:
    names = release.verify(made[0], signers(tmp_path, made[1]))
    assert names == sorted(["compose.digests.yml", "lattice-0.1.0.tar.gz", *(f"lattice-{image}.cdx.json" for image in IMAGES)])


@pytest.mark.parametrize("name", ["lattice-0.1.0.tar.gz", "lattice-api.cdx.json", "SHA256SUMS", "SHA256SUMS.sig"])
def test_one_byte_more_is_noticed_wherever_it_is(made: tuple[Path, Path], tmp_path: Path, name: str) -> None:
    changed = copied(made, tmp_path)
    content = bytearray((changed / name).read_bytes())
    content[len(content) // 2] ^= 1
    (changed / name).write_bytes(content)
    with pytest.raises(release.NotValid):
        release.verify(changed, signers(tmp_path, made[1]))


def test_what_was_added_or_taken_away_is_named(made: tuple[Path, Path], tmp_path: Path) -> None:
    changed = copied(made, tmp_path)
    (changed / "more.txt").touch()
    with pytest.raises(release.NotValid, match=r"more\.txt is not signed for"):
        release.verify(changed, signers(tmp_path, made[1]))
    (changed / "more.txt").unlink()
    (changed / "lattice-bot.cdx.json").unlink()
    with pytest.raises(release.NotValid, match=r"lattice-bot\.cdx\.json is missing"):
        release.verify(changed, signers(tmp_path, made[1]))


def test_a_signature_of_somebody_else_or_for_something_else_does_not_count(made: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(release.NotValid):
        release.verify(made[0], signers(tmp_path, key_in(tmp_path, "mallory")))
    changed = copied(made, tmp_path)
    (changed / release.SIGNATURE).unlink()
    subprocess.run(["ssh-keygen", "-Y", "sign", "-q", "-n", "file", "-f", made[1], changed / release.SUMS], check=True)
    with pytest.raises(release.NotValid):
        release.verify(changed, signers(tmp_path, made[1]))


def test_a_list_of_parts_that_the_schema_refuses_is_no_release(tmp_path: Path) -> None:
    bill = tmp_path / "lattice-api.cdx.json"
    bill.write_text('{"bomFormat": "CycloneDX", "specVersion": "1.5", "components": [{"name": "x"}]}')
    with pytest.raises(release.NotValid, match="no list of parts"):
        release.valid_bill(bill)


def test_what_is_not_committed_is_not_released_and_a_release_is_made_once(made: tuple[Path, Path]) -> None:
    tree = made[0].parent.parent / "tree"
    with pytest.raises(release.NotValid, match="is there already"):
        release.make(made[0].parent, "0.1.0", made[1], tree)
    (tree / "new.txt").touch()
    with pytest.raises(release.NotValid, match=r"new\.txt"):
        release.make(made[0].parent, "0.2.0", made[1], tree)
    (tree / "new.txt").unlink()


def test_a_release_without_a_key_is_refused_and_one_without_digests_too(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        release.main([])
    with pytest.raises(SystemExit, match="No digest is known"):
        release.main(["--key", str(tmp_path / "key")], tmp_path)


def test_the_same_commit_makes_the_same_bytes(made: tuple[Path, Path], tmp_path: Path) -> None:
    again = release.make(tmp_path, "0.1.0", made[1], made[0].parent.parent / "tree")
    assert (again / release.SUMS).read_bytes() == (made[0] / release.SUMS).read_bytes()
    assert ROOT not in again.parents
