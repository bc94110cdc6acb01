"""Under which licence everything is that is used: `make licences` (docs/security-checks.md, after S30)."""

from __future__ import annotations

from email.message import Message
from pathlib import Path

import pytest

from infra import licences
from infra.licences import Part, Policy, Reading

pytestmark = pytest.mark.lengthy

RULES = Policy(
    allowed=frozenset(("MIT", "Apache-2.0")),
    forbidden={"GPL-3.0-only": "all of it would have to be under the GPL"},
    names={"the mit licence": "MIT"},
    read={("package", "odd-one"): Reading("LGPL-3.0-only", excused=True, told="see COPYING")},
)
ODD = Part("package", "Odd_One", "1.0", "see COPYING")


def wrong(told: str | None, name: str = "left-pad") -> str:
    """What is said of one package beside one that is in the list."""
    [found] = licences.faults([ODD, Part("package", name, "1.4.0", told)], RULES)
    return found


@pytest.mark.parametrize(
    "told", ["MIT", "The MIT licence", "MIT AND Apache-2.0", "GPL-3.0-only OR MIT", "(GPL-3.0-only OR MIT) AND Apache-2.0"]
)
def test_what_is_allowed_as_a_whole_or_by_choice_is_passed_over(told: str) -> None:
    assert licences.faults([ODD, Part("package", "left-pad", "1.4.0", told)], RULES) == []


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (None, "does not say"),
        ("see the file", "no known licence"),
        ("LGPL-3.0-only", "LGPL-3.0-only is not in the list"),
        ("MIT AND GPL-3.0-only", "GPL-3.0-only may not be used: all of it would have to be under the GPL"),
        ("GPL-3.0-only OR LGPL-3.0-only", "GPL-3.0-only may not be used"),
        ("GPL-2.0-only WITH Classpath-exception-2.0", "GPL-2.0-only WITH Classpath-exception-2.0 is not in the list"),
    ],
)
def test_what_is_unknown_or_forbidden_is_named_with_what_to_do(told: str | None, why: str) -> None:
    found = wrong(told)
    assert found.startswith("left-pad 1.4.0: ")
    assert why in found
    assert licences.LISTED.name in found


def test_an_excuse_is_of_one_package_and_of_what_it_said_when_it_was_read() -> None:
    assert licences.faults([ODD], RULES) == []
    [changed] = licences.faults([Part("package", "odd-one", "2.0", "GPL-3.0-only")], RULES)
    assert "says “GPL-3.0-only” now, and said “see COPYING” when it was read" in changed
    [left] = licences.faults([], RULES)
    assert left.startswith("odd-one: ")
    assert "take that out" in left


def test_an_expression_counts_before_words_and_these_before_a_classifier() -> None:
    package = Message()
    package["Classifier"] = "License :: OSI Approved"
    package["Classifier"] = "License :: OSI Approved :: BSD License"
    assert licences.told_by(package) == "BSD License"
    package["License"] = "BSD-2-Clause\n\nRedistribution and use"
    assert licences.told_by(package) == "BSD-2-Clause"
    package["License-Expression"] = "0BSD"
    assert licences.told_by(package) == "0BSD"
    several = Message()
    several["Classifier"] = "License :: OSI Approved :: MIT License"
    several["Classifier"] = "License :: OSI Approved :: BSD License"
    assert licences.told_by(several) is None


def test_an_entry_without_its_reason_is_refused(tmp_path: Path) -> None:
    listed = tmp_path / "licences.toml"
    listed.write_text('allowed = []\n[forbidden]\n[names]\n[[package]]\nname = "x"\nlicence = "MIT"\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="no name, licence or why"):
        licences.policy(listed)


@pytest.mark.slow
def test_all_that_is_used_is_under_a_licence_that_may_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    licences.main([])
    assert ": 0 to look at" in capsys.readouterr().out
    looked_at = {part.name for part in (*licences.installed(), *licences.others())}
    assert {"pytest", "fastapi", "lit", "opensearchproject/opensearch-dashboards", "redis", "python"} <= looked_at
