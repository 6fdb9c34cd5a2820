"""Which texts state anything that a page could cite."""

from __future__ import annotations


def is_statement(text: str, language: str, kind: str) -> bool:
    """Return whether a text says anything. kind: of its file, `code` or `doc`."""
    return bool(text.strip())
