"""Give documents that are stored already the terms that filters find them by."""

from __future__ import annotations

from typing import Any

import django.contrib.postgres.fields
from django.db import migrations, models

from devrag.sources.document_terms import document_terms

_ROWS = 2_000


def fill(apps: Any, _editor: Any) -> None:
    """Go through the table a portion at a time."""
    documents = apps.get_model("sources", "Document").objects
    last = 0
    while rows := list(documents.filter(pk__gt=last).order_by("pk")[:_ROWS]):
        last = rows[-1].pk
        for each in rows:
            each.terms = document_terms(
                kind=each.kind,
                status=each.status,
                is_closed=each.is_closed,
                author=each.author,
                labels=each.labels,
            )
        documents.bulk_update(rows, ["terms"])


class Migration(migrations.Migration):
    dependencies = [("sources", "0021_documents")]

    operations = [
        migrations.RemoveIndex("document", "documents_by_status"),
        migrations.RemoveIndex("document", "documents_by_label"),
        migrations.AddField(
            "document",
            "terms",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(), default=list, size=None
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=False),
    ]
