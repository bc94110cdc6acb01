"""No secret is in the sources, and what runs elsewhere in our name may do little and is pinned (docs/security-checks.md, S31)."""

from __future__ import annotations

import math
import re
import subprocess
from collections import Counter
from collections.abc import Iterator

import pytest
import yaml
from source_tree import ROOT

pytestmark = pytest.mark.lengthy

FORMS = {
    "a private key": (["-----BEGIN "], r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*\n[A-Za-z0-9+/=\s]{100,}"),
    "a key of a cloud": (["AKIA", "ASIA"], r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "a token of a code host": (
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"],
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,}|glpat-[A-Za-z0-9_-]{20,})",
    ),
    "a key of a model's maker": (["sk-"], r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}"),
    "a token of a chat": (["xox", ":AA"], r"\b(?:xox[abprs]-[A-Za-z0-9-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33})\b"),
    "a key of a payment": (["k_live_"], r"\b[rs]k_live_[A-Za-z0-9]{20,}"),
    "a token of a package index": (["pypi-AgEI", "npm_"], r"\b(?:pypi-AgEI[A-Za-z0-9_-]{50,}|npm_[A-Za-z0-9]{36})\b"),
    "a token of ours": (["lattice_"], r"\blattice_[A-Za-z0-9_-]{43}\b"),
    "an address with a password": (["://"], r"://[^\s/:@'\"{}$<>]+:[^\s/:@'\"{}$<>]{6,}@[a-z0-9.-]+"),
}
"""What each has in it, which is looked for first because it is found at once, and its form."""
QUOTED = re.compile(r"""["']([A-Za-z0-9+/=_-]{24,})["']""")
CALLED = re.compile(r"""(?i)(?:password|passwd|secret|api_?key|token)\w*["']?\s*[:=]\s*\Z""")
"""What is given as text, and what stands before it where it is called a secret. It is one where it looks drawn by chance."""
NAME = 100
"""Characters before a text in which its name is looked for."""
CHANCE = 4.0
"""Bits of entropy per character: words and names have 3 to 3.8, 32 random letters and digits 4.2 and more."""
GENERATED = ("uv.lock", "bench/peers/uv.lock", "infra/vendor_ui.lock.json")
KNOWN = {
    "tests/compose/deployment.py": "the token of a deployment that lives as long as its tests",
    "tests/services/test_settings_of_servers.py": "made-up addresses of servers",
    "tests/unit/test_shown_addresses.py": "a made-up address with a password, which must not be shown",
    "tests/unit/test_logs.py": "made-up keys that a log must not show",
    "tests/unit/test_redaction.py": "made-up keys that redaction must find",
    "tests/unit/test_pii_forms.py": "made-up keys that redaction must find",
    "tests/data/pii/labelled.py": "made-up keys that redaction must find",
}
"""Files whose secrets are made up, and why they are there."""


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and name not in GENERATED]


def chance(text: str) -> float:
    """Bits per character, by how often each comes."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


def secrets_in(text: str) -> Iterator[str]:
    """What kind of secret stands in a text."""
    for kind, (marks, form) in FORMS.items():
        if any(mark in text for mark in marks) and re.search(form, text):
            yield kind
    for found in QUOTED.finditer(text):
        value = found.group(1)
        if not CALLED.search(text, max(0, found.start() - NAME), found.start()):
            continue
        if chance(value) >= CHANCE and re.search(r"\d", value) and re.search(r"[A-Z]", value) and re.search(r"[a-z]", value):
            yield f"a value that looks drawn by chance ({value[:6]}…)"


def test_no_file_of_the_repository_holds_a_secret() -> None:
    found = {}
    for name in tracked():
        path = ROOT / name
        if name in KNOWN or not path.is_file() or path.stat().st_size > 2_000_000:
            continue
        kinds = list(secrets_in(path.read_bytes().decode("utf-8", "replace")))
        if kinds:
            found[name] = kinds
    assert found == {}


def test_no_file_that_holds_settings_or_keys_is_tracked() -> None:
    forbidden = re.compile(
        r"(^|/)(\.env|\.netrc|\.pypirc|\.npmrc|id_rsa|id_ed25519|cli-token|access\.json|.*\.(?:pem|key|p12|pfx))$"
    )
    assert [name for name in tracked() if forbidden.search(name)] == []


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj" * 4,
        "key = " + "AKIA" + "J7Q2M5XW9ZB4C8DN",
        "ghp" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "sk-" + "proj-" + "Zx81hQpLm3Vn7Rt2Kd9Ws4Yb6Cf0Gj5A",
        "1234567890" + ":AA" + "Hh7g6f5d4s3a2q1w0e9r8t7y6u5i4o3p2",
        "lattice" + "_" + "q7Zt1Xc4Vb9Nm2Lk5Jh8Gf3Ds6Ap0Qw" + "1Er4Ty7Ui9O5",
        "API_KEY" + " = '" + "q7Zt1Xc4Vb9Nm2Lk5Jh8Gf3Ds6Ap0Qw'",
        "redis" + "://default:" + "correcthorse@redis.example",
    ],
    ids=["private key", "cloud", "code host", "model", "bot", "ours", "by its name", "in an address"],
)
def test_a_secret_would_be_seen(text: str) -> None:
    """Else the tests above could not fail."""
    assert list(secrets_in(text))


def test_what_is_known_is_still_there() -> None:
    assert {name for name in KNOWN if name not in tracked()} == set()


def workflows() -> list[str]:
    return [name for name in tracked() if re.match(r"\.(?:github|gitea|forgejo)/workflows/.*\.ya?ml$", name)]


def test_a_workflow_elsewhere_uses_what_is_pinned_by_its_hash_and_may_only_read() -> None:
    """CI is `.ci/run`, a script that uses nobody's actions; a workflow that calls it is held to this."""
    for name in workflows():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.findall(r"uses:\s*(?!\./)\S+@(?![0-9a-f]{40}\b)\S+", text) == [], f"{name} uses an action by its tag"
        assert yaml.safe_load(text).get("permissions") in ({"contents": "read"}, {}), f"{name} does not say what it may do"
        assert "pull_request_target" not in text


def test_ci_runs_no_script_from_elsewhere() -> None:
    scripts = ".ci/run", "Makefile", "infra/Dockerfile", "infra/image-add.sh", "infra/image-without-weights.sh"
    for name in scripts:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.search(r"(curl|wget)\b[^\n]*\|\s*(ba)?sh", text), name
        assert not re.search(r"--(?:no-verify|insecure|allow-unauthenticated)|verify=False", text), name
    assert "set -euo pipefail" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
