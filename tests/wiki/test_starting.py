"""The file that starts the product is known by its entry point, else by its name."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.topics.naming import name_topics
from devrag.wiki.analysis.topics.starting import starting_files
from devrag.wiki.analysis.topics.types import Topic
from tests.wiki.topic_inputs import topic_input

BODY = "x = 1\n" * 30
START = 'import lib.mail\n\nif __name__ == "__main__":\n    print(lib.mail.x)\n'


def starting(tree: dict[str, str]) -> set[str]:
    found = topic_input(tree)
    files = starting_files(found)
    return {file.path for file in found.files if file.id in files}


@pytest.mark.parametrize(
    ("tree", "paths"),
    [
        ({"run.py": START, "lib/mail.py": BODY}, {"run.py"}),
        ({"run.py": START, "lib/make.py": START, "lib/mail.py": BODY}, {"run.py"}),
        ({"run.py": START, "serve.py": START, "lib/mail.py": BODY}, set()),
        ({"a.py": "import run\n\nprint(run.x)\n", "run.py": START + BODY}, set()),
        ({"src/main.c": "int x;\n" * 30, "src/b.c": "int y;\n" * 30}, {"src/main.c"}),
    ],
)
def test_what_starts_is(tree: dict[str, str], paths: set[str]) -> None:
    assert starting(tree) == paths


def test_a_topic_that_is_little_more_than_an_entry_point_is_the_main_program() -> None:
    tree = {"server.py": START + BODY * 9, "cors.py": "y = 2\n", "lib/mail.py": BODY}
    found = topic_input(tree)
    topics = [
        Topic("", tuple(f for f in found.files if ("lib" in f.path) is inside))
        for inside in (False, True)
    ]
    titles = [topic.title for topic in name_topics(found, topics)]
    assert titles == ["Main program", "Mail"]
