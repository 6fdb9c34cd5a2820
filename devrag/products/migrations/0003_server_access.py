"""Add what of the server a product's maintainers may use: nothing until granted."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("products", "0002_deleting")]

    operations = [
        migrations.AddField(
            model_name="product",
            name="source_roots",
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
        migrations.AddField(
            model_name="product",
            name="is_ssh_key_allowed",
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
