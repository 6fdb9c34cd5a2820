from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """One index for the file of a chunk and its symbol in it, in place of the file's."""

    dependencies = [("sources", "0019_files_by_name")]

    operations = [
        migrations.AddIndex(
            model_name="chunk",
            index=models.Index(
                fields=["file", "symbol_ordinal"], name="chunks_by_symbol"
            ),
        ),
        migrations.AlterField(
            model_name="chunk",
            name="file",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="chunks",
                to="sources.file",
            ),
        ),
    ]
