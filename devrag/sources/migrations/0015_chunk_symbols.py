from django.db import migrations, models

# Of definitions in several pieces the others learn theirs when they are indexed again.
_FILL = """
UPDATE sources_chunk c SET symbol_ordinal = s.ordinal, symbol_kind = s.kind
FROM sources_symbol s
WHERE s.file_id = c.file_id AND s.chunk_ordinal = c.ordinal
"""


class Migration(migrations.Migration):
    dependencies = [
        ("sources", "0014_value_types"),
    ]

    operations = [
        migrations.AddField(
            model_name="chunk",
            name="symbol_ordinal",
            field=models.IntegerField(null=True),
        ),
        migrations.AddField(
            model_name="chunk",
            name="symbol_kind",
            field=models.CharField(default="", max_length=16),
        ),
        migrations.AddIndex(
            model_name="chunk",
            index=models.Index(
                condition=models.Q(
                    ("symbol_kind__in", ["", "function", "method"]), _negated=True
                ),
                fields=["symbol_kind"],
                name="chunks_by_symbol_kind",
            ),
        ),
        migrations.RunSQL(_FILL, migrations.RunSQL.noop),
    ]
