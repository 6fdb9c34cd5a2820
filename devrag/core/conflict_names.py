"""Kinds and states of conflicts between documents and code, by their public names."""

from __future__ import annotations

DEFAULT, ENVIRONMENT, ROUTE, COMMAND = "default", "environment", "route", "command"
OPTION, PATH, SYMBOL, VERSION, PORT = "option", "path", "symbol", "version", "port"
CONFLICT_KINDS = (
    *(DEFAULT, ENVIRONMENT, ROUTE, COMMAND, OPTION, PATH, SYMBOL, VERSION, PORT),
)
CONFLICT_STATES = ("open", "outdated", "dismissed", "resolved")
