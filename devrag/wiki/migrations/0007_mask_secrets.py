"""Mask the secrets in published pages and in the excerpts that they cite."""

from __future__ import annotations

from typing import Any

from django.db import migrations

from devrag.core.masking import mask_secrets

_ROWS = 200


def mask_pages(apps: Any, _editor: Any) -> None:
    """Rewrite the pages and claims that hold what looks like a secret."""
    _mask(apps.get_model("wiki", "Page"), ("summary", "markdown", "record"))
    _mask(apps.get_model("wiki", "Claim"), ("sentence", "excerpt", "context"))


def _mask(model: Any, fields: tuple[str, ...]) -> None:
    rows = model.objects.order_by("pk").values("pk", *fields)
    for row in rows.iterator(chunk_size=_ROWS):
        masked = {field: _masked(row[field]) for field in fields}
        if any(masked[field] != row[field] for field in fields):
            model.objects.filter(pk=row["pk"]).update(**masked)


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, list):
        return [_masked(each) for each in value]
    if isinstance(value, dict):
        return {key: _masked(each) for key, each in value.items()}
    return value


class Migration(migrations.Migration):
    dependencies = [("wiki", "0006_claim_context")]

    operations = [migrations.RunPython(mask_pages, migrations.RunPython.noop)]
