"""What to paste into an agent's program so that it asks this server over MCP."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from devrag.access.auth import is_direct_local_request
from devrag.core.installation import default_home

PLACEHOLDER = "devrag_…"
_ELSEWHERE = "/path/to/devrag"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A program and what it wants. file: where it belongs; empty for a command."""

    key: str
    program: str
    file: str
    http: str
    stdio: str
    needs_node: bool = False


def list_snippets(request: HttpRequest, secret: str = "") -> tuple[Snippet, ...]:
    """Return a snippet per program with this server's address, and the secret if given.

    The paths of this machine are told only to who sits at it.
    """
    url = request.build_absolute_uri("/mcp")
    header = f"Authorization: Bearer {secret or PLACEHOLDER}"
    bearer = {"Authorization": f"Bearer {secret or PLACEHOLDER}"}
    command, *arguments = _local_command(request)
    home = _other_home(request)
    stdio = {"command": command, "args": arguments, **({"env": home} if home else {})}
    given = "".join(f"-e {key}={shlex.quote(path)} " for key, path in home.items())
    return (
        Snippet(
            "claude-code",
            "Claude Code",
            "",
            "claude mcp add --transport http devrag "
            f"{shlex.quote(url)} --header {shlex.quote(header)}",
            f"claude mcp add devrag {given}-- {shlex.join([command, *arguments])}",
        ),
        Snippet(
            "claude-desktop",
            "Claude Desktop",
            "claude_desktop_config.json",
            _servers(_remote(url, bearer["Authorization"])),
            _servers(stdio),
            needs_node=True,
        ),
        Snippet(
            "cursor",
            "Cursor",
            ".cursor/mcp.json",
            _servers({"url": url, "headers": bearer}),
            _servers(stdio),
        ),
        Snippet(
            "vs-code",
            "VS Code",
            ".vscode/mcp.json",
            _vs_code(url),
            _json({"servers": {"devrag": {"type": "stdio", **stdio}}}),
        ),
    )


def _remote(url: str, authorization: str) -> dict[str, Any]:
    """Return what carries messages for a program that starts programs only."""
    is_plain = [] if url.startswith("https") else ["--allow-http"]
    remote = ["-y", "mcp-remote", url, *is_plain, "--header"]
    # Its arguments must hold no blank on Windows: the header travels beside them.
    return {
        "command": "npx",
        "args": [*remote, "Authorization:${DEVRAG_TOKEN}"],
        "env": {"DEVRAG_TOKEN": authorization},
    }


def _local_command(request: HttpRequest) -> list[str]:
    if not is_direct_local_request(request):
        python, manage = f"{_ELSEWHERE}/.venv/bin/python", f"{_ELSEWHERE}/manage.py"
        return [python, manage, "mcp"]
    return [sys.executable, *settings.MANAGE, "mcp"]


def _other_home(request: HttpRequest) -> dict[str, str]:
    """Return what leads an agent to this instance's data, unless it is the default."""
    is_usual = default_home() == settings.DEVRAG_HOME
    if is_usual or not is_direct_local_request(request):
        return {}
    return {"DEVRAG_HOME": str(settings.DEVRAG_HOME)}


def _servers(server: Mapping[str, Any]) -> str:
    return _json({"mcpServers": {"devrag": server}})


def _vs_code(url: str) -> str:
    """VS Code asks for the token itself and keeps it out of the file."""
    question = {
        "type": "promptString",
        "id": "devrag-token",
        "description": "devrag token",
        "password": True,
    }
    headers = {"Authorization": "Bearer ${input:devrag-token}"}
    server = {"type": "http", "url": url, "headers": headers}
    return _json({"inputs": [question], "servers": {"devrag": server}})


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
