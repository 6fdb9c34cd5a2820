"""Fail as PostgreSQL would on data that nobody thought of."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("failing", "0001_rename")]
    operations: ClassVar = [migrations.RunSQL("SELECT 1 / 0")]
