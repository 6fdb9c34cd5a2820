"""Change all products."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("search", "0008_search_confidence")]
    operations: ClassVar = [
        migrations.RunSQL("UPDATE products_product SET title = 'half'"),
    ]
