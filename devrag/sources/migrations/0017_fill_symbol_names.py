"""Give the symbols of files that are stored already what their names are found by."""

from __future__ import annotations

from typing import Any

from django.db import migrations

from devrag.sources.symbol_names import get_search_order, make_search_name

_ROWS = 5_000
_FIND = """
SELECT s.id, s.name, f.source_id, s.kind, s.qualified_name, s.scope, s.modifiers,
    f.language, f.path, f.is_generated
FROM sources_symbol s JOIN sources_file f ON f.id = s.file_id
WHERE s.id > %s ORDER BY s.id LIMIT %s
"""
_COLUMNS = (
    *("kind", "qualified_name", "scope", "modifiers", "language", "path"),
    "is_generated",
)
_FILL = """
UPDATE sources_symbol s
SET source_id = n.source, search_name = n.name, search_order = n.place
FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::smallint[])
    AS n (id, source, name, place)
WHERE s.id = n.id
"""


def fill(_apps: Any, editor: Any) -> None:
    """Go through the table by id, a portion at a time."""
    last = 0
    with editor.connection.cursor() as cursor:
        while True:
            cursor.execute(_FIND, [last, _ROWS])
            rows = cursor.fetchall()
            if not rows:
                return
            last = rows[-1][0]
            new = [_new_values(*row) for row in rows]
            cursor.execute(_FILL, [list(column) for column in zip(*new, strict=True)])


def _new_values(pk: int, name: str, source: int, *columns: Any) -> tuple[Any, ...]:
    order = get_search_order(**dict(zip(_COLUMNS, columns, strict=True)))
    return pk, source, make_search_name(name), order


class Migration(migrations.Migration):
    dependencies = [("sources", "0016_symbol_names")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
