"""A document whose title names a topic belongs to it; one about none stands alone."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.topics.finding import find_topics
from tests.wiki.topic_inputs import topic_input

BODY = "\n".join(f"    x{n} = {n}" for n in range(600)) + "\n"
SAMPLE = "\n\n".join(
    f"Use `option()` of `lib/decorators.py` as in case {n}, which `option()` takes."
    for n in range(8)
)
OTHER = " ".join(f"Rivers flow towards oceans past village {n}." for n in range(40))


def module(name: str, *functions: str) -> str:
    own = "\n\n".join(f"def {each}():\n    return 1\n" for each in functions)
    return f"class {name}:\n    def run(self):\n{BODY}\n\n{own}"


TREE = {
    "lib/core.py": module("Option") + module("Command"),
    "lib/decorators.py": module("Decorator", "option", "command"),
    "lib/parser.py": module("Parser"),
    "docs/options.md": f"# Options\n\n{SAMPLE}\n",
    "docs/rivers.md": f"# About rivers\n\n{OTHER}\n",
    "docs/commands.md": f"# Commands\n\nA `Command` holds a `Command`. {OTHER}\n",
}


@pytest.fixture(scope="module")
def homes() -> dict[str, str]:
    """Return path of a document → the title of its topic."""
    found = topic_input(TREE)
    return {
        found.homes[section.file].path: topic.title
        for topic in find_topics(found)
        for section in topic.sections
    }


def test_a_document_is_about_what_its_title_names(homes: dict[str, str]) -> None:
    assert homes["docs/options.md"] == homes["docs/commands.md"]
    assert "ommand" in homes["docs/options.md"]


def test_a_document_about_no_topic_is_called_by_its_title(
    homes: dict[str, str],
) -> None:
    assert homes["docs/rivers.md"] == "About rivers"
