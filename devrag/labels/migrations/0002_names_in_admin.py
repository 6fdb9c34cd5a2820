"""Names of models in the administration, translated there. No change of tables."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('labels', '0001_initial'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='label',
            options={'ordering': ['name'], 'verbose_name': 'label', 'verbose_name_plural': 'labels'},
        ),
        migrations.AlterModelOptions(
            name='labelcorrection',
            options={'ordering': ['-updated_at'], 'verbose_name': 'label correction', 'verbose_name_plural': 'label corrections'},
        ),
    ]
