"""Delete what people entered, without an error."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("search", "0008_search_confidence")]
    operations: ClassVar = [migrations.RunSQL("DELETE FROM products_product")]
