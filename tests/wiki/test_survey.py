"""What the survey reads of pages and tickets from the database."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from devrag.products.models import Product, SourceLimit
from devrag.sources.models import Source
from devrag.wiki.analysis.selectors import current_versions, survey_product
from tests.documents import index_documents
from tests.mentions.test_mentions import index_code
from tests.wiki.mixed import TRACKER
from tests.wiki.shop import SHOP

pytestmark = pytest.mark.django_db


@pytest.fixture
def product(tmp_path: Path) -> Product:
    product = Product.objects.create(name="shop")
    code = {**SHOP, "shop/fix.py": "# Fixes #3: the basket.\nX = 1\n"}
    index_code(tmp_path / "code", product, code)
    index_documents(tmp_path / "tracker", "shop", TRACKER, name="shop-1")
    return product


def test_pages_tickets_and_mentions_are_read(product: Product) -> None:
    survey = survey_product(product, current_versions(product.pk))
    kinds = {f.path: f.document_kind for f in survey.files}
    assert kinds["wiki/Ordering.md"] == "page"
    assert kinds["issues/3.md"] == "ticket"
    assert kinds["docs/guide.md"] == ""
    paths = {f.id: f.path for f in survey.files}
    found = [(paths[file], paths[document]) for file, document in survey.mentions]
    assert ("shop/fix.py", "issues/3.md") in found
    assert survey.vectors == {}  # not all are there


def test_a_source_limited_to_some_members_takes_no_part(product: Product) -> None:
    tracker = Source.objects.get(name="shop-1")
    limit = SourceLimit.objects.create(product=product, source_id=tracker.pk)
    limit.members.add(User.objects.create_user("mira"))
    survey = survey_product(product, current_versions(product.pk))
    assert {file.source for file in survey.files} == {"code"}
    assert survey.mentions == ()
