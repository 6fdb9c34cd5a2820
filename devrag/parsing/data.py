"""JSON, TOML and YAML with the lines of their values, read in the parser process."""

from __future__ import annotations

from devrag.parsing.isolated.messages import Answer, Kind
from devrag.parsing.isolated.process import Limits, ParserProcess, UnreadableData
from devrag.parsing.placed import NOTHING, Placed
from devrag.parsing.source import Source
from devrag.parsing.yaml_data import require_yaml

__all__ = [
    "NOTHING",
    "Answer",
    "Kind",
    "Limits",
    "ParserProcess",
    "Placed",
    "Source",
    "UnreadableData",
    "require_yaml",
]
