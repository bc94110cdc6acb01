"""`lattice mcp-config`: what to paste where, so that an assistant finds this memory."""

from __future__ import annotations

import json
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer
from lattice_common.errors import Conflict

from lattice_cli.assistants import http_address
from lattice_cli.target import Target, base_url, find_target

if TYPE_CHECKING:
    from lattice_common.settings import Settings


class Client(StrEnum):
    """Programs that a recipe is kept for."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    VSCODE = "vscode"
    CODEX = "codex"
    CHATGPT = "chatgpt"
    OPEN_WEBUI = "open-webui"
    CLAUDE_CODE_HOOKS = "claude-code-hooks"
    CODEX_NOTIFY = "codex-notify"
    OPEN_WEBUI_FILTER = "open-webui-filter"


OVER_HTTP = frozenset({Client.CHATGPT, Client.OPEN_WEBUI})
"""Those that start no program on this machine."""

BY_ITSELF = frozenset({Client.CLAUDE_CODE_HOOKS, Client.CODEX_NOTIFY, Client.OPEN_WEBUI_FILTER})
"""Recipes by which a session gets the profile and is kept without anybody asking for it."""

PLACEHOLDER = "YOUR-TOKEN"


def mcp_config(
    client: Annotated[Client, typer.Argument(help="The program that is to use memory.")],
    new_token: Annotated[bool, typer.Option("--new-token", help="Make another token; the one before it ends.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For scripts: where it goes, and what.")] = False,
) -> None:
    """Print what to paste into an assistant so that it finds this memory, with the paths and the token of this machine.

    Example: lattice mcp-config claude-desktop
    """
    target = find_target()
    if client in BY_ITSELF:
        where, paste = _by_itself(client, target)
    elif client not in OVER_HTTP:
        where, paste = _started(client, target)
    else:
        from lattice_common.settings import Settings

        settings = Settings()
        where, paste = _reached(client, settings, _token(client, settings, target, new=new_token))
    if as_json:
        sys.stdout.write(json.dumps({"client": client, "where": where, "paste": paste}, ensure_ascii=False) + "\n")
        return
    sys.stderr.write(f"{where}\n\n")
    sys.stdout.write(f"{paste}\n")


def _started(client: Client, target: Target) -> tuple[str, str]:
    """Return where the entry belongs, and the entry, for programs that start `lattice mcp` themselves."""
    command, *arguments = _command()
    environment = environment_of(target)
    entry = {"command": command, "args": arguments, "env": environment}
    if client is Client.CLAUDE_CODE:
        given = " ".join(f"--env {name}={shlex.quote(value)}" for name, value in environment.items())
        # Options stand before the name, and one of a single value right before it: `--env` takes all that follows for its own.
        line = f"claude mcp add {given} --scope user lattice -- {' '.join(map(shlex.quote, (command, *arguments)))}"
        return "Run this once:", line
    if client is Client.VSCODE:
        where = (
            "Put this into .vscode/mcp.json of a folder, or into the file that the command `MCP: Open User Configuration` opens:"
        )
        return where, json.dumps({"servers": {"lattice": {"type": "stdio", **entry}}}, indent=2)
    if client is Client.CODEX:
        where = "Put this into ~/.codex/config.toml, which Codex and the ChatGPT app on this machine read, and start them anew:"
        # A string of JSON is one of TOML.
        lines = [f"command = {json.dumps(command)}", f"args = {json.dumps(arguments)}", "", "[mcp_servers.lattice.env]"]
        lines += [f"{name} = {json.dumps(value)}" for name, value in environment.items()]
        return where, "\n".join(["[mcp_servers.lattice]", *lines])
    path = _desktop_file() if client is Client.CLAUDE_DESKTOP else Path("~/.cursor/mcp.json").expanduser()
    where = f"Put this into {path} (beside other `mcpServers`, if there are any), and start the program anew:"
    typed = {"type": "stdio"} if client is Client.CURSOR else {}
    return where, json.dumps({"mcpServers": {"lattice": {**typed, **entry}}}, indent=2)


def _by_itself(client: Client, target: Target) -> tuple[str, str]:
    """Return what has a client call `lattice hook`, or Lattice itself: where it goes, and what."""
    *command, _ = _command()
    environment = environment_of(target)
    if client is Client.OPEN_WEBUI_FILTER:
        where = (
            "In Open WebUI: Admin Panel, Functions, + (New Function): paste this, save it, switch it on, and set its URL and "
            "token (gear; `lattice token add open-webui-filter --scope read --scope capture` makes one)."
        )
        return where, Path(__file__).with_name("open_webui_filter.txt").read_text(encoding="utf-8")
    if client is Client.CODEX_NOTIFY:
        called = ["env", *(f"{name}={value}" for name, value in environment.items()), *command, "hook", "turn"]
        return "Put this into ~/.codex/config.toml, above all lines in brackets:", f"notify = {json.dumps(called)}"

    def calling(what: str) -> list[dict[str, object]]:
        given = " ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())
        line = f"{given} {' '.join(map(shlex.quote, command))} hook {what}"
        return [{"hooks": [{"type": "command", "command": line, "timeout": 30}]}]

    where = "Put this into ~/.claude/settings.json (beside other `hooks`, if there are any):"
    return where, json.dumps({"hooks": {"SessionStart": calling("start"), "SessionEnd": calling("end")}}, indent=2)


def _reached(client: Client, settings: Settings, token: str) -> tuple[str, str]:
    """Return where the entry belongs, and the entry, for programs that reach MCP over HTTP."""
    if client is Client.OPEN_WEBUI:
        where = (
            "Start `lattice mcp --http` (or the compose profile `mcp`). In Open WebUI (0.6.31 or newer): Admin Settings, "
            "External Tools, + (Add Server); type `MCP (Streamable HTTP)`. In a container it reaches this machine as "
            "host.docker.internal: then put that name into LATTICE_ALLOWED_HOSTS, and let LATTICE_MCP_HOST be an address that "
            "containers reach."
        )
        return where, f"URL:    {http_address(settings)}\nAuth:   Bearer\nKey:    {token}"
    where = (
        "The ChatGPT app on this machine starts Lattice itself: see `lattice mcp-config codex`. ChatGPT on the web reaches "
        "addresses on the internet only, over https. Put a proxy or tunnel with TLS before "
        f"{http_address(settings)} (`lattice mcp --http`, or the compose profile `mcp`), and its name into "
        "LATTICE_ALLOWED_HOSTS. Then chatgpt.com/plugins, +, Add custom MCP server (where that is missing: Settings, Apps, "
        "Advanced settings, Developer mode; then Create app). It has no field for a token: let the proxy add the header, and let "
        "the proxy ask who comes, for whoever reaches it reads your memory."
    )
    return (
        where,
        f"Name:            Lattice\nMCP server URL:  https://YOUR-NAME/mcp\nHeader:          Authorization: Bearer {token}",
    )


def _token(client: Client, settings: Settings, target: Target, *, new: bool) -> str:
    """Return the door's own, else one made for this program; a placeholder, and why, where none can be shown."""
    if settings.mcp_token:
        return settings.mcp_token.get_secret_value()
    from lattice_cli.connection import running

    lattice = running(target)
    if lattice is None:
        sys.stderr.write(
            f"Lattice is not running, so no token can be made: start it and run this again, or put one for {PLACEHOLDER}.\n"
        )
        return PLACEHOLDER
    with lattice:
        if any(each["name"] == client for each in lattice.tokens()):
            if not new:
                raise Conflict(
                    f"There is a token named {client} already, and it was shown once. Make another, which ends that one: "
                    f"lattice mcp-config {client} --new-token"
                )
            lattice.revoke_token(client)
        return lattice.add_token(client, ["read", "capture"])


def environment_of(target: Target) -> dict[str, str]:
    """Return what leads `lattice mcp` to this target from wherever it is started."""
    environment = {"LATTICE_DIR": str(target.data_dir.resolve())}
    if target.inbox.resolve() != target.data_dir.resolve() / "inbox":
        environment["LATTICE_INBOX"] = str(target.inbox.resolve())
    address = urlsplit(target.base_url)
    host, port = address.hostname or "", address.port
    is_of_this_machine = port is not None and target.base_url.rstrip("/") == base_url(host, port)  # and not behind a proxy
    if target.found_url is not None:
        pass  # found in the folder each time: it may be another one at the next start
    elif port is None or not is_of_this_machine:
        environment["LATTICE_API_URL"] = target.base_url
    else:
        if host != "127.0.0.1":
            environment["LATTICE_HOST"] = host
        if port != 7337:
            environment["LATTICE_WEB_PORT"] = str(port)
    if target.fixed_token:
        environment["LATTICE_API_TOKEN"] = target.fixed_token
    return environment


def _command() -> list[str]:
    """Return this very program, by its whole path: assistants start it without the shell's PATH."""
    beside = Path(sys.executable).with_name("lattice")
    return [str(beside), "mcp"] if beside.exists() else [sys.executable, "-m", "lattice_cli.app", "mcp"]


def _desktop_file() -> Path:
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/Claude/claude_desktop_config.json").expanduser()
    return Path("~/.config/Claude/claude_desktop_config.json").expanduser()
