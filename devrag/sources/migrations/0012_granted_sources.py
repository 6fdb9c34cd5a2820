"""Mark the sources that used the server before: an administrator had let them."""

from __future__ import annotations

from django.db import migrations

# Paths, and URLs that git reaches with the installation's SSH key.
_GRANT = r"""
UPDATE sources SET metadata = metadata || '{"isGranted": true}'
WHERE metadata ? 'path' OR metadata->>'url' !~* '^https?://'
"""
_FORGET = "UPDATE sources SET metadata = metadata - 'isGranted'"


class Migration(migrations.Migration):
    dependencies = [("sources", "0011_mask_secrets")]

    operations = [migrations.RunSQL(_GRANT, _FORGET)]
