"""What was published before secrets were masked is masked by the migration."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from devrag.products.models import Product
from devrag.wiki.models import Page, Version, Wiki


@pytest.mark.django_db
def test_the_migration_masks_published_pages_and_excerpts() -> None:
    product = Product.objects.create(name="tea", title="Tea")
    version = Version.objects.create(
        wiki=Wiki.objects.create(product=product), number=1, writer="structural"
    )
    token = "gh" + "p_" + "a1B2" * 9
    page = Page.objects.create(
        version=version,
        path="index.md",
        ordinal=0,
        kind="index",
        markdown=token,
        record={"sections": [{"text": token, "rank": 1}]},
    )
    migration: Any = import_module("devrag.wiki.migrations.0007_mask_secrets")

    migration.mask_pages(apps, None)

    page.refresh_from_db()
    assert page.markdown == "•" * len(token)
    assert page.record == {"sections": [{"text": page.markdown, "rank": 1}]}
