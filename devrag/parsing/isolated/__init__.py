"""Parse files that strangers wrote, in a process of its own with limits.

A parser written in C cannot be interrupted and ends its process when memory runs out.
So parsing happens in a child process. When a file exceeds a limit or crashes the child,
only that file is affected: it is indexed as plain windows, with the reason.
"""

from __future__ import annotations

from devrag.parsing.isolated.messages import Kind
from devrag.parsing.isolated.process import Limits, ParserProcess, UnreadableData

__all__ = ["Kind", "Limits", "ParserProcess", "UnreadableData"]
