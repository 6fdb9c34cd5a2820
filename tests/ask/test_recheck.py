"""Still true? Cited lines that stand, that moved, that changed, whose file is gone."""

from __future__ import annotations

import pytest

from devrag.ask.api import RecheckedCitation, readable_turn, recheck
from devrag.ask.models import Turn
from devrag.core.hashing import sha256_hex
from devrag.core.principal import SYSTEM
from devrag.sources.models import File, RefFile
from tests.web.conftest import Harbour

from .talking import CODE, answer, ask, make_product

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def harbour() -> Harbour:
    return make_product("harbour")


@pytest.fixture
def turn(harbour: Harbour) -> Turn:
    """An answer that cites the only file."""
    asked = ask(SYSTEM, "Where is Greeter greet?", "harbour", secret="s")
    answer(asked, SYSTEM)
    return asked


def states(turn: Turn) -> list[RecheckedCitation]:
    return recheck(readable_turn(turn, SYSTEM), SYSTEM)


def write(text: str) -> None:
    File.objects.update(text=text, content_hash=sha256_hex(text))


def test_lines_of_an_unchanged_file_are_fresh(turn: Turn) -> None:
    assert {each.state for each in states(turn)} == {"fresh"}


def test_lines_that_moved_are_found_again(turn: Turn) -> None:
    write(f"# new\n\n{CODE}")
    found = states(turn)[0]
    assert found.state == "moved"
    assert found.now_label.startswith("src/greeter.py:")
    assert "/-/current/" in found.now_url


def test_lines_that_changed_are_stale(turn: Turn) -> None:
    write(CODE.replace("Hello", "Goodbye"))
    found = states(turn)[0]
    assert (found.state, bool(found.now_url)) == ("stale", True)


def test_lines_of_a_file_that_went_are_stale(turn: Turn) -> None:
    RefFile.objects.update(until=2)
    assert [each.state for each in states(turn)] == ["stale"] * len(states(turn))
    assert states(turn)[0].now_url == ""
