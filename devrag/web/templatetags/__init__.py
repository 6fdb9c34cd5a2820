"""Tags of the interface's own vocabulary."""

from __future__ import annotations
