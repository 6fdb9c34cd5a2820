"""Names of models in the administration, translated there. No change of tables."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('access', '0003_preferences'),
        ('products', '0007_names_in_admin'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='apitoken',
            options={'ordering': ['-created_at'], 'verbose_name': 'API token', 'verbose_name_plural': 'API tokens'},
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='is_limited',
            field=models.BooleanField(default=False, help_text='Only the products below, even if none of them is left.', verbose_name='limited to products'),
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='products',
            field=models.ManyToManyField(blank=True, help_text='Leave empty for all products that the owner can see.', to='products.product'),
        ),
    ]
