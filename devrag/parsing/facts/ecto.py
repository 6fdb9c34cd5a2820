"""Data models of Ecto: the `schema` of a module."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.facts.calls import read_call
from devrag.parsing.facts.model_fields import elixir_fields
from devrag.parsing.types import FactFacts


def ecto_models(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a model per schema, by the name of its module."""
    if not any(item.path == "Ecto.Schema" for item in analysis.uses.imports):
        return
    for word in ("schema", "embedded_schema"):
        for use in analysis.uses.ending("call", word):
            if use.owner is None or use.name != word:
                continue
            call = read_call(analysis.source, use)
            data = {
                "framework": "ecto",
                "fields": list(elixir_fields(analysis, call.node)),
                "bases": [],
                "table": call.text(0) or "",
            }
            lines = use.owner.start_line, use.owner.end_line
            yield FactFacts("model", use.owner.qualified_name, *lines, data)
