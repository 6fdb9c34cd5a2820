"""The indexed shop of the search tests, asked questions."""

from __future__ import annotations

from tests.search.conftest import has_vectors, indexed, more_files, standing_shop

__all__ = ["has_vectors", "indexed", "more_files", "standing_shop"]
