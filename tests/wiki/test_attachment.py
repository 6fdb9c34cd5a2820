"""Templates and migrations follow the code that they serve."""

from __future__ import annotations

from devrag.wiki.analysis.topics.attachment import attach_files
from devrag.wiki.analysis.topics.types import Topic
from tests.wiki.topic_inputs import code_file

CART = code_file(1, "shop/cart/models.py", 90)
TILL = code_file(2, "shop/till/models.py", 40)
TOPICS = [Topic("Cart", (CART,)), Topic("Till", (TILL,))]


def paths_with(path: str) -> list[list[str]]:
    topics = attach_files(TOPICS, [code_file(9, path)])
    return [[file.path for file in topic.files[1:]] for topic in topics]


def test_a_migration_follows_the_code_above_it() -> None:
    assert paths_with("shop/till/migrations/0001.py") == [
        [],
        ["shop/till/migrations/0001.py"],
    ]


def test_a_template_follows_the_folder_of_its_name() -> None:
    assert paths_with("templates/cart/list.html") == [["templates/cart/list.html"], []]


def test_a_file_near_nothing_stays_out() -> None:
    assert paths_with("public/robots.html") == [[], []]


def test_of_two_topics_in_one_folder_the_larger_has_it() -> None:
    topics = [
        Topic("Small", (code_file(1, "app/a.py", 5),)),
        Topic("Large", (code_file(2, "app/b.py", 50),)),
    ]
    found = attach_files(topics, [code_file(3, "app/page.html")])
    assert [len(topic.files) for topic in found] == [1, 2]
