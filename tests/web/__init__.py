"""Pages, seen through the test client and through a real browser."""

from __future__ import annotations
