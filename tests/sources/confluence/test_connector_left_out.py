"""What of a space is left out: restricted, too large, not to be converted."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources.selection import Selection
from tests.sources.confluence.confluence_server import SEARCH, Wiki, fill
from tests.sources.pages.reading import (
    Open,
    later,
    texts,
    unlisted,
)


def test_restricted_pages_are_left_out_with_what_lies_below(
    wiki: Wiki, opened: Open
) -> None:
    secret = wiki.page("Salaries", parent="1")
    below = wiki.page("Of directors", parent=secret)
    wiki.attach(below, "list.txt", b"secret")
    wiki.content[secret]["_restricted"] = True
    connector = opened()
    assert set(texts(connector)) == {"ENG/Home.md"}
    found = unlisted(connector)
    assert found == {
        (f"ENG/restricted/{page}.md", "restricted page") for page in (secret, below)
    }
    assert "ENG/Salaries.md" in texts(opened(read_restricted=True))


def test_a_page_below_a_restricted_one_that_changes_stays_out(
    wiki: Wiki, opened: Open
) -> None:
    secret = wiki.page("Salaries", parent="1")
    wiki.content[secret]["_restricted"] = True
    connector = opened()
    connector.resolve()
    later(wiki)
    wiki.page("Of directors", parent=secret)
    link = '<p><ac:link><ri:page ri:content-title="Of directors" /></ac:link></p>'
    wiki.page("Open", link, parent="1")
    found = texts(connector)
    assert set(found) == {"ENG/Home.md", "ENG/Open.md"}
    assert "Salaries" not in found["ENG/Open.md"]


def test_a_page_that_is_restricted_later_goes_within_a_day(
    wiki: Wiki, opened: Open
) -> None:
    page = wiki.page("Plans", parent="1")
    wiki.attach(page, "plan.txt", b"plan")
    connector = opened()
    assert "ENG/Plans/plan.txt" in texts(connector)
    later(wiki, hours=25)
    wiki.content[page]["_restricted"] = True
    assert set(texts(connector)) == {"ENG/Home.md"}
    later(wiki, hours=25)
    wiki.content[page]["_restricted"] = False
    assert set(texts(connector)) == {
        "ENG/Home.md",
        "ENG/Plans.md",
        "ENG/Plans/plan.txt",
    }


def test_a_page_that_is_edited_and_restricted_goes_at_once(
    wiki: Wiki, opened: Open
) -> None:
    page = wiki.page("Plans", parent="1")
    wiki.attach(page, "plan.txt", b"plan")
    wiki.page("Below", parent=page)
    connector = opened()
    connector.resolve()
    later(wiki)
    wiki.edit(page)
    wiki.content[page]["_restricted"] = True
    assert set(texts(connector)) == {"ENG/Home.md"}


def test_pages_whose_restrictions_are_not_told_are_left_out(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = wiki.shown

    def without(content_id: str, expand: str) -> dict[str, Any]:
        found = shown(content_id, expand)
        found.pop("restrictions", None)
        return found

    monkeypatch.setattr(wiki, "shown", without)
    assert texts(opened()) == {}


@pytest.mark.parametrize(
    "told",
    [
        {"_expandable": {"read": ""}},
        {"read": {"restrictions": {"user": {"results": [], "size": 0}}}},
        {"read": {"restrictions": {"user": {}, "group": {}}}},
    ],
)
def test_pages_whose_restrictions_are_half_told_are_left_out(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch, told: dict[str, Any]
) -> None:
    shown = wiki.shown
    monkeypatch.setattr(
        wiki, "shown", lambda *asked: shown(*asked) | {"restrictions": told}
    )
    assert texts(opened()) == {}


def test_a_page_below_one_that_is_not_shown_is_left_out(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = wiki.page("Salaries", parent="1")
    below = wiki.page("Of directors", parent=secret)
    find = wiki.find
    monkeypatch.setattr(
        wiki, "find", lambda cql: [each for each in find(cql) if each != secret]
    )
    connector = opened()
    assert set(texts(connector)) == {"ENG/Home.md"}
    assert unlisted(connector) == {(f"ENG/restricted/{below}.md", "restricted page")}


def test_a_page_that_cannot_be_converted_is_named(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise ValueError

    monkeypatch.setattr(
        "devrag.sources.connectors.confluence.reader.page_document", fail
    )
    assert unlisted(opened()) == {("ENG/Home.md", "cannot be converted (ValueError)")}


def test_a_page_of_20_megabytes_is_named_and_left_out(wiki: Wiki, opened: Open) -> None:
    wiki.page("Huge", f"<p>{'x' * 20_000_000}</p>", parent="1")
    connector = opened({"selection": Selection(max_bytes=2_000_000)})
    assert set(texts(connector)) == {"ENG/Home.md"}
    assert ("ENG/Huge.md", "too large (20.0 MB)") in unlisted(connector)


def test_an_answer_beyond_the_bound_is_read_in_parts(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client._MAX_ANSWER_BYTES", 100_000
    )
    for number in range(8):
        wiki.page(f"Long {number}", f"<p>{'x ' * 20_000}</p>", parent="1")
    wiki.page("Longer", f"<p>{'x ' * 60_000}</p>", parent="1")
    connector = opened()
    assert len(texts(connector)) == 9
    assert unlisted(connector) == {("ENG/Longer.md", "too large")}


def test_a_space_beyond_the_bound_is_refused_while_it_is_listed(
    wiki: Wiki, opened: Open
) -> None:
    fill(wiki, 500)
    with pytest.raises(InvalidInput, match="more than 150 pages"):
        opened({"max_files": 150}).resolve()
    assert wiki.kinds_of_requests()[SEARCH] == 1
