"""The doors that a deployment has when it is asked for them."""

from __future__ import annotations

import pytest

from tests.compose.deployment import Deployment, free_port, wait_until
from tests.services.mcp_product import over_http

pytestmark = [pytest.mark.compose, pytest.mark.anyio]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_an_assistant_remembers_and_recalls_over_mcp(deployment: Deployment) -> None:
    port = free_port()
    deployment.environment["LATTICE_MCP_PORT"] = str(port)
    deployment.compose("--profile", "mcp", "up", "-d", "--no-build", "mcp")
    try:
        wait_until("MCP to be healthy", lambda: "healthy" in str(deployment.inspect()["mcp"]["State"]))
        async with over_http(f"http://127.0.0.1:{port}/mcp", deployment.token or "") as assistant:
            await assistant.call_tool("remember", {"text": "The stopcock is under the kitchen sink."})
            wait_until("it to be remembered", lambda: _found(deployment, "Where is the stopcock?"))
            said = await assistant.call_tool("recall", {"query": "Where is the stopcock?"})
            assert "under the kitchen sink" in str(said.content)
        assert deployment.runs("mcp", "sh", "-c", "touch /data/atoms/x || touch /data/journal/x").returncode != 0
        probe = "import socket; socket.create_connection(('opensearch', 9200), timeout=3)"
        assert deployment.runs("mcp", "python", "-c", probe).returncode != 0
    finally:
        deployment.compose("--profile", "mcp", "rm", "-sf", "mcp")


def _found(deployment: Deployment, question: str) -> bool:
    with deployment.client() as client:
        return any("kitchen sink" in atom["content"] for atom in client.select(question, limit=3)["atoms"])
