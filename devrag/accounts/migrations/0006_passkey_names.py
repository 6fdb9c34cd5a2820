"""Names of passkeys in the administration, translated there. No change of tables."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_names_in_admin'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='passkey',
            options={'verbose_name': 'passkey', 'verbose_name_plural': 'passkeys'},
        ),
    ]
