"""Whether the tests of docs/security-checks.md fail when what they test is taken out: `python -m bench.guards [S5 S12 …]`.

Each guard is taken out of a copy of the tree, and the test that is named for it is run on the copy, with the guard and without. A
test that passes without it proves nothing, and ends this with 1. Of each guard one line or expression is replaced. What stands
twice, for one may fail (the document type of XML, what a reader's process may do), is taken out where the test looks.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
API, COMMON = "services/api/lattice_api", "shared/lattice_common/lattice_common"
LEFT_BEHIND = (".git", ".venv", ".venv-uv", "build", "node_modules", "__pycache__", ".hypothesis", ".mypy_cache", ".ruff_cache")
PATIENCE = 300.0
FAILED = 1
"""What pytest ends with when a test failed; anything else (none was found, it broke off) is no proof."""


@dataclass(frozen=True, slots=True)
class Guard:
    """`guard` in `file` becomes `instead`; `test` in `tests` has to fail then."""

    row: str
    file: str
    guard: str
    instead: str
    tests: str
    test: str = ""


GUARDS = (
    Guard(
        "S2",
        f"{API}/guard.py",
        "if needed is None:",
        "if needed is not None:",
        "services/test_access.py",
        "route_without_a_token",
    ),
    Guard(
        "S3",
        f"{API}/guard.py",
        'if needed == "any" or needed in held or "admin" in held:',
        "if True:",
        "services/test_access.py",
        "more_than_its_scope",
    ),
    Guard(
        "S5",
        f"{API}/guard.py",
        '(foreign := self._foreign(method, scope["scheme"], headers))',
        "(foreign := None)",
        "services/test_access_elsewhere.py",
        "made_to_act_for_another_site",
    ),
    Guard(
        "S6",
        f"{API}/guard.py",
        'if not self._origins.knows_host(headers.get("host", "")):',
        "if False:",
        "services/test_access_elsewhere.py",
        "name_that_is_not_ours",
    ),
    Guard(
        "S7",
        "services/mcp/lattice_mcp/guard.py",
        'if refused is None and scope["path"] not in OPEN_PATHS:',
        "if False:",
        "services/test_mcp_security.py",
        "without_a_known_token",
    ),
    Guard(
        "S11",
        "services/mcp/lattice_mcp/defang.py",
        'return _loose(_ADDRESS.sub(disarm, _TURN.sub("‹", _TAG.sub("‹", text))))',
        "return text",
        "services/test_mcp_security.py",
        "is_taken_apart",
    ),
    Guard(
        "S12",
        "services/bot/lattice_bot/app.py",
        "if user.id in people:\n",
        "if True:\n",
        "services/test_bot.py",
        "strangers_and_groups",
    ),
    Guard(
        "S13",
        f"{COMMON}/adapters/files/confinement.py",
        "_prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(wanted))",
        "pass",
        "pipeline/test_readers_confined.py",
        "nothing_but_reading",
    ),
    Guard(
        "S14",
        f"{COMMON}/capture/readers/zip_scan.py",
        "        raise doctype()\n",
        "        return True\n",
        "pipeline/test_readers_office_refused.py",
        "doctype",
    ),
    Guard(
        "S15",
        f"{COMMON}/adapters/files/durable.py",
        'or relative.startswith("/") or ".." in parts or',
        "or",
        "property/test_paths.py",
    ),
    Guard(
        "S15",
        f"{COMMON}/adapters/files/durable.py",
        "if not path.parent.resolve().is_relative_to(root.resolve()):",
        "if False:",
        "property/test_paths.py",
    ),
    Guard(
        "S16",
        f"{COMMON}/adapters/files/strict_yaml.py",
        'if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):',
        "if False:",
        "unit/test_frontmatter.py",
        "could_be_misread",
    ),
    Guard(
        "S20",
        f"{COMMON}/language/pii/log_line.py",
        'text = _HEADER.sub(rf"\\g<name>\\g<is>{HIDDEN}", text)',
        "return text",
        "unit/test_logs.py",
        "no_secret_is_written",
    ),
    Guard(
        "S34",
        f"{COMMON}/adapters/files/erasing.py",
        "self._put_away(self._redact(redaction, wanted), words)",
        "pass",
        "pipeline/test_forget.py",
        "in_no_byte_of_any_file",
    ),
    Guard(
        "S35",
        f"{COMMON}/adapters/files/durable.py",
        "FILE_MODE = 0o600",
        "FILE_MODE = 0o644",
        "contract/test_atoms.py",
        "owners_alone",
    ),
    Guard(
        "S36",
        f"{COMMON}/adapters/models/endpoint_client.py",
        "follow_redirects=False,",
        "follow_redirects=True,",
        "services/test_model_endpoint.py",
        "redirect_to_another_host",
    ),
)


def main() -> None:
    wanted = set(sys.argv[1:])
    unproved = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(ROOT, Path(folder) / "tree", ignore=shutil.ignore_patterns(*LEFT_BEHIND), symlinks=True))
        for each in GUARDS:
            if not wanted or each.row in wanted:
                if run(copy, each) != 0:
                    raise SystemExit(f"{each.row}: the test does not pass with the guard")
                fails = fails_without(copy, each)
                unproved += not fails
                print(f"{each.row:<4} {'fails' if fails else 'PASSES'} without it: {each.tests} {each.test}", flush=True)
    raise SystemExit(1 if unproved else 0)


def fails_without(copy: Path, guard: Guard) -> bool:
    """Return whether the test fails on the copy without the guard, which is put back afterwards."""
    path = copy / guard.file
    whole = path.read_text(encoding="utf-8")
    if whole.count(guard.guard) != 1:
        raise SystemExit(f"{guard.row}: the guard does not stand once in {guard.file}: say here what it is now")
    path.write_text(whole.replace(guard.guard, guard.instead), encoding="utf-8")
    try:
        return run(copy, guard) == FAILED
    finally:
        path.write_text(whole, encoding="utf-8")


def run(copy: Path, guard: Guard) -> int:
    """Return what pytest ends with on the copy, as it is."""
    packages = [copy / "shared/lattice_common", *sorted((copy / "services").iterdir()), copy]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, packages))}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-x", "-p", "no:cacheprovider", f"tests/{guard.tests}"]
    command += ["-k", guard.test] if guard.test else []
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=PATIENCE, check=False).returncode


if __name__ == "__main__":
    main()
