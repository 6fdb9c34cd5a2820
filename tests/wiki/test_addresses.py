"""Topics that are found anew keep the addresses by which readers know them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.topics.addresses import known_addresses
from devrag.wiki.analysis.topics.outline import Outline, OutlinedTopic, outline_of
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import SHOP, survey_of

NEW = {
    f"shop/mail/{name}.py": f'"""Mail: {name}."""\n\n\ndef {name}():\n    pass\n'
    + "# filler\n" * 60
    for name in ("send", "queue", "retry")
}
STEERED = {".devrag/wiki.yaml": "pages: [{title: Command line, path: shop/cli.py}]\n"}


def outlined() -> Outline:
    """Return the shop's outline with addresses that no title would give."""
    analysis = Analysis(*survey_of(SHOP))
    topics = [replace(t, page=f"features/old-{t.title}.md") for t in analysis.topics]
    return outline_of(topics, analysis.files, analysis.steering_digest)


def test_an_address_goes_to_the_topic_about_most_of_the_same_files() -> None:
    before = Outline(
        (
            OutlinedTopic("A", "features/a.md", ("s/1", "s/2", "s/3"), ()),
            OutlinedTopic("B", "features/b.md", ("s/4", "s/5", "s/6", "s/7"), ()),
        )
    )
    files = [("s/1", "s/2"), ("s/1", "s/2", "s/3"), ("s/4",), ()]
    assert known_addresses(files, before) == {1: "features/a.md"}


@pytest.mark.parametrize(
    ("added", "is_outdated"), [(NEW, False), ({}, True), (STEERED, False)]
)
def test_topics_that_are_found_anew_keep_their_addresses(
    added: dict[str, str], is_outdated: bool
) -> None:
    outline = replace(outlined(), is_outdated=is_outdated)
    analysis = Analysis(*survey_of({**SHOP, **added}), outline)
    assert not analysis.is_outline_kept
    paths = {page.title: page.path for page in plan_wiki(analysis).pages}
    assert paths["Orders"] == "features/old-Orders.md"
    assert not any(path.startswith("features/old-Mail") for path in paths.values())
