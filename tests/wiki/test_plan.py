"""The plan covers every file, the same way every time."""

from __future__ import annotations

import pytest
from devrag.wiki.analysis.packages import group_parts
from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.wiki.analysis.roles import role_of
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.page_kind import ARCHITECTURE, INDEX
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import SHOP, analyse

names = st.sampled_from(["a", "b", "core", "日本", "x-y"])
paths = st.lists(names, min_size=1, max_size=4).map(lambda p: "/".join(p) + ".py")


def code_file(number: int, path: str) -> SurveyFile:
    return SurveyFile(number, "s", path, "python", "code", 50)


@given(st.sets(paths, max_size=40))
def test_every_file_is_in_exactly_one_part(found: set[str]) -> None:
    files = [code_file(n, path) for n, path in enumerate(sorted(found))]
    parts = group_parts(files, lambda _: True)
    assert sorted(f.id for part in parts for f in part.files) == [f.id for f in files]
    assert len({part.name for part in parts}) == len(parts)


def test_packages_become_parts_and_small_ones_join_their_parent() -> None:
    tree = [f"app/{p}/{m}.py" for p in ("one", "two") for m in ("x", "y", "z")]
    files = [code_file(n, p) for n, p in enumerate([*tree, "app/tiny/x.py"])]
    parts = group_parts(files, lambda _: True)
    assert [part.path for part in parts] == ["app", "app/one", "app/two"]


def test_the_big_modules_of_a_flat_package_are_parts() -> None:
    files = [
        SurveyFile(n, "s", f"src/p/{name}.py", "python", "code", 400)
        for n, name in enumerate("abcdef")
    ]
    parts = group_parts(files, lambda _: True)
    assert [part.name for part in parts] == list("abcdef")


@settings(max_examples=20, deadline=None)
@given(st.sets(st.sampled_from(sorted(SHOP)), max_size=len(SHOP)))
def test_every_file_is_on_a_page_or_left_out_with_a_reason(chosen: set[str]) -> None:
    analysis = analyse({path: SHOP[path] for path in sorted(chosen)})
    plan = plan_wiki(analysis)
    covered = {analysis.files[f].path for page in plan.pages for f in page.files}
    left = {p.partition("/")[2] for group in plan.left_out for p in group.paths}
    assert covered | left == chosen
    assert not covered & left


def test_the_shop_has_the_pages_a_reader_expects() -> None:
    plan = plan_wiki(analyse(SHOP))
    assert [page.path for page in plan.pages] == [
        INDEX,
        ARCHITECTURE,
        "features/shop.md",
        "features/orders.md",
        "features/stock.md",
        "interfaces.md",
        "data-model.md",
        "configuration.md",
        "build-and-run.md",
        "testing.md",
        "documentation.md",
    ]


def test_slugs_are_ascii_and_unique() -> None:
    files = {
        f"app/{name}/{m}.py": "def f(): ...\n" * 40
        for name in ("検索", "索引", "a b")
        for m in ("x", "y")
    }
    plan = plan_wiki(analyse(files))
    found = [page.path for page in plan.pages]
    assert len(found) == len(set(found))
    assert all(path.isascii() for path in found)


def test_vendored_files_are_left_out_by_name() -> None:
    left = plan_wiki(analyse(SHOP)).left_out
    assert any("vendor" in group.reason for group in left)


def test_a_big_directory_of_big_packages_gets_a_page_per_package() -> None:
    folders = [f"app/server/{name}" for name in "abcdefghijklmno"]
    tree = [f"{folder}/{n}.py" for folder in folders for n in range(12)]
    files = [code_file(n, p) for n, p in enumerate(tree)]
    parts = group_parts(files, lambda _: True)
    assert [part.path for part in parts] == folders


def test_many_small_packages_side_by_side_stay_one_family() -> None:
    tree = [f"app/kinds/k{k}/{n}.py" for k in range(30) for n in range(3)]
    tree += [f"app/core/{n}.py" for n in range(40)]
    files = [code_file(n, p) for n, p in enumerate(tree)]
    parts = group_parts(files, lambda _: True)
    assert [part.path for part in parts] == ["app/core", "app/kinds"]


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("app/migrations/0001_initial.py", "migration"),
        ("db/migrate/20240101_add.rb", "migration"),
        ("db/old_migrations/001_add.rb", "migration"),
        ("app/migrator/run.py", "code"),
        ("composer.json", "build"),
        ("shop.gemspec", "build"),
    ],
)
def test_a_path_tells_what_a_file_is_for(path: str, role: str) -> None:
    language = "json" if path.endswith("json") else "python"
    assert role_of(SurveyFile(1, "s", path, language, "code", 9)) == role
