"""The benchmarks, which must keep working."""

from __future__ import annotations
