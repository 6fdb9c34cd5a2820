"""Selectors of pages: frozen dataclasses, with a bounded number of queries."""

from __future__ import annotations
