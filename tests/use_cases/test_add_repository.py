"""Who may add what: nothing is half-created, no path leaves SOURCE_ROOTS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import (
    Conflict,
    DevragError,
    InvalidInput,
    NotFound,
    PermissionDenied,
)
from devrag.core.principal import SYSTEM, Principal, Role
from devrag.jobs.models import Job, JobState
from devrag.products.models import Product
from devrag.sources.models import RefFile, Source
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.index import request_index
from tests.conftest import Repository, run_job
from tests.parsing.office_files import word
from tests.people import People, principal

pytestmark = pytest.mark.django_db


@pytest.fixture
def allowed(people: People, shop: Repository, settings: Any) -> Repository:
    """The shop, below a folder that the teahouse's maintainers may use."""
    settings.SOURCE_ROOTS = [shop.path.parent]
    Product.objects.update(source_roots=[str(shop.path.parent)])
    return shop


def test_a_maintainer_adds_to_the_product(people: People, allowed: Repository) -> None:
    job = add_repository(
        principal=principal(people.alice),
        location=str(allowed.path),
        product_name="teahouse",
    )
    assert job.product == people.teahouse


def test_a_viewer_is_refused(people: People, allowed: Repository) -> None:
    with pytest.raises(PermissionDenied, match="Ask a maintainer"):
        add_repository(
            principal=principal(people.bob),
            location=str(allowed.path),
            product_name="teahouse",
        )
    assert Source.objects.count() == 1


def test_staff_without_membership_is_refused_in_an_existing_product(
    people: People, allowed: Repository
) -> None:
    dora = Principal("dora", Role.MAINTAINER, user_id=people.charlie.pk)
    with pytest.raises(PermissionDenied):
        add_repository(
            principal=dora, location=str(allowed.path), product_name="market"
        )


def test_the_name_of_a_hidden_product_cannot_be_used(
    people: People, allowed: Repository
) -> None:
    dora = Principal("dora", Role.MAINTAINER, user_id=people.charlie.pk)
    with pytest.raises(Conflict, match="not available"):
        add_repository(
            principal=dora, location=str(allowed.path), product_name="teahouse"
        )


def test_a_user_who_adds_no_products_adds_none(
    people: People, allowed: Repository
) -> None:
    with pytest.raises(NotFound, match="is not allowed to add one"):
        add_repository(
            principal=principal(people.charlie),
            location=str(allowed.path),
            product_name="new",
        )
    assert not Product.objects.filter(name="new").exists()


def test_who_may_not_add_makes_the_server_ask_nobody(
    people: People, allowed: Repository
) -> None:
    with pytest.raises(PermissionDenied, match="Ask an administrator to add it"):
        add_repository(
            principal=principal(people.bob), location=str(allowed.path), ref="nowhere"
        )


def test_a_path_outside_the_roots_is_refused_in_the_browser(
    people: People, shop: Repository, settings: Any, tmp_path: Path
) -> None:
    settings.SOURCE_ROOTS = [tmp_path / "elsewhere"]
    with pytest.raises(PermissionDenied, match="Ask an administrator to add it"):
        add_repository(
            principal=principal(people.alice),
            location=str(shop.path),
            product_name="teahouse",
        )


def test_a_relative_folder_is_one_only_on_the_command_line(
    people: People, shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop.path.parent)
    name = shop.path.name
    job = add_repository(
        principal=SYSTEM, location=name, product_name="new", is_local_user=True
    )
    assert Source.objects.get(product=job.product).location == str(shop.path)
    with pytest.raises(InvalidInput, match="not a git URL"):
        add_repository(
            principal=principal(people.alice), location=name, product_name="teahouse"
        )


def test_a_refusal_does_not_tell_what_exists(people: People, tmp_path: Path) -> None:
    said = []
    for name in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(PermissionDenied) as caught:
            add_repository(principal=principal(people.alice), location=str(name))
        said.append(caught.value.message.replace(str(name), ""))
    assert said[0] == said[1]


def test_a_link_out_of_the_roots_is_refused(
    people: People, shop: Repository, settings: Any, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(shop.path)
    settings.SOURCE_ROOTS = [root]
    with pytest.raises(PermissionDenied):
        add_repository(principal=principal(people.alice), location=str(root / "link"))


@pytest.mark.parametrize(
    "location",
    ["", " ", "-u/x", "ext::sh -c id", "file:///etc", "a\0b", "/nonexistent/x", "::1"],
)
def test_a_location_that_is_none_creates_nothing(location: str) -> None:
    with pytest.raises(DevragError):
        add_repository(principal=SYSTEM, location=location, is_local_user=True)
    assert not Product.objects.exists()


@pytest.mark.parametrize("name", ["a/b", "..", "../x"])
def test_a_name_that_is_none_creates_nothing(shop: Repository, name: str) -> None:
    with pytest.raises(InvalidInput):
        add_repository(
            principal=SYSTEM,
            location=str(shop.path),
            product_name=name,
            is_local_user=True,
        )
    assert not Product.objects.exists()


def test_a_branch_that_is_not_there_creates_nothing(shop: Repository) -> None:
    with pytest.raises(DevragError, match="nowhere"):
        add_repository(
            principal=SYSTEM, location=str(shop.path), ref="nowhere", is_local_user=True
        )
    assert not Product.objects.exists()


def test_adding_twice_is_one_source(shop: Repository) -> None:
    for _ in range(2):
        add_repository(principal=SYSTEM, location=str(shop.path), is_local_user=True)
    assert Source.objects.count() == 1


# -- a path that was given on the command line stays readable for later runs: whoever
# asks for one names the source and never the path, so nothing else can be read ------


@pytest.fixture
def given(people: People, shop: Repository) -> Source:
    """A folder outside SOURCE_ROOTS that the operator added to the teahouse."""
    job = add_repository(
        principal=SYSTEM,
        location=str(shop.path),
        product_name="teahouse",
        is_local_user=True,
        is_wiki_wanted=False,
    )
    run_job(job)
    return Source.objects.get(name="shop")


def test_a_source_given_on_the_command_line_is_indexed_on_request(
    people: People, given: Source
) -> None:
    job = run_job(request_index(principal=principal(people.alice), source=given))
    assert job.state == JobState.COMPLETED, job.error


def test_its_path_cannot_be_added_again_in_the_browser(
    people: People, given: Source
) -> None:
    with pytest.raises(PermissionDenied):
        add_repository(
            principal=principal(people.alice),
            location=given.location,
            product_name="teahouse",
        )


def test_a_source_of_the_browser_obeys_the_roots_at_every_run(
    people: People, allowed: Repository, settings: Any
) -> None:
    alice = principal(people.alice)
    job = add_repository(
        principal=alice, location=str(allowed.path), product_name="teahouse"
    )
    settings.SOURCE_ROOTS = []
    job = run_job(job)
    assert job.state == JobState.FAILED
    assert "Ask an administrator" in job.error


def test_a_path_that_became_a_link_out_of_the_roots_is_refused(
    people: People, allowed: Repository, settings: Any, tmp_path: Path
) -> None:
    alice = principal(people.alice)
    secret = Repository(tmp_path / "other" / "secret")
    secret.commit({"key.md": "# Secret\n"})
    settings.SOURCE_ROOTS = [tmp_path / "root"]
    Product.objects.update(source_roots=[str(tmp_path / "root")])
    (tmp_path / "root").mkdir()
    moved = allowed.path.rename(tmp_path / "root" / "shop")
    job = add_repository(principal=alice, location=str(moved), product_name="teahouse")
    moved.rename(tmp_path / "away")
    moved.symlink_to(secret.path)
    assert run_job(job).state == JobState.FAILED


def test_the_operators_next_run_frees_a_source_from_the_roots(
    people: People, allowed: Repository, settings: Any
) -> None:
    add_repository(
        principal=principal(people.alice),
        location=str(allowed.path),
        product_name="teahouse",
    )
    settings.SOURCE_ROOTS = []
    job = add_repository(
        principal=SYSTEM,
        location=str(allowed.path),
        product_name="teahouse",
        is_local_user=True,
        is_wiki_wanted=False,
    )
    assert run_job(job).state == JobState.COMPLETED
    assert Job.objects.filter(state=JobState.FAILED).count() == 0


@pytest.mark.parametrize("name", ["x/../y", "..", "a\nb", "x" * 101, " x"])
def test_a_source_name_that_no_address_can_hold_is_refused(
    shop: Repository, name: str
) -> None:
    with pytest.raises(InvalidInput, match="Invalid source name"):
        add_repository(
            principal=SYSTEM,
            location=str(shop.path),
            product_name="new",
            source_name=name,
            is_local_user=True,
        )
    assert not Product.objects.filter(name="new").exists()


def test_one_office_file_is_a_source(tmp_path: Path, db: None) -> None:
    file = tmp_path / "handbook.docx"
    file.write_bytes(word(lambda made: made.add_paragraph("Refunds take a fortnight.")))
    job = run_job(
        add_repository(
            principal=SYSTEM,
            location=str(file),
            product_name="shop",
            is_wiki_wanted=False,
            is_local_user=True,
        )
    )
    assert job.state == "completed", job.error
    (entry,) = RefFile.objects.select_related("file")
    assert (entry.file.path, entry.file.language) == ("handbook.docx", "docx")
    assert "fortnight" in entry.file.text


@pytest.mark.parametrize("name", ["notes.txt", "handbook.doc"])
def test_one_file_of_another_kind_is_refused_with_the_way_out(
    tmp_path: Path, db: None, name: str
) -> None:
    (tmp_path / name).write_text("x")
    with pytest.raises(InvalidInput, match="Use its folder; the only files"):
        add_repository(
            principal=SYSTEM,
            location=str(tmp_path / name),
            product_name="shop",
            is_local_user=True,
        )
