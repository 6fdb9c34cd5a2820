"""Names of models in the administration, translated there. No change of tables."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_passkeys'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='externalidentity',
            options={'verbose_name': 'linked account', 'verbose_name_plural': 'linked accounts'},
        ),
        migrations.AlterModelOptions(
            name='secondfactor',
            options={'verbose_name': 'two-step sign-in', 'verbose_name_plural': 'two-step sign-in'},
        ),
    ]
