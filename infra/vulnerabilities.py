"""Known vulnerabilities of what is shipped: `python -m infra.vulnerabilities` (or `make vulnerabilities`).

Every package of every image, the page's scripts, and the system's packages of the images that are built, are looked up in the
open database of vulnerabilities (OSV): in zip files of its records or folders of them (`--database`; `PyPI/all.zip`,
`npm/all.zip` and `Debian/all.zip` of its bucket have all that is asked for), or at its API. It fails for one that is high or
critical, whose fix is older than a week, and that infra/vulnerabilities.allow.toml does not excuse for now; each excuse has a
reason and a last day. Where the database or an image cannot be had it says so and ends with 2: that nothing was looked for is
not that nothing was found. What Debian has no fix for waits, and what it calls unimportant is not grave.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from cvss import CVSS2, CVSS3, CVSS4
from cvss.exceptions import CVSSError
from debian_inspector.version import Version as DebianVersion
from packaging.utils import canonicalize_name
from packaging.version import Version

from infra.parts import IMAGES, ROOT, Part, built_images, parts_of
from infra.system_parts import NoSystem, system_of

API = "https://api.osv.dev/v1"
ALLOWED = ROOT / "infra" / "vulnerabilities.allow.toml"
GRACE = timedelta(days=7)
GRAVE = frozenset(("HIGH", "CRITICAL"))
NOT_LOOKED = 2
_BELOW_ALL = "0"
"""What records say for "from the first version on"."""
_URGENCIES = {"unimportant": "LOW", "low": "LOW", "medium": "MEDIUM", "high": "HIGH"}
"""Debian's own words, where it has judged."""
_CVSS: dict[str, type[CVSS2 | CVSS3 | CVSS4]] = {"CVSS_V2": CVSS2, "CVSS_V3": CVSS3, "CVSS_V4": CVSS4}

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """A vulnerability of a part. `fixed_in` is the first version without it, `known_since` when that was published."""

    part: Part
    ids: tuple[str, ...]
    severity: str
    fixed_in: str | None
    known_since: date

    def is_due(self, today: date) -> bool:
        """Whether it has to be dealt with: grave or of unknown weight, and the fix has been there for a week."""
        return self.severity in {*GRAVE, "UNKNOWN"} and self.fixed_in is not None and today - self.known_since > GRACE


def findings(parts: Iterable[Part], records: Mapping[str, Sequence[Record]]) -> list[Finding]:
    """What the records, by name of package, say of the parts."""
    found = []
    for part in parts:
        for record in records.get(key_of(part.ecosystem, part.name), ()):
            if not record.get("withdrawn") and (affected := _affecting(record, part)) is not None:
                ids = (str(record["id"]), *(str(each) for each in record.get("aliases", ())))
                since = datetime.fromisoformat(str(record.get("published") or record["modified"])).date()
                found.append(Finding(part, ids, _severity(record, affected), _fix(affected, part), since))
    return found


def key_of(ecosystem: str, name: str) -> str:
    return f"{ecosystem}/{canonicalize_name(name) if ecosystem == 'PyPI' else name}"


def _affecting(record: Record, part: Part) -> Record | None:
    """The entry of a record that this version falls under."""
    for each in record.get("affected", ()):
        package = each.get("package", {})
        if key_of(str(package.get("ecosystem")), str(package.get("name"))) != key_of(part.ecosystem, part.name):
            continue
        ranges = [one for one in each.get("ranges", ()) if one["type"] in ("ECOSYSTEM", "SEMVER")]
        if part.version in each.get("versions", ()) or any(_within(part, one["events"]) for one in ranges):
            return dict(each)
    return None


def _version(ecosystem: str, text: str) -> Any:
    """A version that can be compared with others of its ecosystem. Raises `ValueError` (`InvalidVersion` is one)."""
    if ecosystem.startswith("Debian"):
        return DebianVersion.from_string(text)
    return Version("0.dev0" if text == _BELOW_ALL else text)


def _within(part: Part, events: Sequence[Mapping[str, str]]) -> bool:
    """Whether its version lies in a range: from an `introduced` to the `fixed` or `last_affected` after it."""
    try:
        here = _version(part.ecosystem, part.version)
        inside = False
        for event in events:
            (kind, at), *_ = event.items()
            if kind == "introduced" and (at == _BELOW_ALL or here >= _version(part.ecosystem, at)):
                inside = True
            elif (kind == "fixed" and here >= _version(part.ecosystem, at)) or (
                kind == "last_affected" and here > _version(part.ecosystem, at)
            ):
                inside = False
    except ValueError:
        return True  # not to be read is not to be excused
    return inside


def _fix(affected: Record, part: Part) -> str | None:
    """The lowest version above ours that fixes it."""
    fixes = [event["fixed"] for each in affected.get("ranges", ()) for event in each["events"] if "fixed" in event]
    try:
        here = _version(part.ecosystem, part.version)
        versions = [(_version(part.ecosystem, each), each) for each in fixes]
        above = [each for each in versions if each[0] > here]
    except ValueError:
        return fixes[0] if fixes else None
    return min(above, key=lambda each: each[0])[1] if above else None


def _severity(record: Record, affected: Record) -> str:
    """In a word: as the database has it, else as who maintains the package judges, else by the highest score; UNKNOWN without."""
    for place in (record, affected):
        word = str(place.get("database_specific", {}).get("severity", "")).upper()
        if word:
            return "MEDIUM" if word == "MODERATE" else word
    urgency = str(affected.get("ecosystem_specific", {}).get("urgency", "")).rstrip("*")
    if urgency in _URGENCIES:
        return _URGENCIES[urgency]
    scores = [score for place in (record, affected) for each in place.get("severity", ()) if (score := _score(each)) is not None]
    if not scores:
        return "UNKNOWN"
    highest = max(scores)
    return next(word for least, word in ((9.0, "CRITICAL"), (7.0, "HIGH"), (4.0, "MEDIUM"), (0.0, "LOW")) if highest >= least)


def _score(severity: Mapping[str, str]) -> float | None:
    """The base score of a vector, from 0 to 10; None where it cannot be read."""
    kind = _CVSS.get(str(severity.get("type")))
    try:
        return float(kind(severity["score"]).base_score) if kind else None
    except (CVSSError, KeyError):
        return None


def from_files(databases: Iterable[Path]) -> dict[str, list[Record]]:
    """Records by package, out of folders and zip files."""
    records: dict[str, list[Record]] = {}
    for database in databases:
        for content in _contents(database):
            record = json.loads(content)
            for name in {
                key_of(e["package"]["ecosystem"], e["package"]["name"]) for e in record.get("affected", ()) if "package" in e
            }:
                records.setdefault(name, []).append(record)
    return records


def _contents(database: Path) -> Iterator[bytes]:
    if database.is_dir():
        yield from (path.read_bytes() for path in sorted(database.rglob("*.json")))
        for path in sorted(database.rglob("*.zip")):
            yield from _contents(path)
        return
    with zipfile.ZipFile(database) as archive:
        yield from (archive.read(name) for name in archive.namelist() if name.endswith(".json"))


def from_api(parts: Sequence[Part], api: str) -> dict[str, list[Record]]:
    """Records of these parts alone. Raises `OSError`."""
    queries = [{"package": {"ecosystem": part.ecosystem, "name": part.name}, "version": part.version} for part in parts]
    answers = json.loads(_asked(f"{api}/querybatch", json.dumps({"queries": queries}).encode()))["results"]
    records: dict[str, list[Record]] = {}
    for part, answer in zip(parts, answers, strict=True):
        for each in answer.get("vulns", ()):
            records.setdefault(key_of(part.ecosystem, part.name), []).append(
                json.loads(_asked(f"{api}/vulns/{each['id']}", None))
            )
    return records


def _asked(address: str, body: bytes | None) -> bytes:
    request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/json"})  # noqa: S310 - by https
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - the same
        content: bytes = answer.read()
        return content


def excused(file: Path, today: date) -> tuple[dict[str, str], list[str]]:
    """Reasons by id, of the excuses that still hold; and what is wrong with the others, in words."""
    allowed: dict[str, str] = {}
    wrong = []
    for each in tomllib.loads(file.read_text(encoding="utf-8")).get("allow", ()):
        if not each.get("reason") or not isinstance(each.get("until"), date):
            wrong.append(f"{each.get('id')} has no reason, or no last day (until = 2026-12-31)")
        elif each["until"] < today:
            wrong.append(f"{each['id']} was excused until {each['until']}: look at it again")
        else:
            allowed[str(each["id"])] = str(each["reason"])
    return allowed, wrong


def report(found: Sequence[Finding], allowed: Mapping[str, str], today: date) -> tuple[list[str], bool]:
    """Lines to show, and whether anything is due."""
    lines, due = [], False
    for each in found:
        excuse = next((allowed[one] for one in each.ids if one in allowed), None)
        state = f"excused: {excuse}" if excuse else "due" if each.is_due(today) else "waits"
        due = due or state == "due"
        fix = f"fixed in {each.fixed_in}" if each.fixed_in else "no fix yet"
        lines.append(f"{each.part.name} {each.part.version}: {each.ids[0]} ({each.severity.lower()}, {fix}): {state}")
    return lines, due


def shipped(images: Sequence[str]) -> tuple[list[Part], list[str]]:
    """Return all parts, each once, and why nothing can be said of the system of an image."""
    parts, missing = [part for image in IMAGES for part in parts_of(image)], []
    for image in images:
        try:
            parts += system_of(image)
        except NoSystem as error:
            missing.append(f"the system's packages of {image}: {error}")
    return list({part.purl: part for part in parts}.values()), missing


def main(arguments: Sequence[str] | None = None) -> None:
    """Look up what is shipped. Ends with 1 for what is due, with 2 where something could not be looked up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--database", type=Path, action="append", default=[], help="a folder or zip of OSV records; may be repeated"
    )
    parser.add_argument("--api", default=API)
    parser.add_argument(
        "--images", nargs="*", help="built images whose systems are looked at, or none (default: those of the deployment)"
    )
    given = parser.parse_args(arguments)
    today = datetime.now(UTC).date()
    allowed, wrong = excused(ALLOWED, today)
    parts, missing = shipped(built_images() if given.images is None else given.images)
    try:
        records = from_files(given.database) if given.database else from_api(parts, given.api)
    except OSError as error:
        sys.stderr.write(f"NOT LOOKED FOR: the database of vulnerabilities cannot be had ({error}). Give it with --database.\n")
        sys.exit(NOT_LOOKED)
    lines, due = report(findings(parts, records), allowed, today)
    sys.stdout.write("\n".join([*lines, *wrong, f"{len(parts)} parts, {len(lines)} known vulnerabilities"]) + "\n")
    sys.stderr.writelines(f"NOT LOOKED FOR: {each}. Build the images first.\n" for each in missing)
    if due or wrong:
        sys.exit(1)
    if missing:
        sys.exit(NOT_LOOKED)


if __name__ == "__main__":
    main()
