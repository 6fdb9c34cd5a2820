"""The page of a topic: what it is, how it works, what it offers, where it stands."""

from __future__ import annotations

from devrag.wiki.writing.structural.topic_page.page import write_topic

__all__ = ["write_topic"]
