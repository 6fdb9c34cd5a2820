"""A text with its secrets masked, as the parser process sends it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Masked:
    """A text with `•` for each character of a secret, and what was masked where.

    places: line, from 1, and rule of each; a private key is listed with its first line.
    """

    text: str
    places: tuple[tuple[int, str], ...] = ()
