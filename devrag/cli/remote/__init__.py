"""Answers commands over REST, on a machine without a database.

Standard library and what other packages know without Django; it starts at once.
"""

from __future__ import annotations
