"""Which file a version that lacks a path is asked for."""

from __future__ import annotations

import pytest

from devrag.core.errors import FileNotFound
from devrag.products.models import Product
from devrag.sources.models import GitRef, Source
from devrag.use_cases import file_versions
from devrag.use_cases.file_versions import find_file
from tests.stored import store_files

pytestmark = pytest.mark.django_db
FOLDERS = "folder/" * 50


@pytest.fixture
def ref() -> GitRef:
    product = Product.objects.create(name="tea")
    source = Source.objects.create(product=product, name="tea", source_type="git")
    ref = GitRef.objects.create(source=source, name="main", is_current=True)
    paths = ("lib/web/tall.py", "shop/deep/Till.py", "Makefile", f"{FOLDERS}one.py")
    store_files(ref, dict.fromkeys(paths, "x = 1\n"))
    return ref


def closest(ref: GitRef, path: str) -> str:
    with pytest.raises(FileNotFound) as error:
        find_file(ref.source, ref, "current", path)
    return error.value.closest


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("lib/web/till.py", "shop/deep/Till.py"),
        ("lib/web/tell.py", "lib/web/tall.py"),
        ("docs/Makefile", "Makefile"),
        ("zzz.qqq", ""),
        (f"{FOLDERS}two.py", ""),
    ],
)
def test_the_closest_path_has_the_same_name_or_similar_folders(
    ref: GitRef, path: str, found: str
) -> None:
    assert closest(ref, path) == found


def test_a_path_that_takes_too_long_to_find_is_not_suggested(
    ref: GitRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_versions, "_SECONDS", 0.0)
    assert closest(ref, "lib/web/tell.py") == ""
    assert find_file(ref.source, ref, "current", "Makefile").path == "Makefile"
