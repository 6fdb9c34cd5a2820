"""devrag's own commands in the order in which people meet them, each with a line."""

from __future__ import annotations

COMMANDS = {
    "demo": "Start everything, index a repository, write its wiki.",
    "server": "Start, stop or restart the server, or show its state.",
    "index": "Read a repository or folder into a product's index.",
    "search": "Search the index.",
    "ask": "Ask a question; the answer cites the lines that it rests on.",
    "wiki": "Write, export, compare and roll back wikis.",
    "product": "List, show, add, update and remove products.",
    "source": "List, show, add, update and remove sources; credentials and hooks.",
    "jobs": "List jobs, show one with its log, cancel or retry it.",
    "watch": "Index sources on this machine whenever they change.",
    "mcp": "Serve MCP to an agent over standard input and output.",
    "token": "Create, list and revoke API tokens.",
    "embeddings": "Show, change, pause and resume embeddings.",
    "model": "Show, set and test the language model.",
    "embedding_server": "Serve the local embedding model over gRPC.",
    "cache": "Clear caches.",
    "doctor": "Check the installation and repair inconsistencies.",
    "init": "Write a commented .env, or the address of another server.",
    "backup": "Write everything that cannot be rebuilt to one file.",
    "restore": "Restore a backup, here or on another machine.",
    "upgrade": "Bring the data to the installed version, with a way back.",
    "keys": "Rotate the keys that encrypt credentials and sign sessions.",
    "facts": "Show what the parser finds in a file, without an index.",
    "eval_search": "Measure search quality with queries whose answers are known.",
    "health": "Check that the web server of this machine is healthy.",
    "prepare": "Prepare the database; `server start` does this.",
    "follower": "Keep the keyword index of this host current; `server start` runs it.",
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
