"""A client that knocks at the interface, and a product with an indexed source."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from devrag.sources.models import GitRef, Snapshot
from devrag.wiki.models import Claim, Page, Version, Wiki
from tests.people import People


@pytest.fixture
def client() -> Client:
    return Client(HTTP_HOST="localhost")


@pytest.fixture
def indexed(people: People) -> People:
    snapshot = Snapshot.objects.create(
        source=people.source,
        version_identifier="a" * 40,
        is_indexed=True,
        indexed_at=timezone.now(),
    )
    GitRef.objects.create(
        source=people.source,
        name="main",
        kind="branch",
        snapshot=snapshot,
        is_current=True,
    )
    return people


@pytest.fixture
def written(indexed: People) -> People:
    wiki = Wiki.objects.create(product=indexed.teahouse)
    version = Version.objects.create(
        wiki=wiki,
        number=3,
        writer="structural",
        sources={"teahouse-code": {"ref": "main", "commit": "a" * 40}},
    )
    wiki.current = version
    wiki.save()
    for ordinal, path in enumerate(["index.md", "features/brew.md"]):
        page = Page.objects.create(
            version=version,
            path=path,
            ordinal=ordinal,
            kind="feature",
            title=path,
            markdown="# 茶\n\nIt brews.[1](cite:1)\n",
            fingerprint="f",
        )
    Claim.objects.create(
        page=page,
        ordinal=1,
        sentence="It brews.",
        source_name="teahouse-code",
        path="brew.py",
        start_line=1,
        end_line=2,
        version_identifier="a" * 40,
        content_hash="b" * 64,
        excerpt="brew",
    )
    return indexed
