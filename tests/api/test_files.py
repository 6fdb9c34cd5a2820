"""The names of a section's fields: in another tool, in tables and over REST."""

from __future__ import annotations

import re

import pytest
from django.db.models import Model
from ninja import Schema

from devrag.api.files import FileOut, FileTextOut, SnapshotOut
from devrag.api.search import HitOut, SearchRequest
from devrag.search.models import Embedding
from devrag.sources.models import Chunk, File, Snapshot
from tests.architecture.modules import ROOT

MODELS: dict[str, type[Model]] = {
    each.__name__: each for each in (Chunk, File, Embedding, Snapshot)
}
TOLD = (HitOut, SearchRequest, FileOut, SnapshotOut)
FIELDS = (
    *("id", "documentPath", "heading", "depth", "content", "tokenCount", "vector"),
    *("parentId", "order", "isDirty", "documentHash", "createdAt", "updatedAt"),
    *("summary", "documentSummary"),
)
DECISION = ROOT / "docs" / "decisions" / "0014-names-of-a-section.md"


def _rows() -> list[list[list[str]]]:
    """Return the names in each cell of the decision's table."""
    lines = [line for line in DECISION.read_text().splitlines() if "`" in line]
    table = [line for line in lines if line.startswith("| `")]
    return [[re.findall("`([^`]+)`", cell) for cell in row.split("|")] for row in table]


def test_every_field_of_a_flat_section_has_its_place() -> None:
    rows = _rows()
    assert [name for row in rows for name in row[1]] == list(FIELDS)
    told = {field.alias or name for s in TOLD for name, field in s.model_fields.items()}
    for _, _, columns, names, _ in rows:
        for column in columns:
            model, field = column.split(".")
            assert MODELS[model]._meta.get_field(field)
        assert set(names) <= told


@pytest.mark.parametrize("schema", [HitOut, FileOut, FileTextOut, SnapshotOut])
def test_columns_and_json_names_translate_into_each_other(
    schema: type[Schema],
) -> None:
    for name, field in schema.model_fields.items():
        first, *others = name.split("_")
        camel = first + "".join(
            part.upper() if part in {"id", "url"} else part.capitalize()
            for part in others
        )
        assert (field.alias or name) == camel
        snake = re.sub("(ID|URL|[A-Z])", lambda found: f"_{found[1].lower()}", camel)
        assert snake == name
