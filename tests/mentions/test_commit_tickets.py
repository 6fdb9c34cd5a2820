"""Which tickets the subjects of commits name, in products with several trackers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from devrag.core.principal import SYSTEM, Principal
from devrag.mentions.api import link_tickets
from devrag.products.models import Membership, Product, SourceLimit
from devrag.sources.models import Source
from tests.documents import DONE, PAY, index_documents
from tests.people import People, principal

pytestmark = pytest.mark.django_db
MERGE = replace(PAY, url="https://git.example.com/tea/shop/-/merge_requests/7")


@pytest.fixture
def product() -> Product:
    return Product.objects.create(name="shop")


@pytest.fixture
def code(product: Product) -> Source:
    return add_source(product, "code", "git", "git@git.example.com:tea/shop.git")


def add_source(product: Product, name: str, kind: str, url: str) -> Source:
    return Source.objects.create(
        product=product, name=name, source_type=kind, metadata={"url": url}
    )


def add_tracker(folder: Path, name: str, kind: str, url: str) -> Source:
    documents = {
        "issues/7.md": (replace(PAY, url=f"{url}/issues/7"), "Twice.\n"),
        "issues/3.md": (replace(DONE, url=f"{url}/issues/3"), "Forgotten.\n"),
    }
    if kind == "gitlab":
        documents["merge_requests/7.md"] = (MERGE, "Once.\n")
    source = index_documents(folder / name, "shop", documents, name)
    source.source_type, source.metadata = kind, {"url": url}
    source.save()
    return source


def linked(
    code: Source, *subjects: str, reader: Principal = SYSTEM
) -> list[tuple[str, str]]:
    """Return written number → source and path of each ticket."""
    found = link_tickets(reader, code.product, code, subjects)
    assert ["".join(part.text for part in parts) for parts in found] == [*subjects]
    return [
        (part.text, f"{part.ticket.file.source.name}:{part.ticket.file.path}")
        for parts in found
        for part in parts
        if part.ticket
    ]


def test_numbers_lead_to_the_only_tracker(tmp_path: Path, code: Source) -> None:
    add_tracker(tmp_path, "tracker", "redmine", "https://tickets.example.com")
    assert linked(code, "pay once, refs #7", "GH-3: voucher (#7), #99 and a#7") == [
        ("#7", "tracker:issues/7.md"),
        ("GH-3", "tracker:issues/3.md"),
        ("#7", "tracker:issues/7.md"),
    ]


def test_a_merge_request_is_none_of_the_issues(tmp_path: Path, code: Source) -> None:
    url = "https://git.example.com/tea/shop"
    add_tracker(tmp_path, "tracker", "gitlab", url)
    assert linked(code, "Merge !7, closes #7") == [
        ("!7", "tracker:merge_requests/7.md"),
        ("#7", "tracker:issues/7.md"),
    ]


def test_of_several_trackers_that_of_the_repository_is_meant(
    tmp_path: Path, code: Source
) -> None:
    add_tracker(tmp_path, "other", "redmine", "https://tickets.example.com")
    add_tracker(tmp_path, "own", "gitlab", "https://git.example.com/Tea/shop")
    assert linked(code, "pay #7") == [("#7", "own:issues/7.md")]


def test_of_two_possible_trackers_none_is_meant(tmp_path: Path, code: Source) -> None:
    add_tracker(tmp_path, "one", "redmine", "https://tickets.example.com")
    add_tracker(tmp_path, "two", "redmine", "https://bugs.example.com")
    assert linked(code, "pay #7") == []


def test_tickets_of_another_repository_are_not_meant(
    tmp_path: Path, code: Source
) -> None:
    add_tracker(tmp_path, "tracker", "gitlab", "https://git.example.com/tea/kettle")
    assert linked(code, "pay #7") == []


def test_tickets_that_a_reader_may_not_see_are_no_links(
    tmp_path: Path, code: Source, product: Product, people: People
) -> None:
    tracker = add_tracker(tmp_path, "tracker", "redmine", "https://t.example.com")
    Membership.objects.create(product=product, user=people.bob, role="viewer")
    bob = principal(people.bob)
    assert linked(code, "pay #7", reader=bob)
    SourceLimit.objects.create(product=product, source_id=tracker.pk)
    assert linked(code, "pay #7", reader=bob) == []
