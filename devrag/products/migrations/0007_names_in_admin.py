"""Names of models in the administration, translated there. No change of tables."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('products', '0006_group_roles'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='membership',
            options={'verbose_name': 'member', 'verbose_name_plural': 'members'},
        ),
        migrations.AlterModelOptions(
            name='product',
            options={'ordering': ['name'], 'verbose_name': 'product', 'verbose_name_plural': 'products'},
        ),
        migrations.AlterField(
            model_name='product',
            name='is_external_models_allowed',
            field=models.BooleanField(default=True, help_text='Off: no text of this product is sent to an external model.', verbose_name='external models allowed'),
        ),
    ]
