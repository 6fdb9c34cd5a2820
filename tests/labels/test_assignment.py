"""Labels of file versions: given once, changed with the vocabulary, few statements."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from devrag.core.errors import Conflict, InvalidInput, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.labels.api import (
    add_label,
    assign_by_rules,
    assign_by_vectors,
    change_label,
    change_numbers,
    changed_files,
    files_to_compare,
    find_label_ids,
    list_labels,
    remove_label,
)
from devrag.labels.models import FileLabel
from devrag.labels.types import Assigned
from tests.labels.conftest import Shelf
from tests.stored import store_files


def test_files_get_labels_by_rules_and_only_once(shelf: Shelf) -> None:
    assert shelf.names("app/auth.py") == ["auth"]
    assert shelf.names("app/cart.py") == []
    assert shelf.names("tests/test_cart.py") == ["test"]
    assert shelf.assign() == 0
    store_files(shelf.ref, {"app/login.py": "x = 1\n"})
    assert shelf.assign() == 1


def test_many_files_take_as_many_statements_as_few(
    shelf: Shelf, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    files = {f"app/auth/m{n}.py": f"x = {n}\n" for n in range(40)}
    store_files(shelf.ref, files)
    ids = [shelf.file(path).pk for path in files]
    with django_assert_num_queries(16):
        assign_by_rules(shelf.source, ids[:2])
    with django_assert_num_queries(16):
        assign_by_rules(shelf.source, ids[2:])
    assert shelf.names("app/auth/m39.py") == ["auth"]


def test_first_labels_of_files_nobody_sees_need_no_new_reading(shelf: Shelf) -> None:
    numbers = change_numbers()
    shelf.ref.is_current = False
    shelf.ref.save()
    store_files(shelf.ref, {"app/login.py": "x = 1\n"})
    assign_by_rules(shelf.source, [shelf.file("app/login.py").pk])
    assert change_numbers() == numbers


def test_changed_labels_are_counted_for_the_word_index(shelf: Shelf) -> None:
    before = change_numbers()[shelf.source.pk]
    file = shelf.file("app/cart.py")
    found = {file.pk: {shelf.label("storage").pk: Assigned("embedding", 0.1)}}
    assert assign_by_vectors(shelf.source.pk, found, "1") == 1
    after = change_numbers()[shelf.source.pk]
    assert changed_files(shelf.source.pk, before, after) == [file.pk]
    assert assign_by_vectors(shelf.source.pk, found, "1") == 0
    assert change_numbers()[shelf.source.pk] == after


def test_rules_and_vectors_do_not_take_each_others_labels(shelf: Shelf) -> None:
    file = shelf.file("app/auth.py")
    by_meaning = {
        shelf.label(name).pk: Assigned("embedding", 0.1) for name in ("auth", "api")
    }
    assign_by_vectors(shelf.source.pk, {file.pk: by_meaning}, "1")
    origins = FileLabel.objects.filter(file=file).values_list("label__name", "origin")
    assert dict(origins) == {"auth": "rule", "api": "embedding"}
    assign_by_rules(shelf.source, [file.pk])
    assert shelf.names("app/auth.py") == ["api", "auth"]
    assign_by_vectors(shelf.source.pk, {file.pk: {}}, "2")
    assert shelf.names("app/auth.py") == ["auth"]
    assert file not in files_to_compare(shelf.source.pk, "2")
    assert file in files_to_compare(shelf.source.pk, "3")


def test_a_topic_is_given_by_its_paths(shelf: Shelf) -> None:
    teahouse = shelf.people.teahouse
    label = add_label(
        principal=shelf.alice, product=teahouse, name="Shopping", paths=["app/c*.py"]
    )
    assert shelf.assign() == 3
    assert shelf.names("app/cart.py") == ["shopping"]
    change_label(
        principal=shelf.alice,
        product=teahouse,
        label_id=label.pk,
        changes={"name": "basket"},
    )
    assert shelf.names("app/cart.py") == ["basket"]
    assert shelf.assign() == 0  # a name says nothing about files
    remove_label(principal=shelf.alice, product=teahouse, label_id=label.pk)
    assert shelf.names("app/cart.py") == []


def test_a_built_in_label_is_removed_and_comes_back(shelf: Shelf) -> None:
    teahouse, label = shelf.people.teahouse, shelf.label("auth")
    before = change_numbers()[shelf.source.pk]
    remove_label(principal=shelf.alice, product=teahouse, label_id=label.pk)
    assert change_numbers()[shelf.source.pk] == before + 1
    assert "auth" not in [each.label.name for each in list_labels(teahouse, SYSTEM)]
    shelf.commit({"app/login.py": "x = 1\n"})
    assert shelf.names("app/login.py") == []
    add_label(principal=shelf.alice, product=teahouse, name="auth")
    shelf.assign()
    assert shelf.names("app/login.py") == ["auth"]


def test_the_vocabulary_counts_current_files(shelf: Shelf) -> None:
    shelf.commit({"app/auth.py": "y = 1\n", "app/login.py": "x = 1\n"})
    counts = {
        each.label.name: each.files
        for each in list_labels(shelf.people.teahouse, SYSTEM)
    }
    assert (counts["auth"], counts["test"], counts["api"]) == (2, 1, 0)


@pytest.mark.parametrize("name", ["", "two words", "-x", "a" * 41, "x:y", "a/b"])
def test_names_that_cannot_be_asked_for_are_refused(shelf: Shelf, name: str) -> None:
    with pytest.raises(InvalidInput):
        add_label(principal=shelf.alice, product=shelf.people.teahouse, name=name)


def test_a_name_is_taken_once(shelf: Shelf) -> None:
    with pytest.raises(Conflict, match="'auth'"):
        add_label(principal=shelf.alice, product=shelf.people.teahouse, name="Auth")


def test_readers_change_no_vocabulary(shelf: Shelf) -> None:
    with pytest.raises(PermissionDenied):
        add_label(principal=shelf.bob, product=shelf.people.teahouse, name="tea")


def test_an_unknown_label_is_refused_with_those_that_are_known(shelf: Shelf) -> None:
    with pytest.raises(InvalidInput, match=r"'aut'. Use one of: api, auth, build"):
        find_label_ids(["aut"], [shelf.source.pk])
    assert find_label_ids(["AUTH"], [shelf.source.pk]) == ((shelf.label("auth").pk,),)


def test_a_built_in_label_is_known_before_anything_is_labelled(shelf: Shelf) -> None:
    assert find_label_ids(["auth"], []) == ((),)
    with pytest.raises(InvalidInput):
        find_label_ids(["nonsense"], [])
