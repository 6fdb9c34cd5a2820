"""Change all products and leave a table of its own."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("search", "0008_search_confidence")]
    operations: ClassVar = [
        migrations.RunSQL("UPDATE products_product SET title = 'lost'"),
        migrations.RunSQL("CREATE TABLE left_behind (id int)"),
    ]
