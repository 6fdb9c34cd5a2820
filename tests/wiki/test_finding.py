"""Topics are found across folders, named, and hold the documents on them."""

from __future__ import annotations

import random
from dataclasses import replace

from devrag.wiki.analysis.topics.finding import (
    documents_only,
    find_topics,
    same_subjects,
    without_common,
)
from devrag.wiki.analysis.topics.types import Topic
from tests.wiki.topic_inputs import topic_input

_FILLER = "".join(f"\n\ndef step_{n}():\n    return {n}\n" for n in range(12))


def _module(says: str, *imports: str, name: str = "") -> str:
    uses = "".join(f"from {module} import *\n" for module in imports)
    defined = f"\n\nclass {name}:\n    pass\n" if name else ""
    return f'"""{says}"""\n\n{uses}{defined}{_FILLER}'


# Each subject across all layers.
SUBJECTS = {
    "search": "lexicon",
    "billing": "ledger",
    "sending": "parcel",
    "help": "faq",
}
LAYERS = {
    path: text
    for subject, model in SUBJECTS.items()
    for path, text in {
        f"app/services/{subject}.py": _module(f"{subject}.", f"app.models.{model}"),
        f"app/models/{model}.py": _module(f"{model}.", name=model.title()),
    }.items()
}
GUIDE = (
    "# Full text search\n\n"
    + "What `app/services/search.py` finds is in the `Lexicon` "
    "of `app/models/lexicon.py`, which has all the words of a text. " * 3
)


def homes_of(topics: list[Topic]) -> dict[str, str]:
    return {file.path: topic.title for topic in topics for file in topic.files}


def test_a_subject_is_one_topic_across_folders() -> None:
    homes = homes_of(find_topics(topic_input(LAYERS)))
    for subject, model in SUBJECTS.items():
        assert homes[f"app/services/{subject}.py"] == homes[f"app/models/{model}.py"]
    assert len(set(homes.values())) == len(SUBJECTS)


def test_the_documentation_names_its_topic_and_is_its_section() -> None:
    topics = find_topics(topic_input({**LAYERS, "docs/search.md": GUIDE}))
    topic = next(
        t for t in topics if "app/models/lexicon.py" in {f.path for f in t.files}
    )
    assert topic.title == "Full text search"
    assert [section.title for section in topic.sections] == ["Full text search"]


def test_the_same_input_in_another_order_gives_the_same_topics() -> None:
    found = topic_input({**LAYERS, "docs/search.md": GUIDE})
    expected = find_topics(found)
    files = list(found.files)
    for seed in range(5):
        random.Random(seed).shuffle(files)
        assert find_topics(replace(found, files=list(files))) == expected


def test_topics_whose_titles_are_one_are_one() -> None:
    tree = {
        f"lib/{folder}/{name}.py": _module(f"{name}.", name=name.title())
        for folder, name in (("a", "router"), ("b", "routers"), ("c", "mail"))
    }
    titles = [topic.title for topic in find_topics(topic_input(tree))]
    assert len({title.rstrip("s") for title in titles}) == len(titles)


def test_three_files_make_a_topic_or_two() -> None:
    tree = {f"{name}.py": _module(f"The {name}.") for name in ("cart", "shelf", "till")}
    topics = find_topics(topic_input(tree))
    assert 1 <= len(topics) <= 3
    assert sorted(homes_of(topics)) == ["cart.py", "shelf.py", "till.py"]


def test_no_topic_is_named_like_the_product_or_numbered() -> None:
    tree = {
        f"shop/{folder}/shop.py": _module("Shop.", name="Shop") for folder in "abcd"
    }
    for topic in find_topics(topic_input(tree)):
        assert topic.title.casefold() != "shop"
        assert "(" not in topic.title


def test_documents_without_code_are_topics_with_titles_of_their_own() -> None:
    text = "The rules of our house, said once more for all who live here. " * 30
    tree = {
        f"docs/{n}.md": f"# House rules\n\n## Rule {n}\n\n{text}\n" for n in range(4)
    }
    topics = find_topics(topic_input(tree))
    assert len({topic.title for topic in topics}) == len(topics) == 4
    assert all(topic.sections and not topic.files for topic in topics)


def test_many_documents_share_pages_by_folder() -> None:
    text = "What happened in that week and who was there to see it happen. " * 30
    tree = {f"notes/y{n % 3}/w{n}.md": f"# Week {n}\n\n{text}\n" for n in range(60)}
    assert len(documents_only(topic_input(tree), [])) == 3


def test_documents_about_the_same_files_are_one_subject() -> None:
    both = {1: 0.5, 2: 0.5}
    assert same_subjects([both, {3: 1.0}, {1: 0.6, 2: 0.2, 4: 0.2}]) == [[0, 2], [1]]


def test_a_chain_of_documents_is_not_one_subject() -> None:
    chain = [{n: 0.5, n + 1: 0.5} for n in range(4)]
    assert same_subjects(chain) == [[0, 1], [2, 3]]


def test_what_most_documents_talk_about_joins_none() -> None:
    mentions = [{0: 0.5, n: 0.5} for n in range(1, 9)]
    assert without_common(mentions) == [{n: 0.5} for n in range(1, 9)]
