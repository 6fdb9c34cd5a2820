"""Wiki pages: tree, citations, neighbours, Markdown, writing again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db.models import F
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from devrag.jobs.models import Job
from devrag.sources.models import GitRef
from devrag.web.pages.paths import join_path
from devrag.web.pages.wiki_tree import (
    ListedPage,
    build_groups,
    build_tree,
    list_kept_pages,
)
from devrag.wiki.models import Claim, Page, Version, Wiki

from .conftest import COMMIT
from .markup import squeeze

URL = "/p/harbour/wiki/architecture"


def test_citations_lead_to_the_lines_at_their_commit(bob: Client, wiki: Wiki) -> None:
    page = bob.get(URL).content.decode()
    target = f"/p/harbour/s/harbour-code/-/{COMMIT}/src/greeter.py#L5-L6"
    assert f'href="{target}" class="cite" title="src/greeter.py:5–6"' in page


def test_links_between_pages_are_followed_and_dead_ones_removed(
    bob: Client, wiki: Wiki
) -> None:
    page = bob.get(URL).content.decode()
    assert 'href="/p/harbour/wiki/features/greeting"' in page
    assert "gone.md" not in page


def test_the_contents_list_sections(bob: Client, wiki: Wiki) -> None:
    page = bob.get(URL).content.decode()
    assert '<a href="#the-graph">The graph</a>' in page
    assert '<a href="#日本語">日本語</a>' in page


def test_the_diagram_is_readable_without_script(bob: Client, wiki: Wiki) -> None:
    page = bob.get(URL).content.decode()
    assert "a[Greeter] --&gt; b[Name]" in page
    assert 'name="mermaid-frame"' in page


def test_neighbours_and_parent(bob: Client, wiki: Wiki) -> None:
    page = squeeze(bob.get("/p/harbour/wiki/features/greeting"))
    assert 'rel="prev" href="/p/harbour/wiki/architecture"' in page
    assert 'rel="next"' not in page


def test_the_tree_nests_pages_under_their_parent(wiki: Wiki) -> None:
    assert wiki.current is not None
    pages = list_kept_pages(str, wiki.current.pages.with_first_file())
    tree = build_tree(pages, "features/greeting.md")
    assert [node.title for node in tree] == ["Overview", "Architecture"]
    assert tree[1].children[0].is_current


def test_pages_stand_in_the_groups_that_a_reader_expects() -> None:
    pages = [
        ListedPage(f"{n}.md", "0.md" if n else "", n, group, f"/{n}", group=group)
        for n, group in enumerate(("start", "start", "code", "project"))
    ]
    groups = build_groups(pages, "2.md")
    found = {group.title: [node.path for node in group.nodes] for group in groups}
    assert found == {
        "Start": ["0.md", "1.md"],
        "Code": ["2.md"],
        "Project": ["3.md"],
    }


def test_documents_alone_have_no_groups() -> None:
    pages = [
        ListedPage("index.md", "", 0, "Overview", "/", group="start"),
        ListedPage("a.md", "index.md", 1, "A", "/a", group="concepts"),
    ]
    [group] = build_groups(pages, "a.md")
    assert not group.title
    assert [node.path for node in group.nodes[0].children] == ["a.md"]


@pytest.mark.parametrize(
    ("path", "group"), [("docs/rules.md", "concepts"), ("src/rules.py", "code")]
)
def test_a_topic_of_documents_is_none_of_the_code(
    wiki: Wiki, path: str, group: str
) -> None:
    assert wiki.current is not None
    topics = wiki.current.pages.filter(path="features/greeting.md")
    topics.update(kind="feature", files=[path])
    [page] = list_kept_pages(str, topics.with_first_file())
    assert page.group == group


def test_a_page_that_names_itself_as_parent_stands_at_the_top() -> None:
    page = ListedPage("a.md", "a.md", 0, "A", "/a")
    [node] = build_tree([page], "a.md")
    assert node.children == ()


def test_markdown_has_absolute_citations(bob: Client, wiki: Wiki) -> None:
    response = bob.get(f"{URL}.md")
    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    text = response.content.decode()
    assert f"[1](<http://localhost/p/harbour/s/harbour-code/-/{COMMIT}/" in text


def test_without_a_wiki_the_page_offers_one(bob: Client, alice: Client) -> None:
    assert "has no wiki yet" in bob.get("/p/harbour/wiki/").content.decode()
    assert bob.get("/p/harbour/wiki/index.md").status_code == 404


def test_an_unknown_page_is_not_found(bob: Client, wiki: Wiki) -> None:
    assert bob.get("/p/harbour/wiki/nope").status_code == 404


def test_the_button_creates_a_job_and_shows_its_progress(
    alice: Client, wiki: Wiki
) -> None:
    response = alice.post("/p/harbour/wiki-regenerate/", headers={"HX-Request": "true"})
    job = Job.objects.get(kind="wiki")
    assert f"/jobs/{job.pk}/progress/?view=strip" in response.content.decode()


def test_without_script_the_button_leads_to_the_job(alice: Client, wiki: Wiki) -> None:
    response = alice.post("/p/harbour/wiki-regenerate/")
    job = Job.objects.get(kind="wiki")
    assert response.status_code == 303
    assert response["Location"] == f"/jobs/{job.pk}/"


def test_a_running_job_replaces_the_button(
    alice: Client, wiki: Wiki, make_job: Callable[..., Job]
) -> None:
    assert "Update the wiki" in alice.get(URL).content.decode()
    make_job(kind="wiki", lane="wiki:1")
    page = alice.get(URL).content.decode()
    assert "Update the wiki" not in page
    assert 'id="dr-job-strip"' in page


def test_a_page_says_which_of_its_claims_no_longer_stand(
    bob: Client, wiki: Wiki
) -> None:
    claims = Claim.objects.filter(page__path="architecture.md")
    claims.update(content_hash="of before", excerpt="what is gone")
    page = bob.get(URL).content.decode()
    total = claims.count()
    assert f">{total} of {total} citations outdated</span>" in page
    assert "harbour-code/src/greeter.py (the cited lines changed)" in page
    assert page.count('badge-warn">the cited lines changed') == total


def _index_again(**change: str) -> None:
    """What an index finds that changed what the claim cites."""
    Claim.objects.update(content_hash="of before", **change)
    GitRef.objects.update(sequence=F("sequence") + 1)


def test_a_chip_says_that_its_lines_changed(bob: Client, wiki: Wiki) -> None:
    known = {"If-None-Match": bob.get(URL)["ETag"]}
    assert bob.get(URL, headers=known).status_code == 304
    _index_again(excerpt="what is gone")
    page = bob.get(URL, headers=known).content.decode()
    assert page.count("cite cite-stale") == 2  # in the text and among the sources
    assert 'title="src/greeter.py:5–6, outdated"' in page
    assert '1<span class="visually-hidden">, outdated</span></a>' in page
    # What a browser keeps of the lines was said of fresh ones.
    preview = re.search(r'data-preview="([^"]+)"', page)
    assert preview is not None
    assert preview[1].endswith("/?stale")
    assert "Outdated" in bob.get(preview[1]).content.decode()


def test_a_page_whose_sources_changed_is_marked_in_the_tree(
    bob: Client, wiki: Wiki, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    mark = 'class="stale-mark" title="1 citation outdated"'
    _index_again(excerpt="what is gone")
    front = "/p/harbour/wiki/"
    page = bob.get(front).content.decode()
    assert mark not in page  # nobody waits for all pages to be compared
    assert f'hx-get="{front}" hx-trigger="load"' in page
    tree = bob.get(front, headers={"HX-Request": "true"}).content.decode()
    assert tree.strip().startswith('<div id="dr-tree">')
    assert tree.count(mark) == 1
    with django_assert_max_num_queries(17):  # no more than without marks
        page = bob.get(front).content.decode()
    assert page.count(mark) == 1
    assert 'hx-trigger="load"' not in page


def test_what_moved_is_not_marked(bob: Client, wiki: Wiki) -> None:
    _index_again(excerpt="class Greeter:")
    assert "cite-stale" not in bob.get(URL).content.decode()
    tree = bob.get(URL, headers={"HX-Request": "true"}).content.decode()
    assert "Architecture" in tree
    assert "stale-mark" not in tree


def test_queries_are_few(
    bob: Client, wiki: Wiki, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(20):
        bob.get(URL)
    with django_assert_max_num_queries(17):  # claims are compared once
        bob.get(URL)


def test_paths_never_leave_the_root() -> None:
    assert join_path("docs/a.md", "../b.md") == "b.md"
    assert join_path("docs/a.md", "../../etc/passwd") is None
    assert join_path("docs/a.md", "/b.md") == "b.md"
    assert join_path("docs/a.md", "%2e%2e/%2e%2e/x") is None


def test_a_long_row_of_citations_is_one_chip(bob: Client, wiki: Wiki) -> None:
    page = Page.objects.get(path="architecture.md")
    page.markdown += f"\nAll of it.{'[1](cite:1)' * 5}\n"
    page.save()
    shown = bob.get(URL).content.decode()
    assert 'popovertarget="dr-cites-1" lang="en">5 citations</button>' in shown


def _add_japanese(wiki: Wiki) -> None:
    second = Wiki.objects.create(product=wiki.product, language="ja")
    second.current = Version.objects.create(wiki=second, number=1, writer="w")
    second.save()
    for path, title in {"index.md": "港", "architecture.md": "構造"}.items():
        Page.objects.create(
            version=second.current,
            path=path,
            title=title,
            ordinal=len(title),
            kind=path.removesuffix(".md"),
            markdown=f"# {title}\n\n[先頭](index.md)\n",
            fingerprint="f",
        )


def _ask_for_both(wiki: Wiki) -> None:
    _add_japanese(wiki)
    wiki.product.wiki_settings = {"language": "en,ja"}
    wiki.product.save()


def test_a_second_language_has_addresses_of_its_own(bob: Client, wiki: Wiki) -> None:
    _add_japanese(wiki)
    product = wiki.product
    assert "hreflang" not in bob.get(URL).content.decode()
    product.wiki_settings = {"language": "en,ja"}
    product.save()
    assert 'href="/p/harbour/wiki/ja/architecture"' in bob.get(URL).content.decode()
    page = bob.get("/p/harbour/wiki/ja/architecture").content.decode()
    assert '<article class="prose" lang="ja">' in page
    assert re.search('<a href="/p/harbour/wiki/ja/index"[^>]*>先頭', page)
    assert f'href="{URL}" hreflang="en"' in page
    text = bob.get("/p/harbour/wiki/ja/index.md").content.decode()
    assert "\n\n# 港\n" in text


def test_the_front_page_is_in_the_readers_language(bob: Client, wiki: Wiki) -> None:
    japanese = {"Accept-Language": "ja"}
    front = "/p/harbour/wiki/"
    assert bob.get(front, headers=japanese).status_code == 200
    _ask_for_both(wiki)
    answer = bob.get(front, headers=japanese)
    assert answer["Location"] == "/p/harbour/wiki/ja/index"
    assert "Accept-Language" in answer["Vary"]
    assert bob.get(front).status_code == 200
    chosen = bob.get(f"{front}?language=en", headers=japanese)
    assert 'article class="prose" lang="en"' in chosen.content.decode()


def test_who_reads_another_language_stays_in_it(bob: Client, wiki: Wiki) -> None:
    _ask_for_both(wiki)
    page = bob.get(URL, headers={"Accept-Language": "ja"}).content.decode()
    assert '<a href="/p/harbour/wiki/?language=en">' in page
    assert 'href="/p/harbour/wiki/"' not in page


def test_a_page_that_a_language_lacks_leads_to_its_first(
    bob: Client, wiki: Wiki
) -> None:
    _ask_for_both(wiki)
    Page.objects.filter(path="architecture.md", version__wiki__language="ja").delete()
    page = bob.get(URL).content.decode()
    assert 'href="/p/harbour/wiki/ja/index" hreflang="ja"' in page


def test_the_folder_of_a_language_leads_to_its_first_page(
    bob: Client, wiki: Wiki
) -> None:
    _ask_for_both(wiki)
    for address in ("ja", "ja/"):
        answer = bob.get(f"/p/harbour/wiki/{address}", follow=True)
        assert answer.redirect_chain[-1][0] == "/p/harbour/wiki/ja/index"
    english = bob.get("/p/harbour/wiki/en/", follow=True)
    assert english.redirect_chain[-1][0] == "/p/harbour/wiki/?language=en"
