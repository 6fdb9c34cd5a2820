"""The parser process of this worker, with the limits of the settings."""

from __future__ import annotations

import os
from functools import lru_cache

from django.conf import settings

from devrag.parsing.data import ParserLimits, ParserProcess


def parser() -> ParserProcess:
    """Return the one parser process that all steps of this process use."""
    return _parser_of(os.getpid(), settings.PARSER_MEMORY_MB * 1_000_000)


@lru_cache(maxsize=1)
def _parser_of(_pid: int, memory_bytes: int) -> ParserProcess:
    """Return it by process: a forked one must not talk to its parent's child."""
    return ParserProcess(ParserLimits(memory_bytes=memory_bytes))
