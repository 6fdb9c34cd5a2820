"""Files, folders and raw text."""

from __future__ import annotations

import re
from collections.abc import Callable
from unittest.mock import patch

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from devrag.core.hashing import sha256_hex, stable_uuid
from devrag.jobs.models import Job
from devrag.sources.models import File, GitRef, RefFile, Symbol
from devrag.web.pages import files, highlighted
from devrag.web.pages.definition_links import LinkedDefinition, link_names
from devrag.wiki.models import Claim, Wiki

from .conftest import CODE, COMMIT, Harbour
from .markup import squeeze

FOLDER = "/p/harbour/s/harbour-code/-/current/"
FILE = "/p/harbour/s/harbour-code/-/current/src/greeter.py"


def test_lines_have_anchors_and_highlighting(bob: Client) -> None:
    page = bob.get(FILE).content.decode()
    assert 'id="L6" href="#L6"' in page
    assert '<span class="k">class</span>' in page
    assert 'id="L7"' not in page


def test_an_extracted_text_says_what_it_was_and_what_is_missing(
    bob: Client, harbour: Harbour
) -> None:
    text = "## Sheet: Prices\n\n| Tea |\n| --- |\n"
    file = harbour.add_file("prices.xlsx", text, "xlsx", "doc")
    file.encoding, file.warnings = "xlsx", ["hidden sheets left out: <Draft>"]
    file.save(update_fields=["encoding", "warnings"])
    page = squeeze(bob.get(FILE.replace("src/greeter.py", "prices.xlsx")))
    assert "Text extracted from the original file (Excel)" in page
    assert "Hidden sheets left out: &lt;Draft&gt;" in page
    assert "Text extracted" not in bob.get(FILE).content.decode()


def test_the_outline_comes_from_symbols(bob: Client) -> None:
    page = squeeze(bob.get(FILE))
    assert 'href="#L4"' in page
    assert 'title="method greet, 2 lines"' in page
    assert "Lines</small>" in page
    Symbol.objects.filter(name="greet").update(complexity=3)
    assert "Complexity · lines" in squeeze(bob.get(FILE))


def test_the_name_of_a_definition_opens_it(bob: Client, wiki: Wiki) -> None:
    page = bob.get(FILE).content.decode()
    url = f"/p/harbour/s/harbour-code/symbol/current/{stable_uuid('greet')}/"
    link = f'<a class="definition" href="{url}" hx-get="{url}" tabindex="-1">'
    assert f'{link}<span class="nf">greet</span></a>' in page
    assert page.count('class="definition"') == 2
    # A version that is only cited keeps no definitions.
    Claim.objects.update(version_identifier="b" * 40)
    page = bob.get(FILE.replace("current", "b" * 40)).content.decode()
    assert 'class="definition"' not in page


def test_names_are_linked_once_and_where_they_are_defined() -> None:
    at = [
        LinkedDefinition(10, "A", "/1"),
        LinkedDefinition(10, "A", "/2"),
        LinkedDefinition(12, "b", "/3"),
    ]
    token = '<span class="nc">{}</span>'.format
    lines = [f"@{token('x')}", f"class {token('A')}: {token('A')}()", f"{token('bb')}"]
    first, second, third = link_names(lines, 10, at)
    assert (first, third) == (lines[0], lines[2])
    assert re.findall(r'href="(/\d)"', second) == ["/1", "/2"]
    assert "</a>: <a" in second


def test_a_name_is_not_looked_for_beyond_the_next_definition() -> None:
    token = '<span class="nf">{}</span>'.format
    lines = ["def operator()", f"def {token('b')}()", f"  {token('operator')}()"]
    at = [LinkedDefinition(1, "operator", "/1"), LinkedDefinition(2, "b", "/2")]
    assert re.findall(r'href="(/\d)"', "".join(link_names(lines, 1, at))) == ["/2"]


def test_the_permalink_names_the_commit(bob: Client) -> None:
    page = bob.get(FILE).content.decode()
    assert f'data-copy="/p/harbour/s/harbour-code/-/{COMMIT}/src/greeter.py"' in page


def test_a_file_opens_at_its_commit(bob: Client) -> None:
    assert bob.get(FILE.replace("current", COMMIT)).status_code == 200


def test_a_file_opens_at_a_branch_and_is_not_kept_for_ever(bob: Client) -> None:
    page = bob.get(FILE.replace("current", "main")).content.decode()
    assert f'data-copy="/p/harbour/s/harbour-code/-/{COMMIT}/src/greeter.py"' in page
    assert bob.get(FILE.replace("current", "elsewhere")).status_code == 404
    raw = FILE.replace("/-/", "/raw/")
    assert "immutable" in bob.get(raw.replace("current", COMMIT))["Cache-Control"]
    for moving in ("main", "current"):
        answer = bob.get(raw.replace("current", moving))
        assert answer.status_code == 200
        assert "immutable" not in answer.get("Cache-Control", "")


def test_a_cited_version_opens_after_the_source_moved_on(
    bob: Client, harbour: Harbour, wiki: Wiki
) -> None:
    old = harbour.files["src/greeter.py"]
    RefFile.objects.filter(file=old).update(until=2)
    harbour.add_file("src/greeter.py", "# rewritten\n", "python", "code")
    snapshot = harbour.ref.snapshot
    assert snapshot is not None
    snapshot.version_identifier = "b" * 40
    snapshot.save(update_fields=["version_identifier"])
    page = bob.get(FILE.replace("current", COMMIT)).content.decode()
    assert "Greeter" in page
    assert "Show the current version" in page


def test_a_file_that_is_not_there_says_so(bob: Client) -> None:
    response = bob.get(FILE + "x")
    assert response.status_code == 404
    assert "greeter.pyx" in response.content.decode()


def test_a_folder_lists_folders_first(bob: Client) -> None:
    page = bob.get("/p/harbour/s/harbour-code/-/current/").content.decode()
    assert page.index(">docs<") < page.index(">src<") < page.index(">README.md<")
    assert 'href="/p/harbour/s/harbour-code/-/current/docs"' in page


def test_a_japanese_file_name_is_listed_and_opens(bob: Client) -> None:
    page = bob.get("/p/harbour/s/harbour-code/-/current/docs").content.decode()
    assert "案内.md" in page
    url = "/p/harbour/s/harbour-code/-/current/docs/案内.md"
    assert bob.get(url).status_code == 200


def test_markup_in_names_and_text_stays_text(bob: Client, harbour: Harbour) -> None:
    name = '<img src=x onerror="alert(1)">.py'
    harbour.add_file(name, "<script>alert(1)</script>\n", "", "code")
    listing = bob.get("/p/harbour/s/harbour-code/-/current/").content.decode()
    page = bob.get(f"/p/harbour/s/harbour-code/-/current/{name}").content.decode()
    assert "<img src=x" not in listing + page
    assert "<script>alert" not in page


def test_raw_text_is_never_a_document(bob: Client) -> None:
    response = bob.get("/p/harbour/s/harbour-code/raw/current/src/greeter.py")
    assert response.content.decode() == CODE
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"


BIG = "/p/harbour/s/harbour-code/-/current/big.py"


@pytest.mark.slow
def test_a_long_file_comes_in_blocks(bob: Client, harbour: Harbour) -> None:
    harbour.add_file("big.py", "x = 1\n" * 20_000, "python", "code")
    page = bob.get(BIG).content.decode()
    assert 'id="L600"' in page
    assert 'id="L601"' not in page
    assert '<a href="?line=19801#L19801">Lines 19,801–20,000</a>' in squeeze(page)
    assert len(page) < 300_000
    further = bob.get(BIG, {"line": 15_000}).content.decode()
    assert 'id="L15000"' in further
    block = bob.get(BIG, {"line": 15_000}, headers={"HX-Request": "true"})
    assert block.content.decode().count("code-line") == 600


def test_colours_of_a_block_know_the_lines_before_it(
    bob: Client, harbour: Harbour
) -> None:
    harbour.add_file("big.py", '"""' + "words\n" * 900 + '"""\n', "python", "code")
    for _ in range(2):  # the second answer is the one that was kept
        block = bob.get(BIG, {"line": 700}).content.decode()
        assert 'tabindex="-1">700</a><code><span class="sd">words</span>' in block


def test_the_colours_of_a_long_file_follow(bob: Client, harbour: Harbour) -> None:
    text = '"""' + "words\n" * 18_000 + '"""\n'
    harbour.add_file("big.py", text, "python", "code")
    plain = bob.get(BIG, {"line": 7_000}).content.decode()
    assert 'tabindex="-1">7000</a><code>words</code>' in plain
    assert 'hx-trigger="load delay:1500ms"' in plain
    highlighted._background.submit(str).result()  # after what it does now
    block = bob.get(BIG, {"line": 7_000}).content.decode()
    assert 'tabindex="-1">7000</a><code><span class="sd">words</span>' in block
    assert 'hx-trigger="load delay:1500ms"' not in block


def test_a_line_of_a_megabyte_is_cut(bob: Client, harbour: Harbour) -> None:
    harbour.add_file("big.py", "x=1;" * 250_000, "python", "code")
    page = bob.get(BIG).content.decode()
    assert "995,000 more characters" in page
    assert len(page) < 300_000


def test_a_block_names_the_definitions_around_its_lines(bob: Client) -> None:
    page = bob.get(FILE).content.decode()
    assert "[[4, 6, &quot;Greeter&quot;], [5, 6, &quot;greet&quot;]]" in page


def test_queries_do_not_grow_with_files(
    bob: Client,
    harbour: Harbour,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    files = File.objects.bulk_create(
        File(
            source=harbour.source,
            path=f"many/{n}.py",
            digest="d",
            content_hash=sha256_hex(str(n)),
            facts_version=1,
            size=1,
            text="",
        )
        for n in range(300)
    )
    RefFile.objects.bulk_create(
        RefFile(ref=harbour.ref, file=file, since=1) for file in files
    )
    with django_assert_max_num_queries(10):
        page = bob.get("/p/harbour/s/harbour-code/-/current/many").content.decode()
    assert page.count("cover") >= 300


def test_a_folder_of_thousands_comes_in_pages(bob: Client, harbour: Harbour) -> None:
    for n in range(3):
        harbour.add_file(f"src/many/{n}.txt", "x\n", "", "doc")
    with patch.object(files, "ENTRIES", 2):
        url = "/p/harbour/s/harbour-code/-/current/src/many"
        first = bob.get(url).content.decode()
        assert "2 of 3 shown" in first
        rest = bob.get(url, {"entry": 2}, headers={"HX-Request": "true"})
        assert rest.content.decode().count("<bdi>") == 1
        beyond = bob.get(url, {"entry": 9}).content.decode()
        assert "2 of 3 shown" in beyond


@pytest.mark.parametrize("is_known", [True, False], ids=["emptied", "new"])
def test_a_folder_that_waits_for_its_index_shows_what_came(
    bob: Client, harbour: Harbour, make_job: Callable[..., Job], is_known: bool
) -> None:
    RefFile.objects.update(until=2)
    named = bob.get(f"/p/harbour/s/harbour-code/-/{COMMIT}/").content.decode()
    assert "Nothing is indexed here yet" in named
    assert "hx-trigger" not in named.split('id="dr-waiting"')[1].split(">")[0]
    if not is_known:
        GitRef.objects.update(is_current=False)
    asking = {"HX-Request": "true"}
    assert 'hx-trigger="every' not in bob.get(FOLDER).content.decode()
    make_job()
    page = squeeze(bob.get(FOLDER))
    assert f'hx-get="{FOLDER}" hx-trigger="every 3s"' in page
    poll = bob.get(FOLDER, headers=asking)
    assert poll.content.decode().strip().startswith('<div class="empty"')
    Job.objects.update(state="completed")
    GitRef.objects.update(is_current=True)
    RefFile.objects.update(until=None)
    assert bob.get(FOLDER, headers=asking)["HX-Refresh"] == "true"


def test_a_name_with_a_line_break_is_listed_and_opens(
    bob: Client, harbour: Harbour
) -> None:
    harbour.add_file("src/new\nline.py", "x = 1\n", "python", "code")
    folder = bob.get("/p/harbour/s/harbour-code/-/current/src")
    assert "src/new%0Aline.py" in folder.content.decode()
    for way in ("-", "raw"):
        url = f"/p/harbour/s/harbour-code/{way}/current/src/new%0Aline.py"
        assert bob.get(url).status_code == 200


def test_the_current_commit_is_told_once(bob: Client) -> None:
    page = squeeze(bob.get(FILE.replace("current", COMMIT)))
    assert "Show the current version" not in page
    assert f">{COMMIT[:32]}" not in page


def test_a_japanese_text_breaks_between_phrases(bob: Client, harbour: Harbour) -> None:
    text = "# 案内\n\n::: warning 注意\nこの文書は日本語で書かれています。\n:::\n"
    harbour.add_file("docs/規約.md", text, "markdown", "doc")
    page = squeeze(bob.get("/p/harbour/s/harbour-code/-/current/docs/規約.md"))
    assert 'class="file-article prose" data-article lang="ja"' in page
    assert '<div class="callout-title">注意</div>' in page
    assert ":::" not in page
