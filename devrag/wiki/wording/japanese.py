"""The wiki's sentences in Japanese, by their English: です・ます throughout."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {}
COUNTED: Mapping[str, str] = {}
