"""devrag's own commands in the order in which people meet them, each with a line."""

from __future__ import annotations

COMMANDS = {
    "demo": "Start devrag, index a repository and generate its wiki.",
    "server": "Start, stop or restart the server, or show its status.",
    "index": "Index a repository or folder as part of a product.",
    "search": "Search the index.",
    "ask": "Ask a question and get an answer with citations.",
    "wiki": "Generate, export, compare and roll back wikis.",
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
    "doctor": "Check the installation; repair inconsistencies.",
    "init": "Write a commented .env, or a configuration for a remote server.",
    "secrets": "List what was masked in a product's files.",
    "audit": "Print the audit log: who did what, from where and when.",
    "backup": "Back up everything that cannot be rebuilt to one file.",
    "restore": "Restore a backup, on this or another machine.",
    "upgrade": "Upgrade the data to the installed version, with a backup.",
    "keys": "Rotate the keys that encrypt credentials and sign sessions.",
    "facts": "Show what the parser finds in a file, without an index.",
    "eval_search": "Measure search quality with queries whose results are known.",
    "health": "Check that the web server on this machine is healthy.",
    "prepare": "Prepare the database (run by `server start`).",
    "follower": "Keep the keyword index up to date (run by `server start`).",
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
