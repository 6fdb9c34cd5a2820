"""A short index of a folder of documents goes where the folder is."""

from __future__ import annotations

from devrag.wiki.analysis.topics.folder_indexes import with_indexes
from tests.wiki.topic_inputs import topic_input

WORDS = "The pages of the shop are printed with all that is sold in it today. "
DOCUMENTS = {
    "docs/printing/_index.md": f"# Printing\n\n{WORDS * 3}\n",
    "docs/printing/man.md": f"# Manuals\n\n{WORDS * 6}\n",
    "docs/printing/web.md": f"# Sites\n\n{WORDS * 6}\n",
    "docs/guide.md": f"# Guide\n\n{WORDS * 6}\n",
}


def topics(tree: dict[str, str], **topic_of: int) -> dict[str, int]:
    """Return path → topic, where documents were given to topics by their stems."""
    found = topic_input({"shop/cart.py": "class Cart: ...\n", **tree})
    stems = [found.homes[section.file].stem for section in found.documents]
    assigned: dict[int, list[int]] = {}
    for number, stem in enumerate(stems):
        assigned.setdefault(topic_of[stem], []).append(number)
    told = with_indexes(found, assigned)
    return {stems[n]: topic for topic, numbers in told.items() for n in numbers}


def test_a_short_index_goes_where_most_of_its_folder_is() -> None:
    told = topics(DOCUMENTS, _index=0, man=1, web=1, guide=0)
    assert told == {"_index": 1, "man": 1, "web": 1, "guide": 0}


def test_an_index_of_documents_on_several_topics_stays() -> None:
    told = topics(DOCUMENTS, _index=0, man=1, web=2, guide=0)
    assert told["_index"] == 0


def test_an_index_that_tells_most_itself_stays() -> None:
    index = {"docs/printing/_index.md": f"# Printing\n\n{WORDS * 20}\n"}
    told = topics({**DOCUMENTS, **index}, _index=0, man=1, web=1, guide=0)
    assert told["_index"] == 0
