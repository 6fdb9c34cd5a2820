"""Names of models in the administration, translated there. No change of tables."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0008_search_confidence'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='embeddingspec',
            options={'verbose_name': 'embedding model', 'verbose_name_plural': 'embedding models'},
        ),
        migrations.AlterModelOptions(
            name='searchlog',
            options={'verbose_name': 'recorded search', 'verbose_name_plural': 'recorded searches'},
        ),
    ]
