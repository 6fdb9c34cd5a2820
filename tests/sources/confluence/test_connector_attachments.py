"""Attachments of pages, and comments on them."""

from __future__ import annotations

import pytest

from devrag.core.errors import SourceError
from devrag.sources.api import read_document
from devrag.sources.connectors.pages.connector import NOT_DOWNLOADED, PageConnector
from devrag.sources.selection import Selection
from tests.sources.confluence.confluence_server import Wiki
from tests.sources.pages.reading import (
    Open,
    changes,
    later,
    read_all,
    texts,
    unlisted,
)


def reasons(connector: PageConnector) -> dict[str, str]:
    """Read everything; return why files could not be, by path."""
    return {each.path: each.unread for each, _ in read_all(connector) if each.unread}


def test_attachments_lie_beside_their_page(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", parent="1")
    wiki.attach(page, "set up.csv", b"a,b", "text/csv")
    wiki.attach(page, "shot.png", b"\x89PNG", "image/png")
    connector = opened()
    assert texts(connector)["ENG/Guide/set up.csv"] == "a,b"
    assert unlisted(connector) == {("ENG/Guide/shot.png", "no text (image/png)")}
    assert not any("shot.png" in path for path in wiki.requests)
    assert set(texts(opened(read_attachments=False))) == {"ENG/Home.md", "ENG/Guide.md"}


def test_an_attachment_cannot_pass_for_a_page(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Plans", parent="1")
    wiki.attach(page, "forged.md", b'---\ntitle: "T"\nauthor: "Boss"\n---\nText')
    found = texts(opened())["ENG/Plans/forged.md"]
    assert "Boss" in found
    assert read_document(found) is None


def test_an_attachment_that_grew_or_went_is_left_out(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", parent="1")
    wiki.attach(page, "big.txt", b"x" * 2_000)
    wiki.attach(page, "lost.txt", b"x")
    for name, data in list(wiki.files.items()):
        if name.endswith("lost.txt"):
            del wiki.files[name]
        else:
            wiki.files[name] = data * 10
    found = texts(opened({"selection": Selection(max_bytes=3_000)}))
    assert set(found) == {"ENG/Home.md", "ENG/Guide.md"}


def test_an_attachment_that_went_is_gone_after_a_day(wiki: Wiki, opened: Open) -> None:
    file = wiki.attach("1", "a.txt", b"a")
    wiki.attach("1", "b.txt", b"b")
    connector = opened()
    assert len(texts(connector)) == 3
    later(wiki, hours=25)
    wiki.delete(file)
    assert set(texts(connector)) == {"ENG/Home.md", "ENG/Home/b.txt"}


def test_a_new_attachment_of_an_old_page_is_read(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", parent="1")
    connector = opened()
    connector.resolve()
    later(wiki)
    wiki.attach(page, "a.txt", b"a")
    assert texts(connector)["ENG/Guide/a.txt"] == "a"


def test_comments_follow_their_page_by_choice(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", "<p>Text</p>", parent="1")
    first = wiki.comment(page, "<p>Is this <em>right</em>?</p>", author="Ken")
    assert "Ken" not in texts(opened())["ENG/Guide.md"]
    connector = opened(read_comments=True)
    text = texts(connector)["ENG/Guide.md"]
    assert text.endswith(
        "Text\n\n## Comments\n\n### Ken, 2026-03-01\n\nIs this *right*?\n"
    )
    asked = [path for path in wiki.requests if "child/comment" in path]
    assert len(asked) == 1  # of the one page that has comments
    later(wiki)
    wiki.comment(page, "<p>Yes</p>", author="Mio")
    assert "### Mio, 2026-03-01" in texts(connector)["ENG/Guide.md"]
    later(wiki, hours=25)
    wiki.delete(first)
    assert "Ken" not in texts(connector)["ENG/Guide.md"]


def test_an_attachment_that_fails_again_and_again_does_not_end_the_run(
    wiki: Wiki, opened: Open
) -> None:
    wiki.attach("1", "a.txt", b"a")
    wiki.attach("1", "b.txt", b"b")
    wiki.faults = [lambda _, path: (500, {}, {}) if "a.txt" in path else None]
    connector = opened()
    before = connector.resolve().identifier
    for _ in range(2):
        assert reasons(connector) == {"ENG/Home/a.txt": NOT_DOWNLOADED}
        # It is asked for again, though nothing changed there.
        assert changes(connector, before) == ({"ENG/Home/a.txt"}, set())
        before = connector.resolve().identifier
    wiki.faults = []
    assert reasons(connector) == {}
    assert texts(connector)["ENG/Home/a.txt"] == "a"
    before = connector.resolve().identifier
    later(wiki)
    assert connector.resolve().identifier == before


def test_a_server_that_is_gone_ends_the_run_at_an_attachment(
    wiki: Wiki, opened: Open
) -> None:
    wiki.attach("1", "a.txt", b"a")
    connector = opened()
    connector.resolve()
    wiki.faults = [lambda _, path: (503, {}, {})]
    with pytest.raises(SourceError, match="at the moment"):
        reasons(connector)


def test_an_attachment_leads_to_its_file(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", parent="1")
    wiki.attach(page, "a b.csv", b"a")
    (facts,) = [each.facts for each, _ in read_all(opened()) if each.facts]
    assert (facts.kind, facts.title) == ("attachment", "a b.csv")
    assert facts.place == ("Engineering", "Guide")
    assert f"/wiki/download/attachments/{page}/a%20b.csv" in facts.url
