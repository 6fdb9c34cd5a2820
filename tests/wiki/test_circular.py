"""A sentence that explains a name by the name tells nothing."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.circular import is_circular
from devrag.wiki.analysis.passages import is_dangling, is_telling, points_back


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Command is just that, a command for your application.", "Command"),
        ("Completion is a string that can be used for completions.", "Completion"),
        ("A Basket is a basket of books.", "Basket"),
    ],
)
def test_a_circular_sentence(sentence: str, name: str) -> None:
    assert is_circular(sentence, name)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("The command is the basic building block of interfaces.", "Command"),
        ("A context is a context that holds the state of a call.", "Context"),
        ("Returns a command.", "Command"),
    ],
)
def test_a_sentence_that_explains(sentence: str, name: str) -> None:
    assert not is_circular(sentence, name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I strongly recommend that you use the other parser.", False),
        ("In short, I'd use it for small programs only.", False),
        ("The I/O of a program goes through its streams.", True),
        ("Type I errors are counted by the program.", True),
    ],
)
def test_what_a_writer_thinks_is_not_quoted(text: str, told: bool) -> None:
    assert is_telling(text) is told


def test_what_lacks_its_lead_in_dangles() -> None:
    assert is_dangling("The first one is that installers need it.")
    assert points_back("In the example above, 'server' is the command.")
    assert not points_back("The values above 10 are cut.")
