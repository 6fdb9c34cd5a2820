"""Topics stay as they are kept; new code joins them until it is too much."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.topics.outline import Outline, outline_of, untold_sections
from tests.wiki.shop import survey_of

_STEPS = "".join(f"\n\ndef step_{n}():\n    return {n}\n" for n in range(30))
TREE = {
    f"app/{topic}/{name}.py": f'"""{topic} {name}."""\n{_STEPS}'
    for topic in ("search", "billing", "mail")
    for name in ("one", "two", "six")
}
GUIDE = "# Mail\n\n" + "How `app/mail/one.py` and `app/mail/two.py` work. " * 9 + "\n"
TREE["docs/mail.md"] = GUIDE


def analysed(tree: dict[str, str], outline: Outline | None = None) -> Analysis:
    return Analysis(*survey_of(tree), outline)


def outlined(tree: dict[str, str]) -> Outline:
    """Return the outline of a tree with titles that no planner would find."""
    analysis = analysed(tree)
    found = outline_of(analysis.topics, analysis.files, analysis.steering_digest)
    data = found.as_json()
    for number, topic in enumerate(data["topics"]):
        topic["title"], topic["page"] = f"Kept {number}", f"features/kept-{number}.md"
    return Outline.from_json(data)


def homes_of(analysis: Analysis) -> dict[str, str]:
    return {f.path: t.title for t in analysis.topics for f in t.files}


OUTLINE = outlined(TREE)


def test_blank_lines_change_no_topic() -> None:
    spaced = {path: text.replace("\n\n\n", "\n\n\n\n\n") for path, text in TREE.items()}
    expected, found = analysed(TREE, OUTLINE).topics, analysed(spaced, OUTLINE).topics
    assert [(t.title, t.page, [f.path for f in t.files]) for t in found] == [
        (t.title, t.page, [f.path for f in t.files]) for t in expected
    ]
    assert {topic.title[:4] for topic in found} == {"Kept"}


def test_a_new_file_joins_the_topic_that_it_uses() -> None:
    new = {"tools2/extra.py": "from app.billing.one import step_1\n" + "\n" * 40}
    homes = homes_of(analysed({**TREE, **new}, OUTLINE))
    assert homes["tools2/extra.py"] == homes["app/billing/one.py"]


def test_a_new_file_that_uses_nothing_joins_what_lies_beside_it() -> None:
    new = {"app/search/extra.py": '"""Nothing."""\n\nA = 1\n'}
    homes = homes_of(analysed({**TREE, **new}, OUTLINE))
    assert homes["app/search/extra.py"] == homes["app/search/one.py"]


@pytest.mark.parametrize(("copies", "is_kept"), [(4, True), (12, False)])
def test_topics_are_found_anew_when_much_has_none(copies: int, is_kept: bool) -> None:
    lines = _STEPS.count("\n") * 9 * copies // 100  # 4 or 12 times 1 %, in two files
    new = {f"app/new/{n}.py": "x = 1\n" * (lines * 5 // 6) for n in "ab"}
    topics = analysed({**TREE, **new}, OUTLINE).topics
    assert all(topic.title.startswith("Kept") for topic in topics) is is_kept


def test_a_topic_without_code_and_documents_is_gone() -> None:
    tree = {path: text for path, text in TREE.items() if "billing" not in path}
    homes = homes_of(analysed(TREE, OUTLINE))
    titles = {topic.title for topic in analysed(tree, OUTLINE).topics}
    assert homes["app/billing/one.py"] not in titles
    assert homes["app/search/one.py"] in titles


def test_a_section_stays_with_its_topic_whatever_it_says() -> None:
    other = {**TREE, "docs/mail.md": GUIDE.replace("app/mail", "app/search")}
    topics = analysed(other, OUTLINE).topics
    (topic,) = (t for t in topics if t.sections)
    assert {f.directory for f in topic.files} == {"app/mail"}


def test_another_steering_asks_for_other_topics() -> None:
    steered = {**TREE, ".devrag/wiki.yaml": "pages: [{title: Post, path: app/mail}]\n"}
    titles = {topic.title for topic in analysed(steered, OUTLINE).topics}
    assert "Post" in titles
    assert not any(title.startswith("Kept") for title in titles)


def test_an_outline_survives_json() -> None:
    assert Outline.from_json(OUTLINE.as_json()) == OUTLINE
    assert Outline.from_json({}) == Outline()


UNTOLD = {
    "docs/rules.md": "# House rules\n\n"
    + "The rules of our house, said once more for all who live here. " * 30
}


def test_a_document_that_an_outline_leaves_out_is_a_topic_of_its_own() -> None:
    titles = {t.title for t in analysed({**TREE, **UNTOLD}, OUTLINE).topics}
    assert "House rules" in titles


def test_a_complete_outline_has_all_topics() -> None:
    complete = replace(OUTLINE, is_complete=True)
    topics = analysed({**TREE, **UNTOLD}, complete).topics
    assert {topic.title[:4] for topic in topics} == {"Kept"}
    assert all("House rules" not in {s.title for s in t.sections} for t in topics)


def test_a_complete_outline_may_list_a_document_twice() -> None:
    both = [
        replace(t, sections=("shop/docs/mail.md#Mail",)) for t in OUTLINE.topics[:2]
    ]
    key = analysed(TREE).documents[0]
    outline = Outline((*both, *OUTLINE.topics[2:]), OUTLINE.steering, is_complete=True)
    topics = analysed(TREE, outline).topics
    assert [key in topic.sections for topic in topics[:2]] == [True, True]


def steered(*topics: str) -> dict[str, str]:
    pages = "".join(f"  - {{title: {t} named, path: app/{t}}}\n" for t in topics)
    return {**TREE, ".devrag/wiki.yaml": f"pages:\n{pages}"}


NAMED_BY_GUIDE = "# Extra\n\n" + "How `tools2/extra.py` and `spare` work. " * 9 + "\n"
NEW = {
    "tools2/extra.py": "from app.billing.one import step_1\n\n\n"
    "def spare():\n    pass\n",
    "docs/extra.md": NAMED_BY_GUIDE,
}


@pytest.mark.parametrize("named", [["billing"], ["search", "billing", "mail"]])
def test_a_new_file_that_a_named_topic_uses_is_lost_on_no_page(
    named: list[str],
) -> None:
    tree = steered(*named)
    before = analysed(tree)
    outline = outline_of(before.topics, before.files, before.steering_digest)
    homes = homes_of(analysed({**tree, **NEW}, outline))
    assert "named" not in homes["tools2/extra.py"]
    assert homes["app/billing/one.py"] == "billing named"


def test_two_sections_of_one_heading_stay_with_their_own_topics() -> None:
    prose = "It is told here how this part does its work, step by step. " * 40
    parts = [f"# {t}\n\n## Options\n\n{prose}\n\n" for t in ("First", "Second")]
    tree = {**TREE, "docs/guide.md": "".join(parts)}
    sections = [s for s in analysed(tree).documents if s.title == "Options"]
    keys = ("shop/docs/guide.md#Options", "shop/docs/guide.md#Options#2")
    topics = [
        replace(t, sections=keys[n : n + 1]) for n, t in enumerate(OUTLINE.topics)
    ]
    found = analysed(tree, replace(OUTLINE, topics=tuple(topics))).topics
    assert [[s for s in t.sections if s in sections] for t in found[:2]] == [
        sections[:1],
        sections[1:],
    ]


def test_a_section_that_was_on_no_page_stays_on_none() -> None:
    tree = {**TREE, "docs/notes.md": GUIDE.replace("# Mail", "# Notes")}
    analysis = analysed(tree)
    notes = [s for s in analysis.documents if s.title == "Notes"]
    told = [replace(t, sections=()) for t in analysis.topics]
    untold = untold_sections(told, notes, analysis.files)
    joined = analysed(tree, OUTLINE).topics
    assert any(s in topic.sections for topic in joined for s in notes)
    topics = analysed(tree, replace(OUTLINE, untold=untold)).topics
    assert not any(s in topic.sections for topic in topics for s in notes)


def test_files_keep_their_order_and_new_ones_follow() -> None:
    turned = [replace(t, files=t.files[::-1]) for t in OUTLINE.topics]
    new = {"app/mail/again.py": "from app.mail.one import step_1\n\nA = 1\n"}
    topics = analysed({**TREE, **new}, replace(OUTLINE, topics=tuple(turned))).topics
    first, turned_files = topics[0], turned[0].files
    paths = [f"{f.source}/{f.path}" for f in first.files]
    assert paths[: len(turned_files)] == list(turned_files)
    assert sum(f.stem == "again" for t in topics for f in t.files) == 1
