"""Stories that examples index are data; what names the product explains it."""

from __future__ import annotations

import pytest

from tests.wiki.shop import analyse, file_named

STORY = "# Chapter 2\n\n" + "The agents went down into the cold base at night. " * 40
CODE = {"shop/cart.py": '"""Carts."""\n\n\nclass CartLine:\n    """A line."""\n'}


def role(path: str, text: str) -> str:
    analysis = analyse({**CODE, path: text})
    return analysis.roles[file_named(analysis, path).id]


@pytest.mark.parametrize(
    "path",
    ["docs/data/story.md", "docs/notebooks/inputs/a b/story.md", "books/story.md"],
)
def test_a_story_is_data(path: str) -> None:
    assert role(path, STORY) == "data"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/principles.md", STORY),
        ("docs/data/README.md", STORY),
        ("docs/data/lines.md", f"{STORY}\n\nEach is a CartLine.\n"),
        ("site/input/guide.md", f"{STORY}\n\nWrite `new Cart()`.\n"),
        ("docs/data/LICENSE.md", STORY),
        ("notes/carts.md", f"{STORY}\n\nThe shop sells them.\n"),
        ("notes/run.md", f"{STORY}\n\n```\nmake it\n```\n"),
        ("notes/short.md", "# Note\n\nIt rains.\n"),
    ],
)
def test_what_may_explain_the_product_is_a_document(path: str, text: str) -> None:
    assert role(path, text) == "doc"


def test_the_name_of_the_product_makes_no_document_in_a_folder_of_data() -> None:
    assert role("docs/data/about.md", f"{STORY}\n\nTo try the shop with.\n") == "data"


def test_documents_of_a_source_without_code_are_documents() -> None:
    analysis = analyse(CODE, {"books/story.md": STORY})
    assert analysis.roles[file_named(analysis, "books/story.md").id] == "doc"
