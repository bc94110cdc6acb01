"""One deployment for the whole suite, built from this tree."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest

from infra.parts import base
from tests.compose.deployment import ROOT, Deployment
from tests.servers import without_docker


@pytest.fixture(scope="session")
def images() -> bool:
    """The images of this tree; whether they are built offline, on stand-ins for the engines. LATTICE_TEST_BUILT=true takes those
    that are there, for whoever runs the suite again and again."""
    if why := without_docker():
        if os.environ.get("CI"):
            pytest.fail(f"In CI no deployment may be skipped: {why}")
        pytest.skip(f"Needs Docker with Compose: {why}")
    offline = os.environ.get("LATTICE_OFFLINE_IMAGES") == "true"
    if os.environ.get("LATTICE_TEST_BUILT") == "true":
        return offline
    builder = Deployment("lattice-build", offline)
    try:
        builder.compose("--profile", "*", "build", timeout=1800)
    finally:
        builder.end()
    return offline


@pytest.fixture(scope="session")
def solo_image(images: bool) -> str:
    """The embedded product in one container, which Compose has nothing to do with."""
    name = "lattice-solo:0.1.0"
    network = ["--network", "host", "--build-arg", f"PYTHON={base()}"] if images else []
    command = ["docker", "build", *network, "-f", "infra/Dockerfile", "--target", "solo", "-t", name, "."]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=1800)
    return name


@pytest.fixture(scope="session")
def deployment(images: bool) -> Iterator[Deployment]:
    made = Deployment("lattice-test", images)
    made.end()
    made = Deployment("lattice-test", images)
    try:
        made.up()
        made.wait_ready()
        yield made
    finally:
        made.end()


@pytest.fixture(scope="session")
def offline(images: bool) -> bool:
    return images


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """What the containers said, beside a failure."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]  # pluggy's result has no type here
    found = getattr(item, "funcargs", {}).get("deployment")
    if report.when == "call" and report.failed and isinstance(found, Deployment):
        logs = subprocess.run(
            ["docker", "compose", "--project-name", found.project, "logs", "--tail", "60"],
            capture_output=True,
            text=True,
            check=False,
        )
        report.sections.append(("containers", logs.stdout[-8000:]))
