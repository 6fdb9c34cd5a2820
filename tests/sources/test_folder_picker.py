"""Folders to choose from: nothing outside the roots, nothing hidden."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import ANONYMOUS, SYSTEM, Principal
from devrag.products.models import Product
from devrag.sources import folder_picker
from devrag.sources.folder_picker import FolderListing, list_folders
from devrag.sources.models import Source
from devrag.use_cases.product_settings import change_product
from tests.people import People, principal

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(tmp_path: Path, settings: Any) -> Path:
    """A folder that may be added, beside one that may not."""
    for name in ("roots/shop/.git", "roots/team/api", "roots/.cache/x", "elsewhere/x"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "roots/notes.md").write_text("# Notes\n")
    settings.SOURCE_ROOTS = [tmp_path / "roots"]
    return tmp_path / "roots"


@pytest.fixture
def admin() -> Principal:
    return principal(User.objects.create_superuser("root"))


def names(listing: FolderListing) -> list[str]:
    return [folder.name for folder in listing.folders]


def test_it_begins_within_the_only_root(admin: Principal, root: Path) -> None:
    listing = list_folders(admin)
    assert (listing.path, names(listing)) == (str(root), ["shop", "team"])
    assert listing.is_top
    assert not list_folders(admin, str(root)).is_top


def test_it_begins_with_the_roots(admin: Principal, root: Path, settings: Any) -> None:
    settings.SOURCE_ROOTS = [root, root.parent / "elsewhere"]
    listing = list_folders(admin)
    assert (listing.path, len(listing.folders)) == ("", 2)
    settings.SOURCE_ROOTS = [root / "shop"]
    assert names(list_folders(admin)) == [str(root / "shop")]


def test_what_is_a_source_already_is_marked(admin: Principal, root: Path) -> None:
    product = Product.objects.create(name="tea")
    Source.objects.create(
        product=product, name="shop", metadata={"path": str(root / "shop")}
    )
    added = {each.name: each.is_added for each in list_folders(admin).folders}
    assert added == {"shop": True, "team": False}


def test_a_folder_lists_the_visible_folders_in_it(admin: Principal, root: Path) -> None:
    listing = list_folders(admin, str(root))
    shown = [(each.name, each.path, each.is_repository) for each in listing.folders]
    assert shown == [
        ("shop", str(root / "shop"), True),
        ("team", str(root / "team"), False),
    ]
    assert list_folders(admin, str(root / "team/api")).folders == ()


def test_one_goes_up_to_the_root_and_no_further(admin: Principal, root: Path) -> None:
    assert list_folders(admin, str(root / "team/api")).parent == str(root / "team")
    assert list_folders(admin, str(root)).parent == ""


@pytest.mark.parametrize("path", ["..", "../elsewhere", "team/../../elsewhere", "../x"])
def test_nothing_outside_the_roots_is_shown(
    admin: Principal, root: Path, path: str
) -> None:
    with pytest.raises(PermissionDenied, match="is outside the folders"):
        list_folders(admin, f"{root}/{path}")


def test_symlinks_are_followed_inside_the_roots_only(
    admin: Principal, root: Path
) -> None:
    (root / "inside").symlink_to(root / "team/api")
    (root / "outside").symlink_to(root.parent / "elsewhere")
    (root / "above").symlink_to("..")
    (root / "secret").symlink_to(root / ".cache")
    (root / "loop").symlink_to("loop")
    listing = list_folders(admin, str(root))
    assert names(listing) == ["inside", "shop", "team"]
    assert listing.folders[0].path == str(root / "team/api")
    with pytest.raises(PermissionDenied):
        list_folders(admin, str(root / "outside/x"))


@pytest.mark.parametrize("path", [".cache", ".cache/x", "shop/.git", "nowhere"])
def test_hidden_folders_are_as_if_they_were_not_there(
    admin: Principal, root: Path, path: str
) -> None:
    with pytest.raises(NotFound, match="Check the path"):
        list_folders(admin, str(root / path))


def test_a_root_may_itself_be_hidden(
    admin: Principal, root: Path, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [root / ".cache"]
    assert names(list_folders(admin, str(root / ".cache"))) == ["x"]


@pytest.mark.parametrize("path", ["team", "notes.md\0", "/etc/passwd"])
def test_what_is_no_path_is_refused(admin: Principal, root: Path, path: str) -> None:
    with pytest.raises((InvalidInput, PermissionDenied)):
        list_folders(admin, path)


def test_a_file_is_said_to_be_one(admin: Principal, root: Path) -> None:
    with pytest.raises(InvalidInput, match="is a file"):
        list_folders(admin, str(root / "notes.md"))


def test_a_folder_that_cannot_be_read_is_said(admin: Principal, settings: Any) -> None:
    with tempfile.TemporaryDirectory() as name:
        closed = Path(name) / "closed"
        closed.mkdir(mode=0o000)
        Path(name).chmod(0o755)
        settings.SOURCE_ROOTS = [Path(name)]
        with as_nobody():
            assert names(list_folders(admin, name)) == ["closed"]
            with pytest.raises(InvalidInput, match=r": Permission"):
                list_folders(admin, str(closed))


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Root may read everything: be somebody else for a while."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_long_list_is_cut_and_says_so(
    admin: Principal, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_picker, "MAX_FOLDERS", 1)
    listing = list_folders(admin, str(root))
    assert (names(listing), listing.is_cut) == (["shop"], True)
    assert not list_folders(admin, str(root / "team")).is_cut


def test_a_maintainer_sees_the_folders_of_the_own_products(
    people: People, root: Path
) -> None:
    alice = principal(people.alice)
    assert list_folders(alice).folders == ()
    with pytest.raises(PermissionDenied):
        list_folders(alice, str(root / "team"))
    change_product(
        principal=SYSTEM,
        product=people.teahouse,
        changes={"source_roots": [str(root / "team")]},
    )
    assert names(list_folders(alice)) == ["api"]
    assert names(list_folders(alice, str(root / "team"))) == ["api"]
    with pytest.raises(PermissionDenied):
        list_folders(alice, str(root / "shop"))


def test_who_is_not_signed_in_sees_none(root: Path) -> None:
    assert list_folders(ANONYMOUS).folders == ()
