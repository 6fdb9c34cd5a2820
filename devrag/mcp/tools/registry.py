"""All tools by name, each with what a client may assume of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp_types import ToolAnnotations

from devrag.mcp.tools import (
    ask,
    code,
    collections,
    conflicts,
    files,
    index,
    memos,
    mentions,
    search,
    symbols,
    wiki,
)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool.

    is_reading: it changes nothing that anybody could see. has_source_text: its answers
    hold text of repositories or of their hosts, which is marked as untrusted.
    """

    function: Callable[..., Any]
    title: str
    is_reading: bool = True
    has_source_text: bool = True

    @property
    def annotations(self) -> ToolAnnotations:
        """Nothing here deletes, and nothing leaves the instance but what it indexes."""
        return ToolAnnotations(
            title=self.title,
            read_only_hint=self.is_reading,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=not self.is_reading,
        )


TOOLS: dict[str, ToolSpec] = {
    "search": ToolSpec(search.search, "Search"),
    # Some clients ask for it by this name.
    "rag-search": ToolSpec(search.search, "Search (other name)"),
    "gather_context": ToolSpec(ask.gather_context, "Gather context"),
    "ask": ToolSpec(ask.ask, "Ask"),
    "search_code": ToolSpec(code.search_code, "Search code"),
    "get_function_details": ToolSpec(symbols.get_function_details, "Function details"),
    "find_symbol": ToolSpec(symbols.find_symbol, "Find a definition"),
    "get_references": ToolSpec(symbols.get_references, "Find uses"),
    "find_related": ToolSpec(search.find_related, "Find related code"),
    "read_file": ToolSpec(files.read_file, "Read a file"),
    "list_tree": ToolSpec(files.list_tree, "List a folder"),
    "list_mentions": ToolSpec(mentions.list_mentions, "List mentions"),
    "list_wiki_pages": ToolSpec(wiki.list_wiki_pages, "List wiki pages"),
    "read_wiki": ToolSpec(wiki.read_wiki, "Read the wiki"),
    "list_conflicts": ToolSpec(conflicts.list_conflicts, "List conflicts"),
    "query_memos": ToolSpec(memos.query_memos, "Search notes"),
    "list_tags": ToolSpec(memos.list_tags, "List tags of notes"),
    "get_recent_memos": ToolSpec(memos.get_recent_memos, "Newest notes"),
    "list_collections": ToolSpec(
        collections.list_collections, "List collections", has_source_text=False
    ),
    "get_document_count": ToolSpec(
        collections.get_document_count, "Count documents", has_source_text=False
    ),
    "add_folder": ToolSpec(
        index.add_folder, "Add a folder", is_reading=False, has_source_text=False
    ),
    "reindex": ToolSpec(index.reindex, "Update the index", is_reading=False),
    "get_job": ToolSpec(index.get_job, "Follow a job"),
}
