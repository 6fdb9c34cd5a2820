"""Mask the secrets in file versions that were stored as they are in the source.

Current files are read again because of their facts version; this is for those that
only an older wiki version still cites.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

from devrag.core.masking import mask_secrets

_ROWS = 200


def mask_texts(apps: Any, _editor: Any) -> None:
    """Rewrite the texts that hold what looks like a secret."""
    files = apps.get_model("sources", "File").objects
    rows = files.order_by("pk").values_list("pk", "text")
    for pk, text in rows.iterator(chunk_size=_ROWS):
        masked = mask_secrets(text)
        if masked != text:
            files.filter(pk=pk).update(text=masked)


class Migration(migrations.Migration):
    dependencies = [("sources", "0010_files_by_words")]

    operations = [migrations.RunPython(mask_texts, migrations.RunPython.noop)]
