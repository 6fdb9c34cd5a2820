"""State machines on the page of their part, and of the models they belong to."""

from __future__ import annotations

import re

import pytest

from tests.wiki.shop import SHOP
from tests.wiki.written import write

_TABLE = (
    '''"""What may follow."""

from enum import Enum


class State(Enum):
    NEW = "n"
    OPEN = "o"
    GONE = "g"


ALLOWED = {
    State.NEW: {State.OPEN, State.GONE},
    State.OPEN: {State.GONE},
    State.GONE: set(),
}
'''
    + "# filler\n" * 60
)
_NO_ENUM = _TABLE.replace("class State(Enum)", "class State")
_MODEL = (
    '''"""Posts."""

from django.db import models
from django_fsm import FSMField, transition


class Post(models.Model):
    """A post."""

    state = FSMField(default="new")

    @transition(field=state, source="new", target="shown")
    def show(self): ...

    @transition(field=state, source="new", target="shown")
    def show_later(self): ...

    @transition(field=state, source="*", target="gone")
    def drop(self): ...
'''
    + "# filler\n" * 60
)
_MANY = "class State(Enum):\n    A = 1\nNEXT = {\n" + "".join(
    f"    State.S{n}: State.S{n + 1},\n" for n in range(30)
)
_TYPED = """
from pydantic import BaseModel
class Job(BaseModel):
    state: State | None
"""


def pages_of(path: str, text: str, language: str = "en") -> dict[str, str]:
    pages = write({**SHOP, path: text}, language=language)
    assert [f for page in pages.values() for f in page.findings] == []
    return {name: page.markdown for name, page in pages.items()}


def features_of(path: str, text: str) -> str:
    """Return the pages of the parts, one behind the other."""
    pages = pages_of(path, text).items()
    return "".join(text for name, text in pages if name.startswith("features/"))


def diagrams_in(text: str) -> list[str]:
    return re.findall(r"```mermaid\nstateDiagram-v2\n(.*?)\n```", text, re.DOTALL)


def test_a_table_of_an_enumeration_is_drawn_and_cited() -> None:
    text = features_of("shop/kept/life.py", _TABLE)
    (diagram,) = diagrams_in(text)
    assert diagram == (
        '  state "NEW" as s0\n  state "OPEN" as s1\n  state "GONE" as s2\n'
        "  s0 --> s1\n  s0 --> s2\n  s1 --> s2"
    )
    assert re.search(r"`State` knows 3 states; [^\n]*may follow it\.? ?\[", text)


def test_events_stand_on_the_arrows_and_the_first_state_is_marked() -> None:
    text = pages_of("shop/kept/posts.py", _MODEL, "ja")["data-model.md"]
    (diagram,) = diagrams_in(text)
    assert diagram.endswith(
        '  state "任意の状態" as s3\n  [*] --> s0\n'
        "  s0 --> s1 : show, show_later\n  s3 --> s2 : drop"
    )
    assert "`Post` には `new` から始まる 3 個の状態があり、" in text


@pytest.mark.parametrize(
    ("path", "text", "count"),
    [
        ("shop/kept/posts.py", _MODEL, 1),
        ("shop/kept/life.py", _TABLE, 0),
        ("shop/kept/life.py", _TABLE + _TYPED, 1),
    ],
)
def test_the_data_page_draws_the_states_of_its_models(
    path: str, text: str, count: int
) -> None:
    assert len(diagrams_in(pages_of(path, text)["data-model.md"])) == count


@pytest.mark.parametrize("text", [_NO_ENUM, _MANY + "}\n" + "# filler\n" * 60])
def test_what_is_no_enumeration_or_too_much_is_not_drawn(text: str) -> None:
    assert diagrams_in(features_of("shop/kept/life.py", text)) == []
