"""devrag: one searchable index and one trustworthy wiki for a product's sources."""

from __future__ import annotations

__version__ = "0.1.0"
