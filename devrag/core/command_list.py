"""devrag's own commands in the order in which people meet them, each with a line."""

from __future__ import annotations

COMMANDS = {
    "demo": "Start everything, index a repository, write its wiki.",
    "server": "Start, stop, restart devrag, or show what runs.",
    "index": "Read a repository or folder into a product's index.",
    "search": "Ask the index.",
    "wiki": "Write, export, compare and roll back wikis.",
    "product": "List, show, add, update and remove products.",
    "source": "List, show, add, update and remove sources; their credentials, hooks.",
    "jobs": "List jobs, show one with its log, cancel or retry it.",
    "watch": "Index sources on this machine whenever they change.",
    "mcp": "Serve MCP to an agent over standard input and output.",
    "token": "Create, list and revoke API tokens.",
    "embeddings": "Show, change and resume the vectors and their model.",
    "embedding_server": "Serve the local embedding model over gRPC.",
    "cache": "Clear what is kept only to be fast.",
    "doctor": "Say what is wrong and what to do; mend it.",
    "init": "Write a commented .env, or the address of a devrag elsewhere.",
    "backup": "Write all that cannot be built again to one file.",
    "restore": "Bring a backup back, here or on another machine.",
    "facts": "Show what is understood of a file, without an index.",
    "eval_search": "Measure search with questions whose answers are known.",
    "health": "Ask the web server of this machine whether it is healthy.",
    "prepare": "Make a database ready; `server start` does it.",
    "follower": "Keep this host's keyword index up to date; `server start` runs it.",
}


def overview() -> str:
    """Return what `devrag --help` prints."""
    lines = (f"  {name:<16} {line}" for name, line in COMMANDS.items())
    return "\n".join(
        [
            "usage: devrag [--config FILE] [--server URL] [--token TOKEN] COMMAND …",
            "       devrag --version\n",
            *lines,
            "\n`devrag COMMAND --help` has options and examples; `devrag help` lists",
            "Django's commands too. Guide: docs/guide/commands.md",
        ]
    )
