from django.db import migrations, models

_FILL = """
UPDATE ask_citation c SET source_id = s.id FROM sources s WHERE s.name = c.source_name
"""


class Migration(migrations.Migration):
    dependencies = [("ask", "0001_initial"), ("sources", "0021_documents")]

    operations = [
        migrations.AddField("citation", "document", models.JSONField(null=True)),
        migrations.AddField("citation", "source_id", models.BigIntegerField(null=True)),
        migrations.RunSQL(_FILL, migrations.RunSQL.noop),
    ]
