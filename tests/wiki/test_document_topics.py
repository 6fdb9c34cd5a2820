"""Documents without code are grouped as people put them, else by what they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.document_product import is_of_documents
from devrag.wiki.analysis.topics.outline import outline_of
from tests.wiki.shop import SHOP, analyse, survey_of

TEXT = "It tells how {0} are kept in the house, and who looks after {0} there."


def notes(**folders: int) -> dict[str, str]:
    """Return so many notes in each folder, beside a README."""
    tree = {"README.md": "# Notes\n\nWhat a small team has learnt about its work.\n"}
    for folder, count in folders.items():
        for number in range(count):
            text = f"# {folder.title()} {number}\n\n{TEXT.format(folder)}\n"
            tree[f"{folder}/n{number}.md"] = text
    return tree


def titles(analysis: Analysis) -> dict[str, list[str]]:
    return {t.title: [f.path for f in t.files] for t in analysis.topics}


def test_code_makes_a_product_more_than_documents() -> None:
    assert not is_of_documents(survey_of(SHOP)[0].files)
    assert is_of_documents(survey_of(notes(garden=2))[0].files)
    assert not is_of_documents(survey_of({"a.py": "x = 1\n"})[0].files)


def test_a_script_among_many_documents_makes_no_product_of_code() -> None:
    script = {"spell.py": "def check():\n    return True\n"}
    assert is_of_documents(survey_of({**notes(garden=12), **script})[0].files)
    assert not is_of_documents(survey_of({**notes(garden=2), **script})[0].files)


def test_a_folder_is_a_topic_and_its_readme_names_it() -> None:
    tree = notes(garden=3, kitchen=4)
    tree["garden/README.md"] = "# The herb garden\n\nAll that grows behind the house.\n"
    found = titles(analyse(tree))
    assert set(found) == {"Herb garden", "Kitchen"}
    assert len(found["Kitchen"]) == 4


def test_folders_of_few_documents_share_a_topic() -> None:
    found = titles(analyse(notes(garden=3, attic=1, cellar=1, roof=1)))
    assert "Garden" in found
    (rest,) = (files for title, files in found.items() if title != "Garden")
    assert {path.partition("/")[0] for path in rest} == {"attic", "cellar", "roof"}


def test_documents_of_one_folder_are_grouped_by_what_they_share() -> None:
    tree = {}
    for word in ("roses", "engines"):
        for number in range(5):
            text = f"# About {word} {number}\n\n{TEXT.format(word)}\n"
            tree[f"{word[0]}{number}.md"] = text
    found = analyse(tree).topics
    groups = {frozenset(f.path[0] for f in topic.files) for topic in found}
    assert groups == {frozenset("r"), frozenset("e")}


def test_a_table_of_contents_gives_chapters_in_its_order() -> None:
    tree = {
        f"c{n}.md": f"# Chapter page {n}\n\n{TEXT.format(f'thing{n}s')}\n"
        for n in range(9)
    }
    parts = ("Zero steps", "All the rest", "Middle part")
    lines = ["# Summary"]
    for number, part in enumerate(parts):
        lines += [f"\n## {part}\n"]
        lines += [f"- [Page {n}](c{n}.md)" for n in range(number * 3, number * 3 + 3)]
    found = titles(analyse({**tree, "SUMMARY.md": "\n".join(lines)}))
    assert list(found) == list(parts)
    assert found["All the rest"] == ["c3.md", "c4.md", "c5.md"]


def test_a_translation_is_no_second_document() -> None:
    tree = {}
    for path, text in notes(garden=3).items():
        tree |= {f"en/{path}": text, f"ja/{path}": text}
    found = [path for files in titles(analyse(tree)).values() for path in files]
    assert sorted(found) == [f"en/garden/n{n}.md" for n in range(3)]


def test_the_order_of_the_files_changes_nothing() -> None:
    tree = notes(garden=4, kitchen=5, attic=1, roof=1, cellar=1)
    other = analyse(dict(reversed(tree.items())))
    assert {k: sorted(v) for k, v in titles(analyse(tree)).items()} == {
        k: sorted(v) for k, v in titles(other).items()
    }


def again(before: Analysis, tree: Mapping[str, str]) -> Analysis:
    """Return a later analysis that keeps the topics of the one before."""
    topics = [
        replace(topic, page=f"features/{n}.md") for n, topic in enumerate(before.topics)
    ]
    outline = outline_of(topics, before.files, before.steering_digest)
    return Analysis(*survey_of(tree), outline)


def test_a_new_document_joins_the_topic_of_its_folder() -> None:
    tree = notes(garden=12, kitchen=12)
    before = analyse(tree)
    later = again(before, {**tree, "kitchen/new.md": tree["kitchen/n1.md"]})
    assert later.is_outline_kept
    assert "kitchen/new.md" in titles(later)["Kitchen"]
    assert [t.page for t in later.topics] == ["features/0.md", "features/1.md"]


def test_many_new_documents_make_new_topics() -> None:
    tree = notes(garden=4)
    later = again(analyse(tree), {**tree, **notes(kitchen=6)})
    assert not later.is_outline_kept
    assert set(titles(later)) == {"Garden", "Kitchen"}


def test_the_address_of_a_link_gives_no_word_to_a_title() -> None:
    words = [
        "roses",
        "engines",
        "violins",
        "glaciers",
        "ovens",
        "maps",
        "clouds",
        "tables",
        "wells",
    ]
    tree = {"a.md": "# HTTPS and HTML of the house\n\nWhere certificates are kept.\n"}
    for word in words:
        page = f"https://example.org/{word}.html"
        text = f"Someone saw {word} [here]({page}) and {page} shows {word}."
        tree[f"{word}.md"] = f"# Of {word}\n\n{text} {text}\n"
    found = " ".join(topic.title for topic in analyse(tree).topics).lower()
    assert found
    assert "http" not in found
