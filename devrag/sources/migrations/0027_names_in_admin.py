"""Names of models in the administration, translated there. No change of tables."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0026_secret_findings'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='chunk',
            options={'verbose_name': 'chunk', 'verbose_name_plural': 'chunks'},
        ),
        migrations.AlterModelOptions(
            name='file',
            options={'verbose_name': 'file version', 'verbose_name_plural': 'file versions'},
        ),
        migrations.AlterModelOptions(
            name='gitref',
            options={'verbose_name': 'branch or tag', 'verbose_name_plural': 'branches and tags'},
        ),
        migrations.AlterModelOptions(
            name='snapshot',
            options={'verbose_name': 'snapshot', 'verbose_name_plural': 'snapshots'},
        ),
        migrations.AlterModelOptions(
            name='source',
            options={'ordering': ['name'], 'verbose_name': 'source', 'verbose_name_plural': 'sources'},
        ),
    ]
