"""Kinds and states of conflicts between documents and code, by their public names."""

from __future__ import annotations

from typing import Literal, get_args

DEFAULT, ENVIRONMENT, ROUTE, COMMAND = "default", "environment", "route", "command"
OPTION, PATH, SYMBOL, VERSION, PORT = "option", "path", "symbol", "version", "port"
# What only a language model finds.
BEHAVIOUR = "behaviour"

ConflictKind = Literal[
    "default",
    "environment",
    "route",
    "command",
    "option",
    "path",
    "symbol",
    "version",
    "port",
    "behaviour",
]
ConflictState = Literal["open", "outdated", "dismissed", "resolved"]
CONFLICT_KINDS: tuple[ConflictKind, ...] = get_args(ConflictKind)
CONFLICT_STATES: tuple[ConflictState, ...] = get_args(ConflictState)
