"""What is left out of a source, and how often a server is asked about what is gone."""

from __future__ import annotations

# What one odd ticket may raise; the others are read all the same.
UNWRITABLE = (ValueError, ArithmeticError, LookupError, TypeError, RecursionError)
# Tickets that a listing missed and that are asked for one by one; others stay until
# the next listing.
MAX_ASKED = 300


def too_large(size: int) -> str:
    """Return why a ticket of so many characters is left out."""
    return f"too large ({size / 1e6:.1f} MB)"
