"""A space as a source: its pages, what they link to, what a preview says."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput, NotFound
from devrag.sources.api import read_document
from devrag.sources.connectors import (
    ConnectorContext,
    open_connector,
)
from devrag.sources.connectors.pages.types import Probe
from tests.sources.confluence.confluence_server import Wiki, fill
from tests.sources.pages.reading import (
    Open,
    later,
    texts,
)


def test_a_page_has_its_place_author_labels_and_original(
    wiki: Wiki, opened: Open
) -> None:
    above = wiki.page("Architecture", parent="1")
    page = wiki.page(
        "Payment flow", "<p>Pay</p>", parent=above, labels=("b", "a"), author="Mio"
    )
    text = texts(opened())["ENG/Architecture/Payment flow.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.place == ("Engineering", "Architecture")
    assert (facts.author, facts.labels, facts.version) == ("Mio", ("a", "b"), "1")
    assert facts.changed_at == facts.created_at == wiki.clock
    assert facts.url.endswith(f"/wiki/spaces/ENG/pages/{page}/Payment%20flow")
    assert text.endswith("---\n\n# Payment flow\n\nPay\n")


def test_blog_posts_lie_in_a_folder_of_their_own(wiki: Wiki, opened: Open) -> None:
    wiki.page("Release\n2", kind="blogpost")
    text = texts(opened())["ENG/Blog/Release 2.md"]
    assert "\n# Release 2\n" in text


def test_links_lead_to_the_pages_that_were_read(wiki: Wiki, opened: Open) -> None:
    wiki.page("Refunds", parent="1")
    link = '<p><ac:link><ri:page ri:content-title="Refunds" /></ac:link></p>'
    wiki.page("Payments", link, parent="1")
    connector = opened()
    assert "[Refunds](Refunds.md)" in texts(connector)["ENG/Payments.md"]
    later(wiki)
    wiki.page("Newer", link, parent="1")
    assert "[Refunds](Refunds.md)" in texts(connector)["ENG/Newer.md"]


def test_links_to_many_pages_are_asked_for_in_addresses_of_bounded_length(
    wiki: Wiki, opened: Open
) -> None:
    titles = [f"{'文' * 200} {number}" for number in range(12)]
    for title in titles:
        wiki.page(title, parent="1")
    later(wiki)
    connector = opened()
    connector.resolve()
    later(wiki)
    links = "".join(
        f'<ac:link><ri:page ri:content-title="{title}" /></ac:link>' for title in titles
    )
    wiki.page("Index", f"<p>{links}</p>", parent="1")
    assert texts(connector)["ENG/Index.md"].count(".md)") == len(titles)
    assert max(map(len, wiki.requests)) < 8_000


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("a/b\\c", "ENG/a∕b∕c.md"),
        ("..", "ENG/untitled.md"),
        ("  تقرير ✓ 🚀  ", "ENG/تقرير ✓ 🚀.md"),
        ("a\u202eb\nc", "ENG/a b c.md"),
        ("文" * 250, None),
    ],
)
def test_titles_become_names(
    wiki: Wiki, opened: Open, title: str, path: str | None
) -> None:
    wiki.page(title, parent="1")
    (found,) = texts(opened()).keys() - {"ENG/Home.md"}
    assert path is None or found == path
    assert len(found.rpartition("/")[2].encode()) < 255


def test_two_pages_of_one_title_both_stay(wiki: Wiki, opened: Open) -> None:
    wiki.page("Notes", "<p>one</p>", parent="1")
    wiki.page("Notes", "<p>two</p>", parent="1")
    found = texts(opened())
    assert len(found) == 3
    assert {"one", "two"} <= {text.split()[-1] for text in found.values()}


def test_a_tree_that_runs_in_a_circle_ends(wiki: Wiki, opened: Open) -> None:
    first = wiki.page("First")
    second = wiki.page("Second", parent=first)
    wiki.content[first]["_parent"] = second
    assert len(texts(opened())) == 3


def test_dates_that_are_none_are_not_known(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Odd", parent="1")
    wiki.content[page]["version"]["when"] = "31 February"
    facts = read_document(texts(opened())["ENG/Odd.md"])
    assert facts is not None
    assert facts.changed_at is None


def test_a_space_that_is_not_there(wiki: Wiki, opened: Open) -> None:
    connector = opened()
    wiki.key = "OTHER"
    with pytest.raises(NotFound):
        connector.probe()


def test_a_preview_counts_what_would_be_read(wiki: Wiki, opened: Open) -> None:
    fill(wiki, 12)
    wiki.attach("1", "a.txt", b"a")
    assert opened().preview() == Probe(
        "Engineering",
        (("pages", 12), ("attachments", 1)),
        ("Pages with view restrictions are skipped.",),
    )


def test_the_network_is_not_touched_when_it_is_opened(tmp_path: Path) -> None:
    url = "https://nowhere.invalid/wiki/spaces/ENG"
    open_connector("confluence", {"url": url}, ConnectorContext(tmp_path)).close()


@pytest.mark.parametrize("url", ["", "git@host:path", "https://wiki.example/x/AbC"])
def test_an_address_that_names_no_space_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(InvalidInput, match="does not name a Confluence space"):
        open_connector("confluence", {"url": url}, ConnectorContext(tmp_path))
