"""Count the chunks of files that were parsed before the count was kept."""

from __future__ import annotations

from django.db import migrations

FILL = """
UPDATE sources_file f SET chunk_count = n.count
FROM (SELECT file_id, count(*) AS count FROM sources_chunk GROUP BY file_id) AS n
WHERE n.file_id = f.id
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "0002_difference")]

    operations = [migrations.RunSQL(FILL, migrations.RunSQL.noop)]
