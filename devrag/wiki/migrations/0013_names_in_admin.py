"""Names of models in the administration, translated there. No change of tables."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('wiki', '0012_conflicts_by_model'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='feedback',
            options={'verbose_name': 'reported problem', 'verbose_name_plural': 'reported problems'},
        ),
        migrations.AlterModelOptions(
            name='note',
            options={'verbose_name': 'note', 'verbose_name_plural': 'notes'},
        ),
        migrations.AlterModelOptions(
            name='version',
            options={'ordering': ['-number'], 'verbose_name': 'wiki version', 'verbose_name_plural': 'wiki versions'},
        ),
        migrations.AlterModelOptions(
            name='wiki',
            options={'verbose_name': 'wiki', 'verbose_name_plural': 'wikis'},
        ),
    ]
