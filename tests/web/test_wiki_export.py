"""What is taken away of a wiki in the browser: archives, one file, permalinks."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.test import Client

from devrag.wiki.models import Wiki

URL = "/p/harbour/wiki-versions/1/export/"


@pytest.mark.parametrize(
    ("kind", "page"), [("md.zip", "architecture.md"), ("html.zip", "architecture.html")]
)
def test_a_wiki_is_taken_away_as_an_archive(
    bob: Client, wiki: Wiki, kind: str, page: str
) -> None:
    answer = bob.get(URL + kind)
    assert answer["Content-Disposition"].startswith('attachment; filename="harbour-')
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert f"harbour/{page}" in archive.namelist()


def test_one_file_has_all_pages_with_links_and_notes_of_its_own(
    bob: Client, wiki: Wiki
) -> None:
    text = bob.get(f"{URL}md").content.decode()
    assert text.startswith("# Harbour\n")
    assert "\n## Architecture\n" in text
    assert "\n#### Detail\n" in text
    assert "[greeting](#page-3)" in text
    assert '<a id="page-3"></a>' in text
    assert "It greets.[^2-1]" in text
    assert "[^2-1]: `harbour-code src/greeter.py:5-6 at aaaaaaaaaaaa`" in text
    assert "graph LR\n" in text


def test_who_may_not_read_takes_nothing_away(
    charlie: Client, bob: Client, wiki: Wiki
) -> None:
    assert charlie.get(f"{URL}md").status_code == 404
    assert bob.get(f"{URL}pdf").status_code == 404
    assert bob.get("/p/harbour/wiki-versions/9/export/md").status_code == 404


def test_a_page_offers_a_permalink_and_exports(bob: Client, wiki: Wiki) -> None:
    page = bob.get("/p/harbour/wiki/architecture").content.decode()
    permalink = "/p/harbour/wiki-versions/1/pages/architecture?language=en"
    assert f'data-share-page="{permalink}"' in page
    assert bob.get(permalink).status_code == 200
    assert f'href="{URL}md?language=en"' in page
    assert 'class="block-tool heading-link"' in page
    assert 'href="#the-graph"' in page


@pytest.mark.parametrize(
    ("destination", "is_marked"), [("document", False), ("empty", True)]
)
def test_only_people_read_a_page_without_the_mark_for_agents(
    bob: Client, wiki: Wiki, destination: str, is_marked: bool
) -> None:
    headers = {"Sec-Fetch-Dest": destination}
    answer = bob.get("/p/harbour/wiki/architecture.md", headers=headers)
    assert answer.content.startswith(b"<!-- untrusted: ") is is_marked
    assert "Sec-Fetch-Dest" in answer["Vary"]
