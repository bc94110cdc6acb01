"""What is shipped, pinned and known: images by digest, lists of parts, vulnerabilities (docs/security-checks.md, S28 to S30)."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra import digests, parts, sbom, system_parts, vulnerabilities
from infra.parts import IMAGES, ROOT, Part

pytestmark = pytest.mark.lengthy

TODAY = date(2026, 11, 22)
LEFT_PAD = Part("PyPI", "left-pad", "1.4.0", ())


class Registry(BaseHTTPRequestHandler):
    """As a public registry answers somebody it does not know: first with where to ask for a token."""

    def do_GET(self) -> None:
        if self.path.startswith("/token"):
            self._answer(200, json.dumps({"token": "everybody's"}).encode())
        elif self.headers.get("Authorization") != "Bearer everybody's":
            here = f"http://{self.headers['Host']}/token"
            self._answer(401, b"", {"WWW-Authenticate": f'Bearer realm="{here}",service="registry",scope="repository:x:pull"'})
        else:
            self._answer(200, self.path.encode(), {"Docker-Content-Digest": self.server.digest(self.path)})  # type: ignore[attr-defined]

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def registry(digest: Any = lambda path: f"sha256:{hashlib.sha256(path.encode()).hexdigest()}") -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    server.digest = digest  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    """Copies of the files in which digests are written down."""
    for name in (digests.FILE, digests.DOCKERFILE):
        shutil.copy(digests.INFRA / name, tmp_path)
    return tmp_path


def test_every_image_of_others_is_named_by_its_digest_once_a_registry_was_asked(pins: Path) -> None:
    with registry() as address:
        digests.main(["--registry", address], pins)
    services: dict[str, Any] = yaml.safe_load((pins / "compose.digests.yml").read_text())["services"]
    assert {name: each["image"].partition("@")[0] for name, each in services.items()} == parts.engines()
    of_the_base = f"sha256:{hashlib.sha256(b'/v2/library/python/manifests/3.13-slim').hexdigest()}"
    assert f"\nARG PYTHON=python:3.13-slim@{of_the_base}\n" in (pins / "Dockerfile").read_text()
    assert set(digests.known(pins)) == set(digests.wanted())
    assert all(re.fullmatch("sha256:[0-9a-f]{64}", each) for each in digests.known(pins).values())
    digests.main(["--check"], pins)


def test_a_digest_that_is_not_of_what_was_sent_is_not_believed() -> None:
    with registry(lambda _: f"sha256:{'0' * 64}") as address, pytest.raises(OSError, match="what it sends is"):
        digests.digest_of("redis:8.6.3", address)


@pytest.mark.parametrize(
    ("image", "place"),
    [
        ("redis:8.6.3", ("https://registry-1.docker.io", "library/redis", "8.6.3")),
        ("qdrant/qdrant:v1.19.0", ("https://registry-1.docker.io", "qdrant/qdrant", "v1.19.0")),
        ("ghcr.example/a/b:1@sha256:00", ("https://ghcr.example", "a/b", "1")),
    ],
)
def test_a_registry_is_found_by_the_name_of_the_image(image: str, place: tuple[str, str, str]) -> None:
    assert digests.place_of(image) == place


def test_without_a_registry_nothing_is_written_and_a_release_is_stopped(
    pins: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    before = {path.name: path.read_bytes() for path in pins.iterdir()}
    with pytest.raises(SystemExit, match="could not be asked"):
        digests.main(["--registry", "http://127.0.0.1:1"], pins)
    assert {path.name: path.read_bytes() for path in pins.iterdir()} == before
    with pytest.raises(SystemExit, match="No digest is known of python:"):
        digests.main(["--check"], tmp_path_factory.mktemp("nothing"))


def test_what_a_deployment_starts_is_named_by_digest_and_digests_are_of_the_versions_that_are_used() -> None:
    """A version that is raised without its digest would be taken for the former one."""
    compose: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    started = {image for name, image in parts.engines().items() if "profiles" not in compose[name]}
    assert {parts.base(), *started} <= set(digests.known()) <= set(digests.wanted())


def test_every_image_has_a_list_of_its_parts_and_the_same_sources_make_the_same_bytes(tmp_path: Path) -> None:
    written = sbom.write(tmp_path / "one", "0.1.0")
    assert [path.name for path in written] == [f"lattice-{image}.cdx.json" for image in IMAGES]
    bills = {path.name: json.loads(path.read_bytes()) for path in written}
    for bill in bills.values():
        assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
        refs = [each["bom-ref"] for each in bill["components"]]
        assert len(refs) == len(set(refs))
        assert bill["dependencies"][0]["dependsOn"] == refs
        assert bill["components"][0]["name"] == "python"
        for each in bill["components"][1:]:
            assert each["purl"].startswith(("pkg:pypi/", "pkg:npm/"))
            assert each["externalReferences"], f"{each['name']} is pinned by no hash"
    again = sbom.write(tmp_path / "two", "0.1.0")
    assert [path.read_bytes() for path in written] == [path.read_bytes() for path in again]
    names = {each["name"] for each in bills["lattice-api.cdx.json"]["components"]}
    assert {"fastapi", "tantivy", "onnxruntime", "lit"} <= names
    assert "hf-xet" not in names
    assert {"fastapi", "pytest"}.isdisjoint(each["name"] for each in bills["lattice-bot.cdx.json"]["components"])


def test_every_installation_of_the_dockerfile_is_counted() -> None:
    targets = re.findall(r"^FROM \S+ AS (\S+)$", parts.dockerfile(), re.MULTILINE)
    ends = [target for target in targets if "\nCMD " in parts.dockerfile().split(f" AS {target}\n")[1].split("\nFROM ")[0]]
    assert tuple(ends) == IMAGES
    for image in IMAGES:
        assert sum("--package" in arguments for arguments in parts.installed(image)) == len(parts.installed(image)) > 1


def advisory(name: str = "left_pad", **more: Any) -> dict[str, Any]:
    """A record as the database has it."""
    events = more.pop("events", [{"introduced": "0"}, {"fixed": "1.4.1"}])
    package = {"ecosystem": "PyPI", "name": name}
    return {
        "id": "GHSA-xxxx",
        "aliases": ["CVE-2026-1"],
        "published": "2026-10-01T00:00:00Z",
        "database_specific": {"severity": "HIGH"},
        "affected": [{"package": package, "ranges": [{"type": "ECOSYSTEM", "events": events}]}],
    } | more


def judged(record: dict[str, Any], allowed: dict[str, str] | None = None) -> tuple[list[str], bool]:
    found = vulnerabilities.findings([LEFT_PAD], {"PyPI/left-pad": [record]})
    return vulnerabilities.report(found, allowed or {}, TODAY)


@pytest.mark.parametrize(
    ("record", "due"),
    [
        (advisory(), True),
        (advisory(database_specific={"severity": "CRITICAL"}), True),
        (advisory(database_specific={}), True),
        (advisory(database_specific={"severity": "MODERATE"}), False),
        (advisory(published="2026-11-20T00:00:00Z"), False),
        (advisory(events=[{"introduced": "0"}]), False),
        (advisory(events=[{"introduced": "0"}, {"fixed": "1.4.0"}]), None),
        (advisory(events=[{"introduced": "1.5"}, {"fixed": "1.6"}]), None),
        (advisory(events=[{"introduced": "0"}, {"last_affected": "1.4.0"}]), False),
        (advisory(withdrawn="2026-10-05T00:00:00Z"), None),
    ],
    ids=[
        "high",
        "critical",
        "of unknown weight",
        "moderate",
        "two days old",
        "no fix",
        "fixed",
        "later",
        "no later fix",
        "withdrawn",
    ],
)
def test_what_is_grave_and_could_have_been_mended_a_week_ago_fails(record: dict[str, Any], due: bool | None) -> None:
    lines, found_due = judged(record)
    assert (len(lines), found_due) == (0 if due is None else 1, bool(due))


def test_an_excuse_holds_until_its_last_day_and_needs_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "allow.toml"
    file.write_text('[[allow]]\nid = "CVE-2026-1"\nreason = "nothing calls it"\nuntil = 2026-11-30\n')
    allowed, wrong = vulnerabilities.excused(file, TODAY)
    assert (judged(advisory(), allowed)[1], wrong) == (False, [])
    _, wrong = vulnerabilities.excused(file, date(2026, 12, 1))
    assert "was excused until 2026-11-30" in wrong[0]
    file.write_text('[[allow]]\nid = "CVE-2026-1"\nuntil = 2026-11-30\n')
    assert "has no reason" in vulnerabilities.excused(file, TODAY)[1][0]


def test_the_excuses_that_are_kept_have_a_reason_and_a_last_day() -> None:
    assert vulnerabilities.excused(vulnerabilities.ALLOWED, date(2000, 1, 1))[1] == []


def test_a_database_is_read_from_a_zip_file_and_from_folders_of_either(tmp_path: Path) -> None:
    plain, zipped = tmp_path / "plain", tmp_path / "zipped" / "PyPI"
    for folder in (plain, zipped):
        folder.mkdir(parents=True)
    (plain / "GHSA-xxxx.json").write_text(json.dumps(advisory()))
    with zipfile.ZipFile(zipped / "all.zip", "w") as archive:
        archive.write(plain / "GHSA-xxxx.json", "GHSA-xxxx.json")
    for database in (plain, zipped / "all.zip", zipped.parent):
        assert vulnerabilities.from_files([database]) == {"PyPI/left-pad": [advisory()]}


def test_all_that_is_shipped_is_looked_up_and_a_grave_one_ends_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    version = next(part.version for part in parts.parts_of("bot") if part.name == "httpx2")
    events = [{"introduced": "0"}, {"fixed": "99"}]
    (tmp_path / "one.json").write_text(json.dumps(advisory("httpx2", events=events, published="2020-01-01T00:00:00Z")))
    with pytest.raises(SystemExit) as ended:
        vulnerabilities.main(["--database", str(tmp_path), "--images"])
    assert ended.value.code == 1
    assert f"httpx2 {version}: GHSA-xxxx (high, fixed in 99): due" in capsys.readouterr().out


STATUS = """\
Package: libc6
Status: install ok installed
Source: glibc
Version: 2.41-12

Package: libc-bin
Status: install ok installed
Source: glibc (2.41-12)
Version: 2.41-12+b1
Description: GNU C Library: Binaries
 that every program needs

Package: perl-base
Status: install ok installed
Version: 1:5.40.1-6~deb13u1

Package: gone
Status: deinstall ok config-files
Version: 1.0
"""
RELEASE = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_ID="13"\nID=debian\n'
PERL = Part("Debian:13", "perl", "1:5.40.1-6~deb13u1", ())


def test_the_system_of_an_image_is_the_sources_of_what_is_installed_in_it() -> None:
    found = system_parts.system_parts(STATUS, RELEASE)
    assert [(each.ecosystem, each.name, each.version) for each in found] == [
        ("Debian:13", "glibc", "2.41-12"),
        ("Debian:13", "perl-base", "1:5.40.1-6~deb13u1"),
    ]
    assert found[1].purl == "pkg:deb/debian/perl-base@1%3A5.40.1-6~deb13u1?distro=debian-13"
    with pytest.raises(system_parts.NoSystem, match="no release of Debian but alpine"):
        system_parts.system_parts("", "ID=alpine\nVERSION_ID=3.22\n")


def debian_advisory(fixed: str | None = "1:5.40.1-6", **more: Any) -> dict[str, Any]:
    events = [{"introduced": "0"}, *([{"fixed": fixed}] if fixed else [])]
    package = {"ecosystem": "Debian:13", "name": "perl"}
    affected = {"package": package, "ranges": [{"type": "ECOSYSTEM", "events": events}], "ecosystem_specific": more.pop("of", {})}
    return {"id": "DEBIAN-CVE-2026-2", "published": "2026-10-01T00:00:00Z", "affected": [affected]} | more


def scored(vector: str, kind: str = "CVSS_V3") -> list[dict[str, str]]:
    return [{"type": kind, "score": vector}]


WORST = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"
WORST_OF_FOUR = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"
SMALL = "CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N"


@pytest.mark.parametrize(
    ("record", "word", "due"),
    [
        (debian_advisory(severity=scored(WORST)), "critical", True),
        (debian_advisory(severity=scored(SMALL)), "low", False),
        (debian_advisory(severity=[*scored(SMALL), *scored(WORST_OF_FOUR, "CVSS_V4")]), "critical", True),
        (debian_advisory(severity=scored("no vector")), "unknown", True),
        (debian_advisory(), "unknown", True),
        (debian_advisory(of={"urgency": "not yet assigned"}), "unknown", True),
        (debian_advisory(of={"urgency": "unimportant"}, severity=scored(WORST)), "low", False),
        (debian_advisory(None, severity=scored(WORST)), "critical", False),
        (debian_advisory("1:5.40.1-6~deb13u1", severity=scored(WORST)), None, False),
        (debian_advisory("5.42.0-1", severity=scored(WORST)), None, False),
    ],
    ids=["critical", "low", "the highest", "unread", "nothing", "not judged", "unimportant", "no fix", "fixed", "an epoch"],
)
def test_what_debian_says_of_the_system_is_weighed_by_its_versions_and_words(
    record: dict[str, Any], word: str | None, due: bool
) -> None:
    """`~deb13u1` comes before the version without it, and an epoch before all else."""
    found = vulnerabilities.findings([PERL], {"Debian:13/perl": [record]})
    assert [each.severity.lower() for each in found] == ([word] if word else [])
    assert vulnerabilities.report(found, {}, TODAY)[1] is due


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `docker` that knows one image, and shows its files."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "status").write_text(STATUS)
    (tmp_path / "os-release").write_text(RELEASE)
    script = tmp_path / "bin" / "docker"
    script.write_text(
        '#!/bin/sh\nfor last; do :; done\ncase "$*" in *" lattice-graph:"*) cat "' + str(tmp_path) + '/${last##*/}";;\n'
        "*) echo 'Unable to find image' >&2; echo more >&2; exit 125;; esac\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(script.parent), prepend=":")
    return script


@pytest.mark.usefixtures("docker")
def test_the_systems_of_built_images_are_looked_up_and_what_is_not_built_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "records"
    database.mkdir()
    (database / "one.json").write_text(json.dumps(advisory("unknown")))
    with pytest.raises(SystemExit) as ended:
        vulnerabilities.main(["--database", str(database), "--images", "lattice-graph:0", "lattice-api:0"])
    told = capsys.readouterr()
    assert ended.value.code == vulnerabilities.NOT_LOOKED
    assert told.err == "NOT LOOKED FOR: the system's packages of lattice-api:0: Unable to find image. Build the images first.\n"
    record = debian_advisory("99", severity=scored(WORST), published="2020-01-01T00:00:00Z")
    record["affected"][0]["package"]["name"] = "glibc"
    (database / "two.json").write_text(json.dumps(record))
    with pytest.raises(SystemExit) as ended:
        vulnerabilities.main(["--database", str(database), "--images", "lattice-graph:0"])
    assert ended.value.code == 1
    assert "glibc 2.41-12: DEBIAN-CVE-2026-2 (critical, fixed in 99): due" in capsys.readouterr().out


def test_every_image_that_a_deployment_starts_of_ours_has_its_system_looked_at() -> None:
    compose: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert parts.built_images() == sorted({each["image"] for each in compose.values() if each["image"].startswith("lattice-")})


def test_where_no_database_can_be_had_that_is_said_loudly(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        vulnerabilities.main(["--api", "http://127.0.0.1:1", "--images"])
    assert ended.value.code == vulnerabilities.NOT_LOOKED
    assert "NOT LOOKED FOR" in capsys.readouterr().err
