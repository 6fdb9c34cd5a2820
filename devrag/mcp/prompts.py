"""Prompts that people pick in their client: which tools to use, and in what order."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import Field


def explain_module(
    module: Annotated[str, Field(description="A folder, file, class or function.")],
    collection: Annotated[str, Field(description="A source or product.")],
) -> str:
    """Explain a module: what it is for, how it works, what leans on it."""
    return (
        f"Explain `{module}` of '{collection}' to somebody new to the code.\n\n"
        f"1. gather_context('What is {module} for, and how does it work?', "
        f"collection='{collection}'); read_wiki for its page, where there is one.\n"
        "2. list_tree or find_symbol for what is in it; read_file for the lines that "
        "matter, in ranges.\n"
        "3. get_references for what uses its main definitions; find_related for its "
        "tests.\n\n"
        "Answer in this order: purpose, how it works (with the path of one call "
        "through it), what it depends on, what depends on it, what to watch when "
        "changing it. Name path and lines for every statement, and say what you did "
        "not find."
    )


def review_change(
    change: Annotated[str, Field(description="A diff, or what is to be changed.")],
    collection: Annotated[str, Field(description="A source or product.")],
) -> str:
    """Review a change with its context: callers, tests, look-alikes, documentation."""
    return (
        f"Review this change to '{collection}'.\n\n```diff\n{change}\n```\n\n"
        "For each definition it touches:\n"
        "1. find_symbol, then get_references: does every caller still hold?\n"
        "2. find_related: is there the same code elsewhere that needs the same change, "
        "and which tests cover it?\n"
        "3. gather_context: does documentation or configuration say otherwise now?\n\n"
        "List findings, the most serious first: path and lines, what breaks, for which "
        "input, what to do. Say what you looked at and found in order."
    )


def add_prompts(server: MCPServer) -> None:
    """Register them."""
    server.prompt(title="Explain a module")(explain_module)
    server.prompt(title="Review a change with context")(review_change)
