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

from infra.bootstrap import fetched

ROOT = Path(__file__).resolve().parent.parent
API, COMMON = "services/api/lattice_api", "shared/lattice_common/lattice_common"
LEFT_BEHIND = (".git", ".venv", ".venv-uv", "build", "node_modules", "__pycache__", ".hypothesis", ".mypy_cache", ".ruff_cache")
PATIENCE = 600.0
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
        'return _loose(_ADDRESS.sub(disarm, _TURN.sub("‹", _TAG.sub("‹", visible(text)))))',
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
        "if linked and not path.parent.resolve().is_relative_to(root.resolve()):",
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
        "self._put_away(self._redact(redaction, wanted), words, Sought(erasure.statements, erasure.names))",
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
        "S1",
        "docker-compose.yml",
        'ports: ["127.0.0.1:${LATTICE_WEB_PORT:-7337}:7337"]',
        'ports: ["${LATTICE_WEB_PORT:-7337}:7337"]',
        "architecture/test_deployment.py",
        "ports_are_those_of_the_page",
    ),
    Guard(
        "S4",
        f"{API}/routes/session.py",
        '        samesite="strict",\n        secure=secure,\n',
        '        samesite="lax",\n        secure=secure,\n',
        "services/test_sessions.py",
        "for_this_site_only",
    ),
    Guard(
        "S4",
        f"{API}/routes/session.py",
        "        secure=secure,\n",
        "        secure=False,\n",
        "services/test_sessions.py",
        "secure_and_bound_to_the_host",
    ),
    Guard(
        "S4",
        f"{API}/routes/session.py",
        "gate.logout(request.headers)  # the session that this browser had",
        "pass  # the session that this browser had",
        "services/test_sessions.py",
        "signing_in_again_ends",
    ),
    Guard(
        "S4",
        "shared/lattice_common/lattice_common/wrong_tries.py",
        "return tries is not None and",
        "return False and tries is not None and",
        "services/test_sessions.py",
        "sixth_wrong_try",
    ),
    Guard(
        "S8",
        f"{API}/guard.py",
        '"X-Content-Type-Options": "nosniff",',
        '"X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*",',
        "services/test_access_elsewhere.py",
        "other_sites_get_nothing",
    ),
    Guard(
        "S9",
        f"{API}/guard.py",
        '    "Content-Security-Policy": CSP,\n',
        "",
        "services/test_access_elsewhere.py",
        "carries_the_headers",
    ),
    Guard(
        "S18",
        f"{COMMON}/model_gate.py",
        " or where_of(parts) != self._allowed:",
        ":",
        "services/test_model_gate.py",
        "nothing_else_is_reached",
    ),
    Guard(
        "S18",
        "docker-compose.yml",
        '"${LATTICE_API_EGRESS:-false}"',
        '"true"',
        "architecture/test_deployment.py",
        "networks_of_the_doors",
    ),
    Guard(
        "S18",
        "docker-compose.yml",
        "  vectors: {internal: true}",
        "  vectors: {}",
        "architecture/test_deployment.py",
        "engines_leads_nowhere",
    ),
    Guard(
        "S19",
        f"{COMMON}/composition/engines.py",
        ".strip().lower() in PLACEHOLDERS:",
        ".strip().lower() in ():",
        "services/test_server_mode.py",
        "placeholder_for_a_password",
    ),
    Guard(
        "S19",
        f"{COMMON}/token_strength.py",
        "if token is None or not is_guessable(token):",
        "if True:",
        "services/test_access.py",
        "placeholder_for_a_token",
    ),
    Guard(
        "S21",
        f"{API}/problem.py",
        'return problem(500, "Lattice has a defect here: the log has the details under this trace id.", trace_id=trace_id)',
        "return problem(500, str(error), trace_id=trace_id)",
        "services/test_api_refusals.py",
        "a_defect_is_an_answer",
    ),
    Guard(
        "S22",
        f"{COMMON}/adapters/models/open_language_model.py",
        "if model.local or not self.settings.pii_scrub:",
        "if True:",
        "services/test_open_language_model.py",
        "no_raw_value",
    ),
    Guard(
        "S23",
        "services/worker/lattice_worker/prepare.py",
        " +@all {FORBIDDEN}",
        " +@all",
        "unit/test_prepare.py",
        "redis_knows_its_password",
    ),
    Guard(
        "S24",
        f"{COMMON}/adapters/server/opensearch_connection.py",
        "verify_certs=True,",
        "verify_certs=False, ssl_show_warn=False,",
        "contract/test_opensearch_elsewhere.py",
        "believed_by_its_certificate",
    ),
    Guard(
        "S25",
        "docker-compose.yml",
        "- qdrant-reader-secrets:/secrets/qdrant:ro",
        "- qdrant-secrets:/secrets/qdrant:ro",
        "architecture/test_deployment.py",
        "no_key_that_writes",
    ),
    Guard(
        "S26",
        "docker-compose.yml",
        '  user: "${PUID:-1000}:${PGID:-1000}"\n  read_only: true\n',
        '  user: "${PUID:-1000}:${PGID:-1000}"\n  read_only: false\n',
        "architecture/test_deployment.py",
        "service_of_ours_may_do_little",
    ),
    Guard(
        "S27",
        "docker-compose.yml",
        '      - "${LATTICE_DATA:-./data}:/data:ro"\n      - "${LATTICE_DATA:-./data}/journal',
        '      - "${LATTICE_DATA:-./data}:/data"\n      - "${LATTICE_DATA:-./data}/journal',
        "architecture/test_deployment.py",
        "mounted_for_writing",
    ),
    Guard(
        "S28",
        "infra/bootstrap.py",
        '"--no-deps", "--require-hashes", ',
        '"--no-deps", ',
        "architecture/test_deployment.py",
        "by_its_hashes_alone",
    ),
    Guard(
        "S28",
        "infra/Dockerfile",
        "pip install --require-hashes",
        "pip install",
        "architecture/test_deployment.py",
        "pinned_by_hash",
    ),
    Guard(
        "S28",
        "infra/compose.digests.yml",
        '  redis: {image: "redis:8.6.3@',
        '  redis: {image: "redis:8.6.2@',
        "unit/test_supply.py",
        "named_by_digest_and",
    ),
    Guard(
        "S29",
        "infra/vulnerabilities.py",
        'return self.severity in {*GRAVE, "UNKNOWN"} and',
        'return self.severity in {"UNKNOWN"} and',
        "unit/test_supply.py",
        "grave_and_could_have_been",
    ),
    Guard(
        "S29",
        "infra/vulnerabilities.py",
        'elif each["until"] < today:',
        "elif False:",
        "unit/test_supply.py",
        "an_excuse_holds",
    ),
    Guard(
        "S30",
        "infra/release.py",
        "if _sum(release / name) != expected:",
        "if False:",
        "unit/test_release.py",
        "one_byte_more",
    ),
    Guard(
        "S30",
        "infra/release.py",
        '    _run("ssh-keygen", *command, given=sums)\n',
        "",
        "unit/test_release.py",
        "a_signature_of_somebody_else",
    ),
    Guard(
        "S31",
        "SECURITY.md",
        "# Security\n",
        "# Security\nghp_" + "a1B2c3D4" * 5 + "\n",
        "architecture/test_no_secrets.py",
        "no_file_of_the_repository",
    ),
    Guard(
        "S32",
        f"{API}/limits.py",
        "return None if allowed else math.ceil((1 - left) / rate.per_second)",
        "return None",
        "services/test_api_refusals.py",
        "a_rate_lets",
    ),
    Guard(
        "S32",
        f"{API}/limits.py",
        "if self.taken >= self._most:",
        "if False:",
        "services/test_api_refusals.py",
        "too_many_answers",
    ),
    Guard(
        "S33",
        f"{COMMON}/adapters/server/opensearch_lexical.py",
        '{"match": {name: {"query":',
        '{"query_string": {name: {"query":',
        "unit/test_engine_queries.py",
        "our_tokens_and_typed",
    ),
    Guard(
        "S36",
        f"{COMMON}/adapters/models/endpoint_client.py",
        "follow_redirects=False,",
        "follow_redirects=True,",
        "services/test_model_endpoint.py",
        "redirect_to_another_host",
    ),
    Guard(
        "S37",
        f"{COMMON}/ingest/reconcile/supersession.py",
        "return RANK[atom.trust], atom",
        "return 0, atom",
        "pipeline/test_reconcile.py",
        "document_never_retires",
    ),
    Guard(
        "S37",
        f"{COMMON}/recall/answer_check.py",
        "        lambda: _wrong_number(claim, mentions, evidence, results, now),\n",
        "",
        "pipeline/test_answer_check.py",
        "do_not_say_is_doubted",
    ),
    Guard(
        "S38",
        f"{API}/access.py",
        "return _OWN_PATH.fullmatch(address) is not None",
        "return True",
        "services/test_sessions.py",
        "signing_in_never",
    ),
    Guard(
        "S39",
        f"{COMMON}/__init__.py",
        'ORT_DISABLE_TELEMETRY="1", ',
        "",
        "services/test_no_telemetry.py",
        "reports_nothing",
    ),
    Guard(
        "S39",
        f"{COMMON}/composition/jobs.py",
        "if not parts.settings.telemetry:",
        "if False:",
        "services/test_api_usage.py",
        "counts_are_written",
    ),
    Guard(
        "S40",
        f"{COMMON}/settings.py",
        'auth: bool = _field("LATTICE_AUTH", True,',
        'auth: bool = _field("LATTICE_AUTH", False,',
        "services/test_access.py",
        "first_token_is_made",
    ),
    Guard(
        "S40",
        f"{API}/app.py",
        "if settings.host not in LOCAL_HOSTS and not settings.auth:",
        "if False:",
        "services/test_access.py",
        "address_that_others_reach",
    ),
)


def main() -> None:
    wanted = set(sys.argv[1:])
    unproved = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(ROOT, Path(folder) / "tree", ignore=shutil.ignore_patterns(*LEFT_BEHIND), symlinks=True))
        git(copy, "init", "--quiet")
        committed(copy)
        chosen = [each for each in GUARDS if not wanted or each.row in wanted]
        if run(copy, *chosen) != 0:
            raise SystemExit("a test does not pass with all guards")
        for each in chosen:
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
    committed(copy)
    try:
        return run(copy, guard) == FAILED
    finally:
        path.write_text(whole, encoding="utf-8")


def committed(copy: Path) -> None:
    """Commit the copy as it is: tests ask for what is tracked, and a release is made of nothing else."""
    git(copy, "add", "--all")
    git(copy, "commit", "--quiet", "--no-verify", "--message", "as it is")


def git(folder: Path, *arguments: str) -> None:
    somebody = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *somebody, *arguments], cwd=folder, check=True)


def run(copy: Path, *guards: Guard) -> int:
    """Return what pytest ends with on the copy, as it is, for the tests of these guards: at once, for starting takes longest."""
    packages = [copy / "shared/lattice_common", *sorted((copy / "services").iterdir()), copy]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, packages))}
    if uv := fetched():  # it is beside the tree, and not in the copy
        environment["PATH"] = os.pathsep.join((str(Path(uv).parent), environment["PATH"]))
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-x", "-p", "no:cacheprovider"]
    command += dict.fromkeys(f"tests/{each.tests}" for each in guards)
    command += ["-k", " or ".join(dict.fromkeys(each.test or Path(each.tests).stem for each in guards))]
    told = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if told.returncode not in (0, FAILED) or (told.returncode and len(guards) > 1):
        print(told.stdout[-2000:], flush=True)
    return told.returncode


if __name__ == "__main__":
    main()
