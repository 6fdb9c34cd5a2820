from django.db import migrations, models

# Of definitions in several pieces the others learn theirs when they are indexed again.
_FILL = """
UPDATE sources_chunk c SET symbol_ordinal = s.ordinal
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
        migrations.RunSQL(_FILL, migrations.RunSQL.noop),
    ]
