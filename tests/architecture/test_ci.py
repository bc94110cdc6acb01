"""How `.ci/run` has suites run beside each other: a failure fails the run, and what each prints stands together."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from source_tree import ROOT

from tests.working import until

pytestmark = [
    pytest.mark.lengthy,
    pytest.mark.skipif(not (shutil.which("bash") and shutil.which("flock")), reason="CI runs on Linux"),
]

COUNTING = "for n in 1 2 3 4 5; do echo {name} $n; read -t 0.02 -r _ < <(tail -f /dev/null) || true; done"
"""Prints five lines with a pause after each."""


def run(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    whole = f"set -euo pipefail\n. {ROOT / '.ci' / 'parts.sh'}\n{script}\n"
    return subprocess.run(["bash", "-c", whole], cwd=folder, capture_output=True, text=True, check=False, timeout=30)


def test_what_parts_print_beside_each_other_stands_together_with_their_durations(tmp_path: Path) -> None:
    counting = {name: COUNTING.format(name=name) for name in ("one", "two")}
    begun = "\n".join(f"beside {name} bash -c '{each}'" for name, each in counting.items())
    done = run(tmp_path, f"{begun}\ntogether\necho end")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert lines[-1] == "end"
    for name in counting:
        first = lines.index(f"=== {name}")
        assert lines[first + 1 : first + 6] == [f"{name} {n}" for n in range(1, 6)]
        assert lines[first + 6].startswith(f"=== {name} took 0:0")


def test_one_that_fails_fails_the_run_once_the_others_have_ended(tmp_path: Path) -> None:
    done = run(tmp_path, "beside bad bash -c 'echo broken >&2; exit 3'\nbeside good echo fine\ntogether\necho end")
    assert done.returncode != 0
    assert "broken\n=== bad FAILED after 0:0" in done.stdout
    assert "(exit status 3)" in done.stdout
    assert "fine\n=== good took" in done.stdout
    assert "end" not in done.stdout.splitlines()


def test_one_alone_that_fails_ends_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, "alone bad false\necho end")
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["=== bad", "=== bad FAILED after 0:00 (exit status 1)"]


def test_a_run_that_ends_early_ends_what_it_began(tmp_path: Path) -> None:
    sleeping = "bash -c 'sleep 60 & echo $! >pid; wait'"
    done = run(tmp_path, f"beside long {sleeping}\nuntil [ -s pid ]; do :; done\nexit 5")
    assert done.returncode == 5
    until("it to end", lambda: not Path("/proc", (tmp_path / "pid").read_text().strip()).exists())
