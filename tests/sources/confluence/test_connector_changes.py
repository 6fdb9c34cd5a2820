"""What later runs of a space read, and what they see."""

from __future__ import annotations

from datetime import timedelta

import pytest

from devrag.core.errors import PermissionDenied
from devrag.sources.connectors import (
    Credentials,
)
from tests.sources.confluence.confluence_server import SEARCH, Wiki, fill
from tests.sources.pages.reading import (
    Open,
    changes,
    later,
    texts,
)


def test_a_run_without_changes_asks_twice(wiki: Wiki, opened: Open) -> None:
    fill(wiki, 30)
    connector = opened()
    before = connector.resolve().identifier
    later(wiki)
    assert connector.resolve().identifier == before
    assert wiki.kinds_of_requests() == {"/rest/api/space/ENG": 1, SEARCH: 1}


def test_only_what_changed_is_read_again(wiki: Wiki, opened: Open) -> None:
    fill(wiki, 120)
    connector = opened()
    before = connector.resolve().identifier
    later(wiki)
    changed = next(i for i, e in wiki.content.items() if e["title"] == "Page 7")
    wiki.edit(changed, "<p>Changed</p>")
    new = wiki.page("New", parent=changed)
    assert changes(connector, before) == (
        {"ENG/Page 7.md", "ENG/Page 7/New.md"},
        set(),
    )
    bodies = [path for path in wiki.requests if "body.storage" in path]
    assert len(bodies) == 1
    assert f"{changed}%2C{new}" in bodies[0]


def test_a_clock_far_from_ours_loses_nothing(wiki: Wiki, opened: Open) -> None:
    wiki.clock -= timedelta(days=800)
    connector = opened()
    connector.resolve()
    later(wiki, minutes=1)
    wiki.page("New", parent="1")
    assert "ENG/New.md" in texts(connector)


def test_a_clock_that_went_back_has_everything_listed(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Old", parent="1")
    connector = opened()
    connector.resolve()
    later(wiki, days=-30)
    wiki.delete(page)
    assert set(texts(connector)) == {"ENG/Home.md"}


def test_a_renamed_page_takes_along_what_lies_below(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Before", parent="1")
    below = wiki.page("Below", parent=page)
    wiki.attach(below, "notes.txt", b"notes")
    connector = opened()
    before = connector.resolve().identifier
    later(wiki)
    wiki.edit(page, title="After")
    entered, gone = changes(connector, before)
    assert gone == {
        "ENG/Before.md",
        "ENG/Before/Below.md",
        "ENG/Before/Below/notes.txt",
    }
    assert entered == {path.replace("Before", "After") for path in gone}


def test_a_day_later_moves_labels_and_deletions_are_seen(
    wiki: Wiki, opened: Open
) -> None:
    """None of them changes a date."""
    first, second = wiki.page("First", parent="1"), wiki.page("Second", parent="1")
    moved, labelled = wiki.page("Moved", parent=first), wiki.page("Labelled")
    later(wiki)
    connector = opened()
    before = connector.resolve().identifier
    later(wiki, hours=23)
    wiki.content[moved]["_parent"] = second
    wiki.content[labelled]["metadata"]["labels"]["results"] = [{"name": "new"}]
    wiki.delete(first)
    assert changes(connector, before) == (set(), set())
    later(wiki, hours=2)
    assert changes(connector, before) == (
        {"ENG/Labelled.md", "ENG/Second/Moved.md"},
        {"ENG/First.md", "ENG/First/Moved.md"},
    )


def test_pages_that_shift_while_they_are_listed_are_not_lost(
    wiki: Wiki, opened: Open
) -> None:
    fill(wiki, 450)
    connector = opened()
    connector.resolve()
    later(wiki, hours=25)
    oldest = next(iter(i for i, e in wiki.content.items() if e["title"] == "Page 1"))

    def delete_meanwhile(wiki: Wiki, path: str) -> None:
        if "start=200" in path and oldest in wiki.content:
            wiki.delete(oldest)

    wiki.faults = [delete_meanwhile]
    found = texts(connector)
    # The page at the border of two answers was in neither; it is asked for by its id.
    assert len(found) == len(wiki.content) + (oldest not in wiki.content)
    later(wiki, hours=25)
    assert len(texts(connector)) == len(wiki.content)


def test_what_another_token_reads_is_kept_apart(wiki: Wiki, opened: Open) -> None:
    assert set(texts(opened())) == {"ENG/Home.md"}
    other = {"credentials": Credentials("", "of-somebody-else")}
    with pytest.raises(PermissionDenied):
        texts(opened(other))
    wiki.requests.clear()
    assert set(texts(opened())) == {"ENG/Home.md"}
    assert not any("body.storage" in path for path in wiki.requests)


def test_a_page_made_anew_has_the_path_of_the_one_that_was_deleted(
    wiki: Wiki, opened: Open
) -> None:
    old = wiki.page("Guide", "<p>Old</p>", parent="1")
    connector = opened()
    before = connector.resolve().identifier
    later(wiki)
    wiki.delete(old)
    new = wiki.page("Guide", "<p>New</p>", parent="1")
    wiki.attach(new, "a.txt", b"a")
    # Until the next listing the old one is not known to be gone.
    between = connector.resolve().identifier
    marked = {path for path in texts(connector) if "(" in path}
    assert len(marked) == 1
    later(wiki, hours=25)
    entered, gone = changes(connector, between)
    assert (entered, gone) == ({"ENG/Guide.md"}, marked)
    found = texts(connector)
    assert set(found) == {"ENG/Home.md", "ENG/Guide.md", "ENG/Guide/a.txt"}
    assert "New" in found["ENG/Guide.md"]
    assert changes(connector, before)[1] == marked
