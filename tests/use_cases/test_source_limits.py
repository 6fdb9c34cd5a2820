"""What a limit does to what everybody reads: the wiki, its search, its export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from devrag.core.errors import Conflict, InvalidInput, PermissionDenied
from devrag.core.principal import PUBLISHER, SYSTEM
from devrag.jobs.models import Job
from devrag.labels.models import FileLabel, Label, PageLabel
from devrag.products.models import Membership, Product, SourceLimit
from devrag.search.models import WikiSection
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import File, Source
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.source_limits import limit_source
from devrag.use_cases.wiki import is_wiki_possible
from devrag.wiki.models import Claim, Page, Version, Wiki
from devrag.wiki.publishing.services import refuse_limited
from tests.conftest import Repository, run_job
from tests.people import People, principal
from tests.search.shop import index_shop
from tests.vault import QUESTION, WORD, add_vault
from tests.wiki.runs import generate

pytestmark = pytest.mark.django_db


@pytest.fixture
def tea(tmp_path: Path) -> Product:
    index_shop(tmp_path)
    return Product.objects.get(name="tea")


def member(product: Product, name: str = "alice", role: str = "maintainer") -> User:
    user = User.objects.create_user(name)
    Membership.objects.create(product=product, user=user, role=role)
    return user


def said(product: Product) -> str:
    """Return all that a wiki says, with what it rests on."""
    pages = Page.objects.filter(version__wiki__product=product)
    claims = Claim.objects.filter(page__in=pages)
    labels = PageLabel.objects.filter(product=product)
    rows: list[Any] = [
        *pages.values_list("title", "summary", "markdown", "files", "inputs"),
        *claims.values_list("sentence", "path", "excerpt", "source_name"),
        *labels.values_list("label__name"),
        *Version.objects.values_list("sources", "report", "coverage"),
    ]
    return str(rows).lower()


def test_a_limited_source_feeds_no_page(tea: Product) -> None:
    alice = member(tea)
    vault = add_vault(tea, alice)
    label = Label.objects.create(product=tea, name="quokka-topic")
    file = File.objects.filter(source=vault.source)[0]
    FileLabel.objects.create(file=file, label=label, origin="rule")
    generate(tea)
    assert Wiki.objects.get().current is not None
    assert "shop" in said(tea)
    assert WORD not in said(tea)
    evidence = search(SearchQuery(text=QUESTION, principal=PUBLISHER, product="tea"))
    assert WORD not in str(evidence.hits).lower()
    found = search(SearchQuery(text=QUESTION, principal=principal(alice)))
    assert WORD in str(found.hits).lower()


def test_a_product_of_limited_sources_alone_has_no_wiki(db: None) -> None:
    product = Product.objects.create(name="closed")
    add_vault(product)
    assert not is_wiki_possible(product)


@pytest.mark.slow
def test_what_was_written_before_goes_and_is_written_anew(
    tea: Product, tmp_path: Path
) -> None:
    member(tea)
    generate(tea)
    wiki = Wiki.objects.get()
    source = Source.objects.get(name="shop")
    assert WikiSection.objects.exists()
    add_repository(
        principal=SYSTEM,
        location=str(_other(tmp_path)),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    run_job(Job.objects.filter(kind="index", state="pending").get())
    limit_source(principal=SYSTEM, source=source, members=["alice"])
    wiki.refresh_from_db()
    assert wiki.current is None
    assert not Version.objects.exists()
    assert not WikiSection.objects.exists()
    assert not (settings.WIKI_OUTPUT_DIR / "tea").exists()
    job = Job.objects.get(kind="wiki", state="pending")
    assert job.params["cause"] == "limited shop"
    run_job(job)
    version = Version.objects.get()
    assert list(version.sources) == ["other"]


def _other(folder: Path) -> Path:
    made = Repository(folder / "other")
    made.commit({"README.md": "# Other\n\nIt sells cups.\n", "cup.py": "CUP = 1\n"})
    return made.path


def test_readers_see_the_last_version_without_it(tea: Product) -> None:
    member(tea)
    generate(tea)
    wiki = Wiki.objects.get()
    first = wiki.current
    assert first is not None
    clean = Version.objects.create(wiki=wiki, number=0, sources={}, writer="structural")
    Page.objects.create(
        version=clean,
        path="index.md",
        ordinal=0,
        kind="index",
        title="Old",
        markdown="# Old\n",
        fingerprint="f",
    )
    note = Page.objects.create(
        version=first,
        path="notes/a.md",
        ordinal=90,
        kind=Page.NOTE,
        title="Note",
        markdown="# Note\n",
        fingerprint="n",
    )
    cited = Page.objects.create(
        version=first,
        path="notes/b.md",
        ordinal=91,
        kind=Page.NOTE,
        title="Cited",
        markdown="# Cited\n",
        fingerprint="n",
    )
    Claim.objects.create(
        page=cited,
        ordinal=1,
        sentence="x",
        source_name="shop",
        path="a",
        start_line=1,
        end_line=1,
        version_identifier="c",
        content_hash="h",
        excerpt="x",
    )
    source = Source.objects.get(name="shop")
    limit_source(principal=SYSTEM, source=source, members=["alice"])
    wiki.refresh_from_db()
    assert wiki.current == clean
    note.refresh_from_db()
    assert note.version == clean
    assert not Page.objects.filter(pk=cited.pk).exists()


def test_a_run_that_began_before_is_not_published(tea: Product) -> None:
    refuse_limited(tea, ["shop"])
    source = Source.objects.get(name="shop")
    SourceLimit.objects.create(product=tea, source_id=source.pk)
    with pytest.raises(Conflict, match="Access to shop was restricted"):
        refuse_limited(tea, ["shop", "other"])


def test_a_source_is_limited_from_the_beginning(
    shop: Repository, people: People
) -> None:
    add_repository(
        principal=SYSTEM,
        location=str(shop.path),
        product_name="teahouse",
        members=["bob"],
        is_local_user=True,
    )
    source = Source.objects.get(name="shop")
    seen = {
        user.username: Source.objects.visible_to(principal(user))
        .filter(pk=source.pk)
        .exists()
        for user in (people.alice, people.bob, people.charlie)
    }
    assert seen == {"alice": False, "bob": True, "charlie": False}


def test_who_leaves_the_product_loses_its_limited_sources(people: People) -> None:
    limit_source(principal=SYSTEM, source=people.source, members=["bob"])
    assert Source.objects.visible_to(principal(people.bob)).exists()
    Membership.objects.filter(user=people.bob).delete()
    assert not Source.objects.visible_to(principal(people.bob)).exists()


def test_only_maintainers_limit_and_nobody_locks_out_themselves(
    people: People,
) -> None:
    with pytest.raises(PermissionDenied):
        limit_source(
            principal=principal(people.bob), source=people.source, members=["bob"]
        )
    alice = principal(people.alice)
    limit_source(principal=alice, source=people.source, members=[])
    assert Source.objects.visible_to(alice).exists()
    with pytest.raises(InvalidInput, match="Enter 1 to"):
        limit_source(principal=SYSTEM, source=people.source, members=[" "])
    assert not SourceLimit.objects.get().members.filter(username="bob").exists()
