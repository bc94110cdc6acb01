"""The doors that a deployment has when it is asked for them."""

from __future__ import annotations

import pytest

from tests.compose.deployment import Deployment, free_port, wait_until
from tests.services.mcp_product import over_http
from tests.services.telegram_server import OWNER, STRANGER, TOKEN, Sent, TelegramServer, telegram_server

pytestmark = pytest.mark.compose


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_an_assistant_remembers_and_recalls_over_mcp(deployment: Deployment) -> None:
    port = free_port()
    deployment.environment["LATTICE_MCP_PORT"] = str(port)
    deployment.compose("--profile", "mcp", "up", "-d", "--no-build", "mcp")
    try:
        wait_until("MCP to be healthy", lambda: deployment.is_healthy("mcp"))
        async with over_http(f"http://127.0.0.1:{port}/mcp", deployment.token or "") as assistant:
            await assistant.call_tool("remember", {"text": "The stopcock is under the kitchen sink."})
            wait_until("it to be remembered", lambda: _found(deployment, "Where is the stopcock?", "kitchen sink"))
            said = await assistant.call_tool("recall", {"query": "Where is the stopcock?"})
            assert "under the kitchen sink" in str(said.content)
        assert deployment.runs("mcp", "sh", "-c", "touch /data/atoms/x || touch /data/journal/x").returncode != 0
        probe = "import socket; socket.create_connection(('opensearch', 9200), timeout=3)"
        assert deployment.runs("mcp", "python", "-c", probe).returncode != 0
    finally:
        deployment.compose("--profile", "mcp", "rm", "-sf", "mcp")


def test_the_bot_is_paired_remembers_and_loses_nothing_while_the_api_is_away(deployment: Deployment) -> None:
    with telegram_server(deployment.gateway("outside")) as telegram:
        # Without a token that somebody chose the bot takes the one that the API leaves for it.
        own = {"LATTICE_TELEGRAM_TOKEN": TOKEN, "LATTICE_TELEGRAM_API": telegram.url, "LATTICE_API_TOKEN": ""}
        deployment.compose("--profile", "telegram", "up", "-d", "--no-build", "--no-deps", "bot", environment=own)
        try:
            wait_until("the bot to be healthy", lambda: deployment.is_healthy("bot"))
            telegram.say("Is this anybody's?", user=STRANGER)
            code = deployment.runs("bot", "lattice", "pair", "telegram").stdout.split()[0]
            telegram.say(f"/start {code}")
            wait_until("the code to be taken", lambda: any("This is your Lattice." in each.text for each in telegram.sent))
            # Of nothing that another test tells of: these messages are dated before theirs, which would replace what they say.
            told = telegram.say("The wheelbarrow is in the neighbour's shed.")
            assert _reply_to(telegram, told).text == "Remembered: The wheelbarrow is in the neighbour's shed."
            assert (told, "👀") in telegram.reactions
            assert _found(deployment, "Where is the wheelbarrow?", "shed")

            deployment.compose("stop", "api")
            told = telegram.say("The fuse box is behind the coat rack.")
            wait_until("it to be left", lambda: any("This waits in the inbox" in each.text for each in telegram.sent))
            left = list((deployment.data / "inbox").rglob("*.capture.json"))
            assert len(left) == 1, "the worker may have taken it already"
            assert str(OWNER) not in left[0].name
            deployment.compose("start", "api")
            assert _reply_to(telegram, told).text == "Remembered: The fuse box is behind the coat rack."
            assert {each.chat for each in telegram.sent} == {OWNER}
            wait_until("the stranger to be counted", lambda: "lattice_telegram_strangers_total 1.0" in deployment.metrics())

            assert deployment.runs("bot", "sh", "-c", "touch /data/atoms/x || touch /data/journal/x").returncode != 0
            probe = "import socket; socket.create_connection(('opensearch', 9200), timeout=3)"
            assert deployment.runs("bot", "python", "-c", probe).returncode != 0
            logs = deployment.compose("--profile", "telegram", "logs")
            assert "telegram_paired" in logs
            assert TOKEN.partition(":")[2] not in logs
        finally:
            deployment.compose("start", "api")
            deployment.compose("--profile", "telegram", "rm", "-sf", "bot")


def _reply_to(telegram: TelegramServer, message: int) -> Sent:
    """The bot's reply, as long as that takes on a busy machine."""
    wait_until("a reply", lambda: any(each.reply_to == message for each in telegram.sent))
    return telegram.reply_to(message)


def _found(deployment: Deployment, question: str, words: str) -> bool:
    with deployment.client() as client:
        return any(words in atom["content"] for atom in client.select(question, limit=3)["atoms"])
