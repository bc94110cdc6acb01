"""For every test: properties are tried on the same few examples each time, so that a red run can be run again. `make slow` tries
four times as many (`--hypothesis-profile=thorough`), and whoever looks for more gives `--hypothesis-profile=wild`: a thousand,
and others each time.

And real servers for the suites that need them, one of each for a whole run. They are started with testcontainers where Docker is
there; `LATTICE_TEST_OPENSEARCH_URL`, `LATTICE_TEST_QDRANT_URL` and `LATTICE_TEST_REDIS_URL` name running ones instead. Without
either the tests are skipped and say so; with `CI` set they fail.
"""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Callable, Iterator

import pytest
import structlog
from hypothesis import settings

from tests.servers import QDRANT_KEY, start_opensearch, start_qdrant, start_redis, without_docker

settings.register_profile("steady", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("thorough", derandomize=True, deadline=None, max_examples=100)
settings.register_profile("wild", derandomize=False, deadline=None, max_examples=1000)
settings.load_profile("steady")

# Nothing that is imported and collected becomes garbage, and looking for it took a fifth of the time of collecting.
gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Send at once what pytest-rerunfailures tells of each test: the second of its two messages waited up to 40 ms until the
    first one was acknowledged, and 449 quick tests took 24 instead of 18 s."""
    told = getattr(getattr(config, "failures_db", None), "sock", None)
    if told is not None:
        told.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    """Look through the garbage once. pytest does so five times at its end, over all that was collected: 0.6 s each."""
    gc.collect()
    gc.freeze()


# As structlog does where nobody configures it, but for tracebacks: drawn by rich, with all variables, one takes a second.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.set_exc_info,
        structlog.processors.TimeStamper(fmt="iso", utc=False),
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)


def _url_of(name: str, start: Callable[[], tuple[str, Callable[[], None]]]) -> Iterator[str]:
    if url := os.environ.get(f"LATTICE_TEST_{name}_URL"):
        yield url
        return
    if why := without_docker():
        if os.environ.get("CI"):
            pytest.fail(f"In CI no test of a server may be skipped: {why}")
        pytest.skip(f"Needs a real server: {why}")
    url, stop = start()
    yield url
    stop()


@pytest.fixture(scope="session")
def opensearch_url() -> Iterator[str]:
    yield from _url_of("OPENSEARCH", start_opensearch)


@pytest.fixture(scope="session")
def qdrant_url() -> Iterator[str]:
    yield from _url_of("QDRANT", start_qdrant)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    yield from _url_of("REDIS", start_redis)


@pytest.fixture(scope="session")
def qdrant_key() -> str:
    return QDRANT_KEY
