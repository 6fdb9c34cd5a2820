"""The index of terms; apart from filling them, which leaves events to be run."""

from __future__ import annotations

import django.contrib.postgres.indexes
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("sources", "0022_document_terms")]

    operations = [
        migrations.AddIndex(
            "document",
            django.contrib.postgres.indexes.GinIndex(
                fields=["terms"], name="documents_by_term"
            ),
        ),
    ]
