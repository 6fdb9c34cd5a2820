"""The architecture shows topics at the level that fits."""

from __future__ import annotations

from collections.abc import Mapping

from devrag.wiki.writing.structural.overview import Overview, overview_of
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import analyse
from tests.wiki.written import write

_WIKI = ".devrag/wiki.yaml"


def _steps(count: int) -> str:
    return "".join(f'\n\ndef step_{n}():\n    """Step {n}."""\n' for n in range(count))


def _tree(topics: Mapping[str, int], parents: Mapping[str, str]) -> dict[str, str]:
    """Return a package per topic, of so many functions, each using the next."""
    tree = {}
    names = list(topics)
    for name, after in zip(names, [*names[1:], ""], strict=True):
        uses = f"from {after}.work import step_0\n" if after else ""
        tree[f"{name}/work.py"] = (
            f'"""Work of {name}."""\n\n{uses}{_steps(topics[name])}'
        )
    wanted = [
        f"- {{title: {name}, path: {name}"
        + (f", parent: {parents[name]}}}" if name in parents else "}")
        for name in names
    ]
    return {**tree, _WIKI: "pages:\n" + "\n".join(wanted) + "\n"}


def _seen(
    topics: Mapping[str, int], parents: Mapping[str, str]
) -> tuple[Overview, set[str]]:
    analysis = analyse(_tree(topics, parents))
    seen = overview_of(analysis, plan_wiki(analysis))
    return seen, {analysis.topics[topic].title for topic in seen.components}


NINE = {f"t{n}": 9 for n in range(9)}


def test_parts_count_to_their_topic() -> None:
    seen, titles = _seen({**NINE, "part": 9}, {"part": "t1"})
    assert titles == set(NINE)
    assert len(seen.shown_in) == 10
    assert set(seen.ties) == {(a, b) for a, of_a in seen.edges.items() for b in of_a}


def test_a_topic_above_a_third_is_shown_by_its_parts() -> None:
    topics = {**NINE, "large": 20, "one": 60, "two": 60}
    seen, titles = _seen(topics, {"one": "large", "two": "large"})
    assert {"large", "one", "two"} <= titles
    total = sum(seen.lines.values())
    assert max(seen.lines.values()) <= total / 3


def test_few_topics_show_their_parts() -> None:
    topics = {"trade": 9, "cart": 9, "till": 9, "mail": 9}
    _, titles = _seen(topics, {"cart": "trade", "till": "trade"})
    assert titles == set(topics)


def test_no_more_are_shown_than_one_diagram_holds() -> None:
    topics = {f"t{n}": 9 for n in range(18)}
    parts = {f"p{n}": 60 for n in range(6)}
    seen, titles = _seen({**topics, **parts}, dict.fromkeys(parts, "t0"))
    assert titles == set(topics)
    assert len(seen.components) <= 20


def test_documents_alone_are_no_component() -> None:
    text = "The rules of our house, said once more for all who live here. " * 30
    analysis = analyse(
        {**_tree(NINE, {}), "docs/rules.md": f"# House rules\n\n{text}\n"}
    )
    seen = overview_of(analysis, plan_wiki(analysis))
    assert any(topic.title == "House rules" for topic in analysis.topics)
    assert {analysis.topics[c].title for c in seen.components} == set(NINE)


def test_the_page_tells_each_component_and_what_it_uses() -> None:
    draft = write(_tree({**NINE, "part": 9}, {"part": "t1"}))["architecture.md"]
    assert "consists of 9 components with" in draft.markdown
    assert (
        "A component includes the topics that its page lists below it" in draft.markdown
    )
    assert "| [t3](features/t3.md) | Work of t3" in draft.markdown
    assert "**[t3](features/t3.md)** uses [t4](features/t4.md)" in draft.markdown
