"""Mask the secrets in published pages and in the excerpts that they cite."""

from __future__ import annotations

from typing import Any

from django.db import migrations

from devrag.core.masking import mask_secrets

_ROWS = 200


def mask_pages(apps: Any, _editor: Any) -> None:
    """Rewrite the pages and claims that hold what looks like a secret."""
    _mask(apps.get_model("wiki", "Page"), ("summary", "markdown"))
    _mask(apps.get_model("wiki", "Claim"), ("sentence", "excerpt", "context"))


def _mask(model: Any, fields: tuple[str, ...]) -> None:
    rows = model.objects.order_by("pk").values("pk", *fields)
    for row in rows.iterator(chunk_size=_ROWS):
        masked = {field: mask_secrets(row[field]) for field in fields}
        if any(masked[field] != row[field] for field in fields):
            model.objects.filter(pk=row["pk"]).update(**masked)


class Migration(migrations.Migration):
    dependencies = [("wiki", "0006_claim_context")]

    operations = [migrations.RunPython(mask_pages, migrations.RunPython.noop)]
