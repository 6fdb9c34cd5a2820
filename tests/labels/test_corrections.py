"""What people say about labels holds for later versions, also after a rename."""

from __future__ import annotations

import pytest

from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.labels.api import correct_label, corrections_of, withdraw_correction
from devrag.labels.models import LabelCorrection
from devrag.sources.models import RefFile
from tests.labels.conftest import Shelf
from tests.stored import store_files


def correct(shelf: Shelf, path: str, name: str, *, is_assigned: bool) -> None:
    correct_label(
        principal=shelf.alice,
        source=shelf.source,
        path=path,
        name=name,
        is_assigned=is_assigned,
    )


def test_a_correction_holds_for_the_next_version(shelf: Shelf) -> None:
    correct(shelf, "app/auth.py", "auth", is_assigned=False)
    correct(shelf, "app/cart.py", "storage", is_assigned=True)
    assert shelf.names("app/auth.py") == []
    assert shelf.names("app/cart.py") == ["storage"]
    shelf.commit({"app/auth.py": "y = 1\n", "app/cart.py": "z = 1\n"})
    assert shelf.names("app/auth.py") == []
    assert shelf.names("app/cart.py") == ["storage"]


def test_a_correction_goes_with_a_renamed_file(shelf: Shelf) -> None:
    correct(shelf, "app/cart.py", "storage", is_assigned=True)
    text = shelf.file("app/cart.py").text
    shelf.commit({"shop/basket.py": text}, "app/cart.py")
    assert shelf.names("shop/basket.py") == ["storage"]
    shelf.commit({"shop/basket.py": "changed = 1\n"})
    assert shelf.names("shop/basket.py") == ["storage"]


def test_a_copy_is_no_rename(shelf: Shelf) -> None:
    correct(shelf, "app/cart.py", "storage", is_assigned=True)
    shelf.commit({"app/copy.py": shelf.file("app/cart.py").text})
    assert shelf.names("app/copy.py") == []
    assert shelf.names("app/cart.py") == ["storage"]


def test_empty_and_ambiguous_files_take_no_corrections(shelf: Shelf) -> None:
    shelf.commit({"a.py": "", "b.py": "", "c.py": "same = 1\n"})
    correct(shelf, "a.py", "storage", is_assigned=True)
    correct(shelf, "b.py", "storage", is_assigned=True)
    correct(shelf, "c.py", "storage", is_assigned=True)
    shelf.commit(
        {"x.py": "", "y.py": "same = 1\n", "z.py": "same = 1\n"}, "a.py", "c.py"
    )
    assert [shelf.names(f"{name}.py") for name in "bxyz"] == [["storage"], [], [], []]


def test_a_file_labelled_before_it_is_seen_gets_its_corrections(shelf: Shelf) -> None:
    correct(shelf, "app/cart.py", "storage", is_assigned=True)
    store_files(shelf.ref, {"shop/basket.py": shelf.file("app/cart.py").text})
    shelf.assign()
    assert shelf.names("shop/basket.py") == []
    shelf.commit({}, "app/cart.py")
    assert shelf.names("shop/basket.py") == ["storage"]


def test_a_version_that_comes_back_has_the_correction(shelf: Shelf) -> None:
    old = shelf.file("app/cart.py")
    shelf.commit({"app/cart.py": "z = 1\n"})
    correct(shelf, "app/cart.py", "storage", is_assigned=True)
    new = shelf.file("app/cart.py")
    RefFile.objects.filter(ref=shelf.ref, file=new).update(until=3)
    RefFile.objects.filter(ref=shelf.ref, file=old).update(until=None)
    shelf.assign()
    assert shelf.file("app/cart.py") == old
    assert shelf.names("app/cart.py") == ["storage"]


def test_it_is_known_who_said_so_and_when(shelf: Shelf) -> None:
    correct(shelf, "app/cart.py", "storage", is_assigned=True)
    correct(shelf, "app/cart.py", "storage", is_assigned=False)
    [row] = corrections_of(shelf.people.teahouse, SYSTEM)
    assert (row.author, row.author_name) == (shelf.people.alice, "alice")
    assert not row.is_assigned
    shelf.people.alice.delete()
    assert LabelCorrection.objects.get().author_name == "alice"


def test_rules_decide_again_once_it_is_withdrawn(shelf: Shelf) -> None:
    correct(shelf, "app/auth.py", "auth", is_assigned=False)
    which = {"source": shelf.source, "path": "app/auth.py", "name": "auth"}
    withdraw_correction(principal=shelf.alice, **which)
    assert shelf.names("app/auth.py") == ["auth"]
    with pytest.raises(NotFound, match="no correction to remove"):
        withdraw_correction(principal=shelf.alice, **which)


@pytest.mark.parametrize(
    ("path", "name", "said"),
    [
        ("app/nothing.py", "auth", "has no file app/nothing.py"),
        ("app/auth.py", "aut", r"no label 'aut'. Labels of teahouse: api, auth"),
    ],
)
def test_what_is_not_there_is_not_corrected(
    shelf: Shelf, path: str, name: str, said: str
) -> None:
    with pytest.raises(NotFound, match=said):
        correct(shelf, path, name, is_assigned=True)


def test_readers_correct_nothing(shelf: Shelf) -> None:
    with pytest.raises(PermissionDenied):
        correct_label(
            principal=shelf.bob,
            source=shelf.source,
            path="app/auth.py",
            name="auth",
            is_assigned=False,
        )
