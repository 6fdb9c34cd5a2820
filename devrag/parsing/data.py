"""JSON, TOML and YAML with the lines of their values, read in the parser process."""

from __future__ import annotations

from devrag.parsing.isolated.messages import ParserReply, RequestKind
from devrag.parsing.isolated.process import ParserLimits, ParserProcess, UnreadableData
from devrag.parsing.located_values import NOTHING, Placed
from devrag.parsing.source import SourceText
from devrag.parsing.yaml_data import require_yaml

__all__ = [
    "NOTHING",
    "ParserLimits",
    "ParserProcess",
    "ParserReply",
    "Placed",
    "RequestKind",
    "SourceText",
    "UnreadableData",
    "require_yaml",
]
