"""Sections of documents go to the topic that they explain."""

from __future__ import annotations

from devrag.wiki.analysis.topics.assignment import (
    assign_sections,
    similarities,
    words_of,
)
from devrag.wiki.analysis.topics.material import TopicInput
from devrag.wiki.analysis.topics.types import Topic
from tests.wiki.topic_inputs import topic_input

CODE = {
    "shop/cart.py": '"""What a customer wants to buy."""\n\n\nclass Cart:\n'
    '    """The books that a customer chose."""\n',
    "shop/shelf.py": '"""在庫。"""\n\n\nclass Shelf:\n    """本の在庫と数。"""\n',
}
ABOUT_CART = (
    "# Guide\n\n## Buying\n\nA customer puts books that he chose into a `Cart`, as "
    "many as he likes, and buys all of them together in the end of his visit.\n"
)


def assigned(guide: str, homes: dict[int, int] | None = None) -> dict[str, list[str]]:
    found = topic_input({**CODE, "docs/guide.md": guide})
    topics = [Topic(f.stem, (f,)) for f in found.files]
    told = assign_sections(found, topics, homes or {})
    return {
        topics[at].title: [found.documents[n].title for n in numbers]
        for at, numbers in told.items()
    }


def section_titles(found: TopicInput) -> list[str]:
    return [section.title for section in found.documents]


def test_a_section_goes_where_what_it_names_is() -> None:
    assert assigned(ABOUT_CART) == {"cart": ["Buying"]}


def test_words_decide_where_nothing_is_named() -> None:
    text = "# 在庫\n\n" + "在庫の数はここで数える。" * 12 + "\n"
    assert assigned(text) == {"shelf": ["在庫"]}


def test_what_has_to_do_with_no_code_stays_out() -> None:
    text = "# Weather\n\n" + "It rains most of the days here, sadly. " * 5 + "\n"
    assert assigned(text) == {}


def test_a_kept_section_stays_whatever_it_says() -> None:
    found = topic_input({**CODE, "docs/guide.md": ABOUT_CART})
    topics = [Topic(f.stem, (f,)) for f in found.files]
    shelf = next(n for n, topic in enumerate(topics) if topic.title == "shelf")
    assert assign_sections(found, topics, {0: shelf}, is_kept=True) == {shelf: [0]}


def test_identifiers_count_as_their_words() -> None:
    assert set(words_of("readFile shop_cart")) == {"read", "file", "shop", "cart"}


def test_a_text_resembles_the_profile_whose_rare_words_it_has() -> None:
    profiles = [{"cart": 3, "book": 1}, {"shelf": 3, "book": 1}]
    (likeness,) = similarities(profiles, [("Cart", "A book in a cart.")])
    assert likeness[0] > 0.8 > 0.3 > likeness[1]
