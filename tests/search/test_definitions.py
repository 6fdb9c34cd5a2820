"""Where the names that a question writes are defined."""

from __future__ import annotations

import pytest

from devrag.search.definitions import (
    DefinedName,
    find_definitions,
    find_users,
    with_definitions,
)
from devrag.sources.models import Chunk, Source, Symbol
from tests.conftest import Repository
from tests.indexing.test_index import index
from tests.search.hits import make_spot

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(indexed: Repository) -> Source:
    return Source.objects.get()


def defined(source: Source, *names: str) -> list[str]:
    """Return the first lines of what defines the names."""
    found = Chunk.objects.filter(pk__in=find_definitions(names, [source.pk]))
    return sorted(
        text.splitlines()[0].strip() for text in found.values_list("text", flat=True)
    )


@pytest.mark.parametrize(
    ("names", "first_lines"),
    [
        (("charge",), ["def charge(amount: int) -> int:"]),
        (("Charge",), []),
        (("nothing",), []),
        ((), []),
    ],
)
def test_a_name_is_found_as_it_is_written(
    source: Source, names: tuple[str, ...], first_lines: list[str]
) -> None:
    assert defined(source, *names) == first_lines


def test_nothing_is_found_outside_the_scope(source: Source) -> None:
    assert find_definitions(["charge"], []) == {}
    assert find_definitions(["charge"], [source.pk + 1]) == {}


def test_what_was_removed_is_defined_no_more(
    source: Source, indexed: Repository
) -> None:
    indexed.commit({"shop/till.py": None})
    index(indexed)
    assert defined(source, "charge") == []


def test_a_name_that_is_everywhere_brings_no_more_than_fifty(
    source: Source, indexed: Repository
) -> None:
    body = "    def run(self):\n        total = 1\n        return total\n\n\n"
    indexed.commit({"a.py": "".join(f"class A{n}:\n{body}" for n in range(60))})
    index(indexed)
    assert len(find_definitions(["run"], [source.pk])) == 50


def test_a_variable_is_defined_where_it_is_assigned(
    source: Source, indexed: Repository
) -> None:
    indexed.commit({"till.go": "package till\n\nvar OpensAtNoon = true\n"})
    index(indexed)
    (found,) = find_definitions(["OpensAtNoon"], [source.pk]).items()
    symbol = Symbol.objects.get(name="OpensAtNoon")
    assert found[1] == DefinedName("OpensAtNoon", "variable", symbol.uuid, 3)
    spot = make_spot(chunk_id=found[0])
    (named,) = with_definitions([spot], dict([found]))
    assert named.symbol_name == "OpensAtNoon"
    method = make_spot(chunk_id=found[0], symbol_name="run")
    assert with_definitions([method], dict([found])) == [method]


def test_who_uses_a_name_is_found_in_its_own_body(
    source: Source, indexed: Repository
) -> None:
    indexed.commit(
        {
            "desk.py": "from shop.till import charge\n\n\ndef pay():\n    charge(1)\n",
            "note.py": "def tell():\n    return 'charge'\n",
        }
    )
    index(indexed)
    users = Chunk.objects.filter(pk__in=find_users(["charge"], [source.pk]))
    paths = set(users.values_list("file__path", flat=True))
    assert "desk.py" in paths
    assert "note.py" not in paths
    assert find_users(["charge"], []) == []


def test_uses_in_versions_that_are_gone_take_no_room(
    source: Source, indexed: Repository
) -> None:
    body = "from shop.till import charge\n\n\ndef often():\n" + "    charge(1)\n" * 210
    indexed.commit({"a.py": body})
    index(indexed)
    indexed.commit({"a.py": f"{body}\n\ndef once():\n    charge(2)\n"})
    index(indexed)
    users = Chunk.objects.filter(pk__in=find_users(["charge"], [source.pk]))
    assert "def often" in "".join(users.values_list("text", flat=True))
