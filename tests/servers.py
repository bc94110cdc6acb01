"""OpenSearch, Qdrant and Redis in containers, of the versions that docker-compose.yml names."""

from __future__ import annotations

import os
from collections.abc import Callable

OPENSEARCH = "opensearchproject/opensearch:3.6.0"
QDRANT = "qdrant/qdrant:v1.19.0"
REDIS = "redis:8.6.3"
QDRANT_KEY = "key-of-the-tests"


def without_docker() -> str | None:
    """Why no container can be started; None when one can."""
    import docker  # what only the tests of servers need
    from docker.errors import DockerException

    try:
        client = docker.from_env(timeout=5)
        client.ping()
        client.close()
    except DockerException as error:
        return f"no Docker engine answers ({error})"
    return None


def start_opensearch() -> tuple[str, Callable[[], None]]:
    return _start(
        OPENSEARCH,
        9200,
        {
            "discovery.type": "single-node",
            "plugins.security.disabled": "true",
            "DISABLE_INSTALL_DEMO_CONFIG": "true",
            "OPENSEARCH_JAVA_OPTS": "-Xms256m -Xmx256m",
        },
        "/",
    )


def start_qdrant() -> tuple[str, Callable[[], None]]:
    return _start(QDRANT, 6333, {"QDRANT__SERVICE__API_KEY": QDRANT_KEY}, "/readyz")


def start_redis() -> tuple[str, Callable[[], None]]:
    return _start(REDIS, 6379, {}, None)


def _start(image: str, port: int, environment: dict[str, str], ready: str | None) -> tuple[str, Callable[[], None]]:
    """Its address, and what ends it. `ready` is the path that answers 200 when it is up; None: the port is enough."""
    os.environ.setdefault("TESTCONTAINERS_RYUK_DISABLED", "true")  # the fixture stops what it started
    from testcontainers.core.container import DockerContainer
    from testcontainers.core.wait_strategies import HttpWaitStrategy, PortWaitStrategy

    waiting = PortWaitStrategy(port) if ready is None else HttpWaitStrategy(port, ready).for_status_code(200)
    container = DockerContainer(image).with_exposed_ports(port).waiting_for(waiting.with_startup_timeout(120))
    for name, value in environment.items():
        container = container.with_env(name, value)
    container.start()
    scheme = "redis" if port == 6379 else "http"
    return f"{scheme}://{container.get_container_host_ip()}:{container.get_exposed_port(port)}", container.stop
