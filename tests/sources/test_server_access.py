"""What of the server a product's sources may use, and who decides."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test import Client

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.principal import SYSTEM, Principal, Role
from devrag.jobs.models import Job, JobState
from devrag.products.models import Membership, Product
from devrag.sources.models import Source
from devrag.sources.server_access import access_of, access_to_add
from devrag.sources.services import open_source
from devrag.use_cases.add_repository import add_repository, move_source
from devrag.use_cases.product_settings import change_product
from tests.conftest import Repository, run_job
from tests.people import People, bearer, principal

pytestmark = pytest.mark.django_db
SSH = "git@git.example:team/secret.git"


@pytest.fixture
def roots(tmp_path: Path, settings: Any) -> Path:
    """SOURCE_ROOTS with a folder of the teahouse and one of a hidden product."""
    for name in ("tea", "hidden"):
        (tmp_path / f"roots/{name}/notes").mkdir(parents=True)
        (tmp_path / f"roots/{name}/notes/a.md").write_text(f"# {name}\n")
    settings.SOURCE_ROOTS = [tmp_path / "roots"]
    return tmp_path / "roots"


@pytest.fixture
def granted(people: People, roots: Path) -> Product:
    """The teahouse, whose maintainers may add what is below its folder."""
    change_product(
        principal=SYSTEM,
        product=people.teahouse,
        changes={"source_roots": [str(roots / "tea")]},
    )
    return people.teahouse


def add(who: Principal, location: Path | str, product: str | None = "teahouse") -> Job:
    return add_repository(
        principal=who, location=str(location), product_name=product, source_name="s"
    )


def admin() -> Principal:
    user = User.objects.create_superuser("root")
    return principal(user)


# -- folders


def test_a_maintainer_adds_no_folder_unless_it_is_granted(
    people: People, roots: Path
) -> None:
    with pytest.raises(PermissionDenied, match="Ask an administrator"):
        add(principal(people.alice), roots / "tea/notes")
    assert Source.objects.count() == 1


def test_a_maintainer_adds_what_is_below_a_granted_folder(
    people: People, granted: Product, roots: Path
) -> None:
    job = run_job(add(principal(people.alice), roots / "tea/notes"))
    assert job.state == JobState.COMPLETED, job.error


@pytest.mark.parametrize(
    "location",
    [
        "hidden/notes",
        "hidden",
        "",
        "tea/../hidden/notes",
        "tea/link",
        "tea-2",
        "nothing",
    ],
)
def test_the_folder_of_a_hidden_product_stays_out_of_reach(
    people: People, granted: Product, roots: Path, location: str
) -> None:
    (roots / "tea/link").symlink_to(roots / "hidden/notes")
    (roots / "tea-2").mkdir()
    for product in ("teahouse", None):
        with pytest.raises(PermissionDenied, match="Ask an administrator"):
            add(principal(people.alice), roots / location, product)
    assert Source.objects.count() == 1


def test_a_folder_granted_to_one_product_is_not_for_another(
    people: People, granted: Product, roots: Path
) -> None:
    Membership.objects.create(
        product=people.market, user=people.alice, role="maintainer"
    )
    with pytest.raises(PermissionDenied):
        add(principal(people.alice), roots / "tea/notes", "market")


def test_a_new_product_has_no_folders(
    people: People, granted: Product, roots: Path
) -> None:
    """Whoever may add products must not gain folders by adding one."""
    people.alice.is_staff = True
    people.alice.save()
    with pytest.raises(PermissionDenied):
        add(principal(people.alice), roots / "tea/notes", "fresh")
    assert not Product.objects.filter(name="fresh").exists()


def test_git_data_of_a_hidden_product_stays_out_of_reach(
    people: People, granted: Product, roots: Path
) -> None:
    hidden, own = Repository(roots / "hidden/code"), Repository(roots / "tea/code")
    hidden.commit({"secret.md": "# Secret\n"})
    own.commit({"own.md": "# Own\n"})
    alternates = own.path / ".git/objects/info/alternates"
    alternates.write_text(f"{hidden.path}/.git/objects\n")
    with pytest.raises(PermissionDenied, match="alternates points outside"):
        add(principal(people.alice), own.path)


def test_a_withdrawn_grant_counts_at_the_next_run(
    people: People, granted: Product, roots: Path
) -> None:
    job = add(principal(people.alice), roots / "tea/notes")
    change_product(principal=SYSTEM, product=granted, changes={"source_roots": []})
    failed = run_job(job)
    assert failed.state == JobState.FAILED
    assert "Ask an administrator" in failed.error


def test_narrower_source_roots_count_for_grants(
    people: People, granted: Product, roots: Path, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [roots / "hidden"]
    assert access_to_add(principal(people.alice), granted).roots == ()


def test_an_administrator_adds_any_folder_below_the_roots(
    people: People, roots: Path
) -> None:
    job = run_job(add(admin(), roots / "hidden/notes"))
    assert job.state == JobState.COMPLETED, job.error
    with pytest.raises(PermissionDenied):
        add(admin_again(), "/etc")


def admin_again() -> Principal:
    return principal(User.objects.get(username="root"))


def test_what_an_administrator_added_stays_readable_for_maintainers(
    people: People, roots: Path
) -> None:
    run_job(add(admin(), roots / "tea/notes"))
    source = Source.objects.get(name="s")
    assert access_of(source).roots == (roots / "tea/notes",)
    with pytest.raises(PermissionDenied):  # but not another time, elsewhere
        add(principal(people.alice), roots / "hidden/notes")


def make_code(path: Path) -> Repository:
    made = Repository(path)
    made.commit({"own.md": "# Own\n"})
    return made


@pytest.mark.parametrize("place", ["objects/info/alternates", "refs"])
def test_what_an_administrator_added_reads_no_other_product(
    people: People, roots: Path, place: str
) -> None:
    hidden, own = make_code(roots / "hidden/code"), make_code(roots / "tea/code")
    job = run_job(add(admin(), own.path))
    assert job.state == JobState.COMPLETED, job.error
    borrowed = own.path / ".git" / place
    if place == "refs":
        borrowed.rename(own.path / ".git/own")
        borrowed.symlink_to(hidden.path / ".git/refs")
    else:
        borrowed.write_text(f"{hidden.path}/.git/objects\n")
    with pytest.raises(PermissionDenied, match="points outside"):
        open_source(Source.objects.get(name="s"))


def test_source_roots_that_became_narrower_count_for_what_was_granted(
    people: People, roots: Path, settings: Any
) -> None:
    add(admin(), roots / "tea/notes")
    settings.SOURCE_ROOTS = [roots / "hidden"]
    with pytest.raises(PermissionDenied, match="You are not allowed to add"):
        open_source(Source.objects.get(name="s"))


def make_work_tree(code: Repository) -> Path:
    code.git("worktree", "add", "-q", "../tree", "-b", "side")
    return code.path.parent / "tree"


def make_submodule(code: Repository) -> Path:
    make_code(code.path.parent / "lib")
    allowed = ("-c", "protocol.file.allow=always")
    code.git(*allowed, "submodule", "--quiet", "add", "../lib", "lib")
    return code.path / "lib"


@pytest.mark.parametrize("make", [make_work_tree, make_submodule])
def test_work_trees_and_submodules_are_read_below_an_allowed_folder(
    people: People, granted: Product, roots: Path, make: Callable[[Repository], Path]
) -> None:
    place = make(make_code(roots / "tea/code"))
    for who in (principal(people.alice), admin()):
        job = run_job(add(who, place))
        assert job.state == JobState.COMPLETED, job.error
    assert Source.objects.get(name="s").metadata["isGranted"] is True


def test_an_administrator_hears_at_once_that_git_data_lies_elsewhere(
    people: People, roots: Path
) -> None:
    place = make_work_tree(make_code(roots / "tea/code"))
    for product in ("teahouse", "fresh", None):
        with pytest.raises(PermissionDenied, match="allow the folder of this data"):
            add(Principal("root", Role.ADMIN), place, product)
    assert Source.objects.count() == 1


def test_a_granted_folder_that_becomes_a_symlink_is_refused(
    people: People, roots: Path
) -> None:
    add(admin(), roots / "tea/notes")
    (roots / "tea/notes").rename(roots / "tea/own")
    (roots / "tea/notes").symlink_to(roots / "hidden/notes")
    with pytest.raises(PermissionDenied, match="is now a symlink"):
        access_of(Source.objects.get(name="s"))


def test_a_token_limited_to_products_is_no_administrator(
    people: People, roots: Path
) -> None:
    limited = Principal(
        "token", Role.ADMIN, product_ids=frozenset([people.teahouse.pk])
    )
    with pytest.raises(PermissionDenied):
        add(limited, roots / "hidden/notes")
    with pytest.raises(PermissionDenied):
        change_product(
            principal=limited,
            product=people.teahouse,
            changes={"source_roots": [str(roots)]},
        )


def test_adding_again_never_narrows_a_source(
    people: People, granted: Product, roots: Path
) -> None:
    alice = principal(people.alice)
    add(admin(), roots / "tea/notes")
    add(alice, roots / "tea/notes")
    source = Source.objects.get(name="s")
    assert source.metadata["isGranted"] is True


# -- the SSH key


def test_the_key_is_not_for_maintainers_unless_it_is_granted(
    people: People, roots: Path
) -> None:
    with pytest.raises(PermissionDenied, match="requires the SSH key"):
        add(principal(people.alice), SSH)
    with pytest.raises(PermissionDenied, match="requires the SSH key"):
        add(principal(people.alice), "ssh://git@git.example/team/secret.git")
    assert Source.objects.count() == 1


def test_a_grant_lets_maintainers_use_the_key(people: People, roots: Path) -> None:
    change_product(
        principal=SYSTEM, product=people.teahouse, changes={"is_ssh_key_allowed": True}
    )
    access = access_to_add(principal(people.alice), people.teahouse)
    assert access.is_ssh_key_allowed
    assert not access_to_add(principal(people.alice), people.market).is_ssh_key_allowed
    assert not access_to_add(principal(people.alice), None).is_ssh_key_allowed


@pytest.mark.parametrize("marks", [{"isLocalUser": True}, {"isGranted": True}])
def test_a_maintainer_moves_no_source_to_what_the_key_opens(
    people: People, marks: dict[str, bool]
) -> None:
    people.source.metadata |= {"url": "git@git.example:team/own.git", **marks}
    people.source.save()
    with pytest.raises(PermissionDenied, match="requires the SSH key"):
        move_source(principal=principal(people.alice), source=people.source, url=SSH)
    people.source.refresh_from_db()
    assert people.source.location == "git@git.example:team/own.git"


def test_a_source_loses_its_grant_where_a_maintainer_moves_it(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.source.metadata |= {"isLocalUser": True, "isGranted": True}
    people.source.save()
    monkeypatch.setattr("devrag.use_cases.add_repository.probe", lambda *_, **__: None)
    url = "https://git.example/moved.git"
    move_source(principal=principal(people.alice), source=people.source, url=url)
    people.source.refresh_from_db()
    assert not access_of(people.source).is_ssh_key_allowed
    assert not access_of(people.source).is_local_user


# -- who decides


@pytest.mark.parametrize(
    "changes", [{"source_roots": ["/"]}, {"is_ssh_key_allowed": True}]
)
def test_maintainers_grant_nothing(people: People, changes: dict[str, Any]) -> None:
    with pytest.raises(PermissionDenied, match="Ask an administrator"):
        change_product(
            principal=principal(people.alice), product=people.teahouse, changes=changes
        )


@pytest.mark.parametrize("root", ["/", "/etc", "roots", "a\0b", "roots/../.."])
def test_only_folders_below_the_roots_are_granted(
    people: People, roots: Path, root: str
) -> None:
    with pytest.raises(InvalidInput):
        change_product(
            principal=SYSTEM,
            product=people.teahouse,
            changes={"source_roots": [root]},
        )


def test_rest_obeys(client: Client, people: People, granted: Product) -> None:
    url = f"/api/v1/products/{granted.pk}"
    owner = bearer("admin", user=people.alice)
    body = {"sourceRoots": ["/"]}
    headers: Any = {"content_type": "application/json"}
    assert client.patch(url, body, headers=owner, **headers).status_code == 403
    assert client.get(url, headers=owner).json()["sourceRoots"] is None
    operator = bearer("admin")
    assert client.get(url, headers=operator).json()["sourceRoots"] != []
    body = {"sourceRoots": [], "sshKeyAllowed": True}  # type: ignore[dict-item]
    data = client.patch(url, body, headers=operator, **headers).json()
    assert (data["sourceRoots"], data["sshKeyAllowed"]) == ([], True)
    made = {"productName": "fresh", "sshKeyAllowed": True}
    index = bearer("index")
    answer = client.post("/api/v1/products", made, headers=index, **headers)
    assert answer.status_code == 403
    assert not Product.objects.filter(name="fresh").exists()


def test_the_command_grants(
    people: People, roots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--source-roots", str(roots / "tea"), "--ssh-key", "yes")
    call_command("product", "update", "teahouse", *given)
    product = Product.objects.get(name="teahouse")
    assert product.source_roots == [str(roots / "tea")]
    assert product.is_ssh_key_allowed
    call_command("product", "update", "teahouse", "--source-roots")
    product.refresh_from_db()
    assert product.source_roots == []


def test_sources_from_before_keep_working(people: People, roots: Path) -> None:
    Source.objects.all().delete()
    code = make_code(roots / "tea/code")
    for name, metadata in {
        "folder": {"path": str(code.path), "isLocalUser": False},
        "ssh": {"url": SSH},
        "https": {"url": "https://git.example/x.git"},
    }.items():
        Source.objects.create(
            product=people.teahouse, name=name, source_type="git", metadata=metadata
        )
    migration = MigrationLoader(connection).get_migration_by_prefix(
        "sources", "0012_granted"
    )
    (operation,) = migration.operations
    with connection.cursor() as cursor:
        cursor.execute(operation.sql)  # type: ignore[attr-defined]
    marked = {s.name for s in Source.objects.all() if s.metadata.get("isGranted")}
    assert marked == {"folder", "ssh"}
    folder = Source.objects.get(name="folder")
    assert access_of(folder).roots == (code.path,)
    with contextlib.closing(open_source(folder)) as connector:
        connector.probe()
    assert access_of(Source.objects.get(name="ssh")).is_ssh_key_allowed
    assert not access_of(Source.objects.get(name="https")).is_ssh_key_allowed
    with connection.cursor() as cursor:
        cursor.execute(operation.reverse_sql)  # type: ignore[attr-defined]
    assert not any("isGranted" in s.metadata for s in Source.objects.all())
