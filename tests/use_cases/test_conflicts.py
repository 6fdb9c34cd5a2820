"""The conflicts job over a real index: what it reads, keeps, resolves and hides."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.products.models import Membership, Product, SourceLimit
from devrag.sources.models import Source
from devrag.wiki.api import conflicts_of, decide_conflict
from devrag.wiki.models import CodeName, ConflictReading, DocumentConflict, Note
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index
from tests.people import People, principal
from tests.wiki.runs import generate

pytestmark = pytest.mark.django_db
FILES: dict[str, str | bytes | None] = {
    "README.md": "# Shop\n\nA shop.\n",
    "docs/guide.md": "# Guide\n\n`MAX_ITEMS` defaults to `20`.\n",
    "shop/settings.py": "MAX_ITEMS = 50\n",
}


def update(repository: Repository) -> Job:
    """Index and find conflicts; return the job that found them."""
    index(repository)
    return run_job(Job.objects.get(kind="conflicts", state="pending"))


@pytest.fixture
def shop_with_conflict(repository: Repository) -> Repository:
    repository.commit(FILES)
    job = update(repository)
    assert job.state == "completed", job.error
    return repository


def decide(state: str) -> DocumentConflict:
    return decide_conflict(
        principal=SYSTEM,
        product=Product.objects.get(),
        conflict_id=DocumentConflict.objects.get().pk,
        state=state,
    )


def test_the_owner_is_that_of_the_document(repository: Repository) -> None:
    repository.commit(
        FILES | {"CODEOWNERS": "* @shop\n/docs/ @writers jo@example.com\n"}
    )
    update(repository)
    assert DocumentConflict.objects.get().owner == "@writers, jo@example.com"


def test_both_sides_are_kept_with_lines_commits_and_dates(
    shop_with_conflict: Repository,
) -> None:
    row = DocumentConflict.objects.get()
    assert (row.kind, row.state, row.value, row.actual) == (
        *("default", "open", "20", "50"),
    )
    assert (row.document_path, row.document_start) == ("docs/guide.md", 3)
    assert row.document_excerpt == "`MAX_ITEMS` defaults to `20`."
    assert (row.code_path, row.code_excerpt) == ("shop/settings.py", "MAX_ITEMS = 50")
    head = shop_with_conflict.git("rev-parse", "HEAD")
    assert (row.document_commit, row.code_commit) == (head, head)
    assert row.code_date is not None


def test_a_conflict_is_resolved_when_the_document_is_right(
    shop_with_conflict: Repository,
) -> None:
    shop_with_conflict.commit({"docs/guide.md": "`MAX_ITEMS` defaults to `50`.\n"})
    job = update(shop_with_conflict)
    assert job.report["resolved"] == 1
    assert DocumentConflict.objects.get().state == "resolved"


def test_a_conflict_is_resolved_when_the_code_follows(
    shop_with_conflict: Repository,
) -> None:
    shop_with_conflict.commit({"shop/settings.py": "MAX_ITEMS = 20\n"})
    update(shop_with_conflict)
    assert DocumentConflict.objects.get().state == "resolved"


def test_no_conflict_stays_so_when_lines_move(shop_with_conflict: Repository) -> None:
    decide("dismissed")
    shop_with_conflict.commit(
        {"docs/guide.md": "# Guide\n\nMore.\n\n`MAX_ITEMS` defaults to `20`.\n"}
    )
    update(shop_with_conflict)
    row = DocumentConflict.objects.get()
    assert (row.state, row.document_start) == ("dismissed", 5)


def test_only_files_that_changed_are_read_again(
    shop_with_conflict: Repository,
) -> None:
    before = set(ConflictReading.objects.values_list("file_id", flat=True))
    names = set(CodeName.objects.values_list("pk", flat=True))
    shop_with_conflict.commit({"shop/till.py": "x = 1\n"})
    job = update(shop_with_conflict)
    read = job.batches.filter(phase=0).values_list("payload", flat=True)
    files = [pk for payload in read for pk in payload["fileIDs"]]
    assert len(files) == 1
    assert not before & set(files)
    assert names <= set(CodeName.objects.values_list("pk", flat=True))


def test_code_is_searched_again_for_names_that_are_new(
    shop_with_conflict: Repository,
) -> None:
    shop_with_conflict.commit({"shop/more.py": "LEAST_ITEMS = 2\n"})
    update(shop_with_conflict)
    shop_with_conflict.commit({"docs/new.md": "`LEAST_ITEMS` defaults to `3`.\n"})
    update(shop_with_conflict)
    assert DocumentConflict.objects.get(subject="LEAST_ITEMS").actual == "2"


def test_outdated_documentation_gets_a_note(shop_with_conflict: Repository) -> None:
    generate(Product.objects.get())
    assert decide("outdated").state == "outdated"
    note = Note.objects.get()
    assert "docs/guide.md:3" in note.text
    assert "50" in note.text


def test_only_maintainers_decide(
    shop_with_conflict: Repository, people: People
) -> None:
    product = Product.objects.get(name="tea")
    Membership.objects.create(product=product, user=people.bob, role="viewer")
    with pytest.raises(PermissionDenied):
        decide_conflict(
            principal=principal(people.bob),
            product=product,
            conflict_id=DocumentConflict.objects.get().pk,
            state="dismissed",
        )
    with pytest.raises(InvalidInput):
        decide_conflict(
            principal=SYSTEM,
            product=product,
            conflict_id=DocumentConflict.objects.get().pk,
            state="resolved",
        )


def test_a_limited_source_takes_no_part_and_is_not_shown(
    shop_with_conflict: Repository, people: People, tmp_path: Path
) -> None:
    product = Product.objects.get(name="tea")
    Membership.objects.create(product=product, user=people.bob, role="viewer")
    bob = principal(people.bob)
    assert conflicts_of(product, bob).count() == 1
    source = Source.objects.get(product=product)
    SourceLimit.objects.create(product=product, source_id=source.pk)
    assert conflicts_of(product, bob).count() == 0
    shop_with_conflict.commit({"docs/more.md": "`MAX_ITEMS` defaults to `30`.\n"})
    update(shop_with_conflict)
    assert not DocumentConflict.objects.filter(value="30").exists()
