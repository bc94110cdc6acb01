"""docker-compose.yml and what is generated beside it say what the settings say."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from lattice_common.settings import Settings, setting_names
from source_tree import ROOT

from infra.generated import DEPLOYMENT, GENERATED, GROUPS, env_example

COMPOSE = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
OWN = {name: each for name, each in SERVICES.items() if str(each["image"]).startswith("lattice-")}
OF_THE_CONTAINER = {"TZ", "PUID", "PGID", "REMAP_SIGTERM"}
"""What is no setting of Lattice: the time zone, the owner, and how Celery takes a signal."""


@pytest.mark.parametrize("name", GENERATED)
def test_what_is_made_from_the_code_is_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == GENERATED[name](), "run `make docs`"


def test_every_setting_is_in_the_example_once_and_none_is_set() -> None:
    lines = env_example().splitlines()
    named = [found.group(1) for line in lines if (found := re.match(r"#([A-Z_]+)=", line))]
    assert sorted(named) == sorted([*setting_names(), *DEPLOYMENT])
    assert all(line.startswith("#") for line in lines if line)
    assert set(GROUPS) <= set(setting_names())


def test_the_example_says_the_defaults(tmp_path: Any) -> None:
    """All taken in, they change nothing."""
    taken = tmp_path / ".env"
    taken.write_text(re.sub(r"^#(?=[A-Z_]+=.)", "", env_example(), flags=re.MULTILINE))
    fields = {name: value for name, value in Settings(_env_file=taken)}  # type: ignore[call-arg]  # noqa: C416 - a model is iterable, not a mapping
    assert fields == dict(Settings(_env_file=None))  # type: ignore[call-arg]


@pytest.mark.parametrize("service", OWN)
def test_what_a_container_is_told_are_settings(service: str) -> None:
    told = set(OWN[service].get("environment", {}))
    known = {*setting_names(), *(f"{name}_FILE" for name in setting_names()), *OF_THE_CONTAINER}
    assert told - known == set()


def test_what_can_be_set_from_outside_is_a_setting_or_explained() -> None:
    asked = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", COMPOSE))
    assert asked - {*setting_names(), *DEPLOYMENT} == set()
    assert set(DEPLOYMENT) <= asked


def test_the_engines_get_none_of_the_settings() -> None:
    """What is in .env may be a key for something else."""
    for name, each in SERVICES.items():
        if name not in OWN:
            assert "env_file" not in each, name
            assert not [key for key in each.get("environment", {}) if key.startswith(("LATTICE_", "LLM_"))], name


@pytest.mark.parametrize("service", ["api", "worker"])
def test_whatever_the_owner_sets_reaches_those_who_read_it(service: str) -> None:
    """But for what is so inside the containers, whatever the host says."""
    assert OWN[service]["env_file"] == [{"path": ".env", "required": False}]
    fixed = OWN[service]["environment"]
    assert (fixed["LATTICE_MODE"], fixed["LATTICE_DIR"], fixed["LATTICE_INBOX"]) == ("server", "/data", "/data/inbox")
    if service == "api":
        assert (fixed["LATTICE_HOST"], fixed["LATTICE_WEB_PORT"]) == ("0.0.0.0", 7337)


def test_images_of_engines_are_pinned_to_a_version_and_those_of_the_tests_are_the_same() -> None:
    from tests import servers

    images = {name: each["image"] for name, each in SERVICES.items() if name not in OWN}
    assert images == {"opensearch": servers.OPENSEARCH, "qdrant": servers.QDRANT, "redis": servers.REDIS}
    assert all(re.search(r":v?\d+\.\d+\.\d+$", image) for image in images.values())
