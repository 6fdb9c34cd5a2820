"""Documents that may be outdated, found over real repositories."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from devrag.core.errors import PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.products.models import Membership, Product, SourceLimit
from devrag.sources.models import FileChange, ReadHistory, Source
from devrag.wiki.api import check_document, outdated_of
from devrag.wiki.models import OutdatedDocument
from tests.conftest import Repository, run_job
from tests.documents import FLOW, PAY, index_documents
from tests.indexing.test_index import index
from tests.people import People, principal

pytestmark = pytest.mark.django_db
Commit = Callable[..., str]
CART = (
    "class Cart:\n"
    "    def add(self, item):\n        self.items.append(item)\n\n"
    "    def checkout(self):\n        return sum(self.items)\n"
)
TILL = "def charge(amount):\n    return amount\n"
FILES: dict[str, str | bytes | None] = {
    "README.md": "# Shop\n\nA shop.\n",
    "docs/cart.md": "# Cart\n\n`Cart.checkout()` adds up all prices.\n",
    "docs/till.md": "# Till\n\nMoney goes through `shop/till.py`.\n",
    "shop/cart.py": CART,
    "shop/till.py": TILL,
}


@pytest.fixture
def commit(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Commit files, each time a day later."""
    days = iter(range(1, 28))

    def add(files: dict[str, str | bytes | None], message: str = "c") -> str:
        date = f"2026-03-{next(days):02} 12:00:00 +0000"
        monkeypatch.setitem(os.environ, "GIT_AUTHOR_DATE", date)
        monkeypatch.setitem(os.environ, "GIT_COMMITTER_DATE", date)
        return repository.commit(files, message)

    return add


def update(repository: Repository) -> Job:
    index(repository)
    job = run_job(Job.objects.get(kind="conflicts", state="pending"))
    assert job.state == "completed", job.error
    return job


def listed() -> dict[str, int]:
    """Return document → changed lines of those that are open, in their order."""
    rows = outdated_of(Product.objects.get(name="tea"), SYSTEM, state="open")
    return {row.path: row.lines for row in rows}


def changed_cart(total: str) -> str:
    return CART.replace("sum(self.items)", total)


def test_a_document_whose_code_changed_is_listed(
    repository: Repository, commit: Commit
) -> None:
    commit(FILES)
    update(repository)
    assert listed() == {}
    head = commit({"shop/cart.py": changed_cart("self.total()")})
    assert update(repository).report["outdated"] == 1
    (row,) = outdated_of(Product.objects.get(name="tea"), SYSTEM)
    (code,) = row.citations.all()
    assert (row.path, row.lines, row.state) == ("docs/cart.md", 2, "open")
    assert (code.symbol, code.path) == ("Cart.checkout", "shop/cart.py")
    assert (code.commit, code.lines, code.line) == (head, 2, 3)
    assert (row.written_at.day, row.changed_at.day) == (1, 2)


def test_another_definition_of_the_file_does_not_count(
    repository: Repository, commit: Commit
) -> None:
    commit(FILES)
    commit({"shop/cart.py": CART.replace("append(item)", "insert(0, item)")})
    update(repository)
    assert listed() == {}


def test_trivial_changes_do_not_count(repository: Repository, commit: Commit) -> None:
    commit(FILES)
    formatted = CART.replace(
        "return sum(self.items)",
        "# all\n        return sum(\n            self.items,\n        )",
    )
    commit({"shop/cart.py": formatted})
    commit({"shop/cart.py": "import os\n\n" + formatted})
    commit({"shop/cart.py": None, "shop/basket.py": "import os\n\n" + formatted})
    commit({"tests/test_cart.py": "def checkout():\n    pass\n"})
    commit({"tests/test_cart.py": "def checkout():\n    return 1\n"})
    update(repository)
    assert FileChange.objects.exists()
    assert listed() == {}


def test_changes_before_a_rename_count(repository: Repository, commit: Commit) -> None:
    commit(FILES)
    commit({"shop/cart.py": changed_cart("self.total()")})
    update(repository)
    commit({"shop/cart.py": None, "shop/basket.py": changed_cart("self.total()")})
    update(repository)
    (row,) = outdated_of(Product.objects.get(name="tea"), SYSTEM)
    assert row.citations.get().path == "shop/basket.py"


def test_a_document_written_later_is_not_listed(
    repository: Repository, commit: Commit
) -> None:
    commit(FILES)
    commit({"shop/cart.py": changed_cart("self.total()")})
    update(repository)
    assert listed()
    commit({"docs/cart.md": "# Cart\n\n`Cart.checkout()` asks for the total.\n"})
    update(repository)
    assert not OutdatedDocument.objects.exists()


def test_changelogs_tutorials_and_removed_documents_are_not_listed(
    repository: Repository, commit: Commit
) -> None:
    text = "`Cart.checkout()` adds up.\n"
    commit(FILES | {"CHANGELOG.md": text, "docs/tutorials/first.md": text})
    commit({"shop/cart.py": changed_cart("self.total()")})
    update(repository)
    assert list(listed()) == ["docs/cart.md"]
    commit({"docs/cart.md": None})
    update(repository)
    assert not OutdatedDocument.objects.exists()


def test_pages_of_a_wiki_are_listed_and_tickets_are_not(
    repository: Repository, commit: Commit, tmp_path: Path
) -> None:
    commit({"shop/cart.py": CART})
    commit({"shop/cart.py": changed_cart("self.total()")})
    index(repository)
    text = "`Cart.checkout()` adds up.\n"
    old = {"changed": "2026-02-01T00:00:00Z"}
    pages = {
        "wiki/Cart.md": (replace(FLOW, title="How the cart works", **old), text),
        "wiki/Notes.md": (replace(FLOW, title="Release notes 1.2", **old), text),
        "wiki/New.md": (replace(FLOW, changed="2026-03-05T00:00:00Z"), text),
        "issues/7.md": (replace(PAY, **old), text),
    }
    index_documents(tmp_path / "pages", "tea", pages)
    run_job(Job.objects.get(kind="conflicts", state="pending"))
    (row,) = outdated_of(Product.objects.get(name="tea"), SYSTEM)
    assert (row.path, row.title) == ("wiki/Cart.md", "How the cart works")
    assert row.citations.get().source.source_type == "git"


def test_most_changed_comes_first(repository: Repository, commit: Commit) -> None:
    commit(FILES)
    lines = "".join(f"    amount += {number}\n" for number in range(30))
    commit(
        {
            "shop/cart.py": changed_cart("self.total()"),
            "shop/till.py": f"def charge(amount):\n{lines}    return amount\n",
        }
    )
    update(repository)
    assert listed() == {"docs/till.md": 30, "docs/cart.md": 2}


def test_still_right_holds_until_the_code_changes_again(
    repository: Repository, commit: Commit
) -> None:
    commit(FILES)
    commit({"shop/cart.py": changed_cart("self.total()")})
    update(repository)
    product, row = Product.objects.get(name="tea"), OutdatedDocument.objects.get()
    check_document(principal=SYSTEM, product=product, document_id=row.pk, is_right=True)
    commit({"README.md": "# Shop\n\nMore.\n"})
    update(repository)
    assert listed() == {}
    commit({"shop/cart.py": changed_cart("self.amount() or 0")})
    assert update(repository).report["outdated"] == 1
    assert listed() == {"docs/cart.md": 2}


def test_only_commits_that_are_new_are_read(
    repository: Repository, commit: Commit
) -> None:
    commit(FILES)
    commit({"shop/cart.py": changed_cart("self.total()")})
    update(repository)
    before = set(FileChange.objects.values_list("pk", flat=True))
    head = commit({"shop/till.py": TILL.replace("return amount", "return 2")})
    job = update(repository)
    assert sum((b.result or {}).get("changes", 0) for b in job.batches.all()) == 1
    new = FileChange.objects.exclude(pk__in=before).get()
    assert (new.path, new.lines, new.names) == ("shop/till.py", 2, {"charge": 2})
    assert ReadHistory.objects.get().commit == head


def test_commits_that_a_push_replaced_are_forgotten(
    repository: Repository, commit: Commit
) -> None:
    commit(FILES)
    base = repository.git("rev-parse", "HEAD")
    commit({"shop/cart.py": changed_cart("self.total()")})
    update(repository)
    assert listed()
    repository.git("reset", "-q", "--hard", base)
    commit({"README.md": "# Shop\n\nMore.\n"})
    update(repository)
    assert listed() == {}
    assert not FileChange.objects.filter(path="shop/cart.py", lines=2).exists()


def test_only_maintainers_check(
    repository: Repository, commit: Commit, people: People
) -> None:
    commit(FILES)
    commit({"shop/cart.py": changed_cart("self.total()")})
    update(repository)
    product, row = Product.objects.get(name="tea"), OutdatedDocument.objects.get()
    Membership.objects.create(product=product, user=people.bob, role="viewer")
    with pytest.raises(PermissionDenied):
        check_document(
            principal=principal(people.bob),
            product=product,
            document_id=row.pk,
            is_right=True,
        )


def test_a_limited_source_takes_no_part_and_is_not_shown(
    repository: Repository, commit: Commit, people: People, tmp_path: Path
) -> None:
    commit(FILES)
    commit({"shop/cart.py": changed_cart("self.total()")})
    update(repository)
    product = Product.objects.get(name="tea")
    Membership.objects.create(product=product, user=people.bob, role="viewer")
    bob = principal(people.bob)
    assert outdated_of(product, bob).count() == 1
    SourceLimit.objects.create(
        product=product, source_id=Source.objects.get(product=product).pk
    )
    assert outdated_of(product, bob).count() == 0
    commit({"README.md": "# Shop\n\nMore.\n"})
    update(repository)
    assert not OutdatedDocument.objects.exists()
