"""Data files by top-level key; APIs and schemas by operation and type."""

from __future__ import annotations

from devrag.parsing.code.chunks import window_chunks
from devrag.parsing.code.tree import parse_tree
from devrag.parsing.documents.api_schema import declares_schema, parse_schema
from devrag.parsing.documents.blocks import block_chunks
from devrag.parsing.documents.data import data_blocks, top_members
from devrag.parsing.source import Parsed, SourceText

_SCHEMA_WORDS = ("openapi", "swagger", "json-schema.org")


def parse_data(grammar: str, source: SourceText) -> Parsed:
    """Return a data file's chunks; a short one without a schema is one window."""
    is_short = len(source.text) <= source.chunking.max_chars
    may_declare = any(word in source.text for word in _SCHEMA_WORDS)
    if is_short and not may_declare:
        return Parsed(chunks=window_chunks(source))
    tree = parse_tree(source, grammar)
    top = top_members(source, tree.root_node)
    if may_declare and declares_schema(source, top):
        return parse_schema(source, top)
    if is_short:
        return Parsed(chunks=window_chunks(source))
    return Parsed(chunks=block_chunks(source, data_blocks(source, top)))
