"""The search page over the real index."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from devrag.core.hashing import stable_uuid
from devrag.search.lexical.follower import catch_up
from devrag.sources.models import Chunk, File
from devrag.web.pages.hit_excerpts import first_match
from devrag.web.pages.hits import to_view
from devrag.wiki.models import Wiki
from devrag.wiki.publishing.search_index import index_shown_version
from tests.search.hits import make_hit
from tests.stored import add_symbol

from .conftest import Harbour
from .markup import squeeze


def test_hits_show_marked_lines_reason_and_target(
    bob: Client, indexed: Harbour
) -> None:
    page = bob.get("/search", {"q": "Greeter", "mode": "keyword"}).content.decode()
    assert '/p/harbour/s/harbour-code/-/current/src/greeter.py#L4"' in page
    assert "<mark>Greeter</mark>" in page
    assert "file name matches" in page


def test_a_hit_in_a_wiki_leads_to_its_heading(bob: Client, wiki: Wiki) -> None:
    assert wiki.current is not None
    index_shown_version(wiki.current)
    page = squeeze(bob.get("/search", {"q": "kind:wiki greeting greets"}))
    assert 'href="/p/harbour/wiki/architecture#architecture"' in page
    assert "<b>Architecture</b>" in page
    other = bob.get("/search", {"q": "終わり", "kind": "wiki"}).content.decode()
    assert f"/p/harbour/wiki/architecture#{quote('日本語')}" in other


def test_filters_narrow(bob: Client, indexed: Harbour) -> None:
    query = {"q": "Harbour Greeter", "mode": "keyword", "kind": "doc"}
    page = bob.get("/search", query).content.decode()
    assert "README.md" in page
    assert "greeter.py" not in page


@pytest.fixture
def cups(harbour: Harbour) -> Harbour:
    """A class whose method has a body of its own."""
    file = harbour.add_file("cups.py", "class Cup:\n    pass\n", "python", "code")
    Chunk.objects.filter(file=file).update(kind="symbol")
    add_symbol(file, "Cup", chunk_ordinal=0, end_line=2, complexity=12)
    catch_up(Path(settings.LEXICAL_DIR))
    return harbour


def test_filters_of_code(bob: Client, cups: Harbour) -> None:
    for name, value, is_found in (
        ("kind", "class", True),
        ("kind", "interface", False),
        ("complexity", "12", True),
        ("complexity", "13", False),
        ("complexity", "many", True),
        ("language", "Python", True),
        ("language", "go", False),
    ):
        query = {"q": "Cup", "mode": "keyword", name: value}
        page = bob.get("/search", query).content.decode()
        assert ("current/cups.py#L1-L2" in page) == is_found, (name, value)


def test_a_hit_leads_to_its_definition(bob: Client, cups: Harbour) -> None:
    page = bob.get("/search", {"q": "Cup", "mode": "keyword"}).content.decode()
    address = f"/p/harbour/s/harbour-code/symbol/current/{stable_uuid('Cup')}/"
    assert f'class="hit-symbol" href="{address}"' in page


def test_a_rare_kind_of_file_gets_a_chip_of_its_own(
    bob: Client, indexed: Harbour
) -> None:
    page = bob.get("/search", {"q": "Cup", "kind": "config"})
    assert 'value="config" checked' in squeeze(page)


def test_a_kind_of_definition_stays_while_one_types(
    bob: Client, indexed: Harbour
) -> None:
    page = squeeze(bob.get("/search", {"q": "Cup", "kind": "interface"}))
    assert '<input type="hidden" name="kind" value="interface">' in page
    assert "kind: Interfaces" in page


def test_no_result_with_a_filter_offers_those_without(
    bob: Client, cups: Harbour
) -> None:
    query = {"q": "Cup", "mode": "keyword", "kind": "interface"}
    page = squeeze(bob.get("/search", query))
    assert "No results for “Cup” with these filters" in page
    assert "1 result without filters" in page


def test_a_constructor_function_is_found_among_classes_and_functions(
    bob: Client, harbour: Harbour
) -> None:
    file = harbour.add_file("view.js", "function View() {}\n", "javascript", "code")
    add_symbol(file, "View", kind="function", chunk_ordinal=0, end_line=1)
    Chunk.objects.filter(file=file).update(kind="symbol", symbol_kind="constructor")
    catch_up(Path(settings.LEXICAL_DIR))
    for mode in ("keyword", "hybrid"):
        for kind, is_found in (("class", True), ("function", True), ("method", False)):
            query = {"q": "View", "mode": mode, "kind": kind}
            page = bob.get("/search", query).content.decode()
            assert ("current/view.js#L1" in page) == is_found, (mode, kind)


def test_typing_swaps_the_results_only(bob: Client, indexed: Harbour) -> None:
    response = bob.get("/search", {"q": "Greeter"}, headers={"HX-Request": "true"})
    page = response.content.decode()
    assert "<form" not in page
    assert "hit-link" in page
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize(
    ("source", "text", "is_found"),
    [
        ("input#dr-q", "Gree", True),
        ("input#dr-q", "Gree ", False),
        ("form#dr-search", "Gree", False),
    ],
)
def test_the_last_word_is_unfinished_only_while_one_types(
    bob: Client, indexed: Harbour, source: str, text: str, is_found: bool
) -> None:
    headers = {"HX-Request": "true", "HX-Source": source}
    query = {"q": text, "mode": "keyword"}
    page = bob.get("/search", query, headers=headers).content.decode()
    assert ("greeter.py" in page) == is_found


def test_going_back_in_history_gets_the_whole_page(
    bob: Client, indexed: Harbour
) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    page = bob.get("/search", {"q": "Greeter"}, headers=headers).content.decode()
    assert "<html" in page


def test_nothing_found_offers_ways_on(bob: Client, indexed: Harbour) -> None:
    page = bob.get("/search", {"q": "zzz", "product": "harbour"}).content.decode()
    assert "No results for “zzz”" in page
    assert "Search without filters" in page


def test_an_absent_name_leads_to_the_nearest_and_on(
    bob: Client, indexed: Harbour
) -> None:
    page = squeeze(bob.get("/search", {"q": "greeter_absent"}))
    assert "No exact matches for “greeter_absent”" in page
    assert "hits-low" in page
    page = squeeze(bob.get("/search", {"q": "greeter_absent lang:python"}))
    assert 'href="/search?q=exact%3A%22greeter_absent%22"' in page
    page = squeeze(bob.get("/search", {"q": "Greter"}))
    assert 'href="/search?q=Greeter"' in page


def test_filters_that_hide_everything_are_counted(
    bob: Client, indexed: Harbour
) -> None:
    page = squeeze(bob.get("/search", {"q": "Greeter", "language": "ruby"}))
    assert "1 result without filters" in page


def test_the_way_without_filters_drops_those_in_the_text(
    bob: Client, indexed: Harbour
) -> None:
    page = squeeze(bob.get("/search", {"q": "Greeter path:nowhere"}))
    assert "1 result without filters" in page
    assert 'class="button" href="/search?q=Greeter"' in page
    assert "Did you mean" not in page


def test_no_question_explains_what_to_ask(bob: Client) -> None:
    assert "Search code and docs" in bob.get("/search").content.decode()


def test_a_wrong_filter_is_dropped(bob: Client, indexed: Harbour) -> None:
    page = bob.get("/search", {"q": "Greeter", "mode": "magic"}).content.decode()
    assert "greeter.py" in page


def test_a_long_question_is_asked_and_a_too_long_one_refused(
    bob: Client, indexed: Harbour
) -> None:
    text = "Greeter " * 300
    page = bob.get("/search", {"q": text, "mode": "keyword"}).content.decode()
    assert "greeter.py" in page
    page = bob.get("/search", {"q": "x" * 8001}).content.decode()
    assert "8001 characters; the limit is 8000" in page


def test_a_word_without_end_is_shown_short(bob: Client, indexed: Harbour) -> None:
    page = bob.get("/search", {"q": "x" * 3000}).content.decode()
    assert "The words of the query are too long to search for." in page
    assert f"No results for “{'x' * 119}…”" in page


def test_bm25_in_an_address_is_keyword(bob: Client, indexed: Harbour) -> None:
    page = bob.get("/search", {"q": "Greeter", "mode": "bm25"})
    assert 'name="mode" value="keyword" checked' in squeeze(page)


def test_markup_in_the_question_stays_text(bob: Client, indexed: Harbour) -> None:
    page = bob.get("/search", {"q": "<script>alert(1)</script>"}).content.decode()
    assert "<script>alert" not in page


def test_marks_of_direction_do_not_turn_a_sentence_around(
    bob: Client, indexed: Harbour
) -> None:
    page = squeeze(bob.get("/search", {"q": "\u202etnesba_reteerg"}))
    assert "No results for “tnesba_reteerg”" in page
    assert "<title>tnesba_reteerg ·" in page


def test_the_snippet_begins_near_the_match() -> None:
    assert first_match(["a", "b", "Hash it"], ["hash"]) == 2
    assert first_match(["a"], ["x"]) == 0


def test_a_text_begins_with_a_word() -> None:
    text = "strainers " * 60 + "the tea"
    shown = to_view(make_hit(file_kind="doc", text=text, matched_terms=("tea",)))
    assert shown.prose.startswith("…strainers ")


def test_the_snippet_of_a_variable_begins_at_its_definition() -> None:
    text = "\n".join(["import etag", *[""] * 20, "exports.etag = make()", *[""] * 20])
    shown = to_view(make_hit(text=text, symbol_line=22, matched_terms=("etag",)))
    assert 22 in [line.number for line in shown.lines]
    assert shown.url.endswith("#L22")
    assert shown.line_label == "22"
    assert shown.preview_url.endswith("?first=22&last=22")


def test_a_hit_of_one_line_has_one_number() -> None:
    assert to_view(make_hit(start_line=7, end_line=7)).line_label == "7"
    assert to_view(make_hit(start_line=7, end_line=9)).line_label == "7–9"


def test_generated_files_are_shown_on_request(bob: Client, indexed: Harbour) -> None:
    File.objects.filter(path="src/greeter.py").update(is_generated=True)
    query = {"q": "Greeter", "mode": "keyword", "kind": "code"}
    page = bob.get("/search", query).content.decode()
    assert "src/greeter.py" not in page
    assert "generated=on" in page
    page = bob.get("/search", {**query, "generated": "on"}).content.decode()
    assert "src/greeter.py" in page


def test_a_hit_says_that_its_file_changed(bob: Client, indexed: Harbour) -> None:
    query = {"q": "Greeter", "mode": "keyword"}
    assert ">updating</span>" not in bob.get("/search", query).content.decode()
    Chunk.objects.update(is_dirty=True)
    assert ">updating</span>" in bob.get("/search", query).content.decode()


def test_the_snippet_begins_near_a_phrase() -> None:
    lines = ["function f", "needs a callback", "callback function required"]
    assert first_match(lines, ["callback function required", "function"]) == 2


@pytest.fixture
def many_cups(harbour: Harbour) -> Harbour:
    for number in range(45):
        harbour.add_file(f"cups/{number}.md", f"Cup {number}\n", "markdown", "doc")
    catch_up(Path(settings.LEXICAL_DIR))
    return harbour


def test_more_hits_are_shown_on_request(bob: Client, many_cups: Harbour) -> None:
    asked = {"q": "cup", "mode": "keyword", "product": "harbour"}
    page = bob.get("/search", asked).content.decode()
    assert page.count('class="hit"') == 20
    assert "most=40#dr-hit-21" in page
    more = bob.get("/search", {**asked, "most": "40"}).content.decode()
    assert more.count('class="hit"') == 40
    assert 'id="dr-hit-21"' in more
    last = bob.get("/search", {**asked, "most": "50"}).content.decode()
    assert last.count('class="hit"') == 45
    assert "data-more" not in last


def test_editions_are_folded_under_the_best(bob: Client, harbour: Harbour) -> None:
    text = "# Naming\n\nNames of classes are nouns, names of methods are verbs.\n"
    for number in (8, 11, 17):
        harbour.add_file(f"java{number}.md", text, "markdown", "doc")
    catch_up(Path(settings.LEXICAL_DIR))
    page = squeeze(bob.get("/search", {"q": "nouns verbs", "mode": "keyword"}))
    assert page.count('class="hit"') == 1
    assert "2 more editions" in page
    for number in (8, 11, 17):
        assert f"/current/java{number}.md#L1-L3" in page


def test_an_unknown_filter_has_ours_beside_it(bob: Client, indexed: Harbour) -> None:
    page = squeeze(bob.get("/search", {"q": "Greeter file:greeter.py"}))
    assert "Use “path:greeter.py”." in page


def test_the_example_is_a_name_of_the_product(bob: Client, indexed: Harbour) -> None:
    page = bob.get("/search", {"product": "harbour"}).content.decode()
    assert "<dt><code>Transport" not in page
    assert "<dt><code>handle_request" not in page


def test_the_snippet_begins_near_the_whole_name() -> None:
    lines = ["default hooks", "var EnableHooks = x"]
    assert first_match(lines, ["hooks", "enablehooks", "enable"]) == 1


def test_a_mistyped_word_leads_to_that_of_the_sources(
    bob: Client, harbour: Harbour
) -> None:
    harbour.add_file("docs/規約.md", "デットロックを避ける。\n", "markdown", "doc")
    catch_up(Path(settings.LEXICAL_DIR))
    page = squeeze(bob.get("/search", {"q": "デッドロック", "product": "harbour"}))
    assert "Did you mean:" in page
    assert ">デットロック</a>" in page


def test_hits_of_parts_of_a_name_are_folded_behind_those_of_all_of_it(
    bob: Client, harbour: Harbour
) -> None:
    harbour.add_file("whole.md", "Call fill_cup first.\n", "markdown", "doc")
    for number in range(3):
        text = f"Part {number}: fill the cup.\n"
        harbour.add_file(f"part{number}.md", text, "markdown", "doc")
    catch_up(Path(settings.LEXICAL_DIR))
    page = squeeze(bob.get("/search", {"q": "fill_cup", "mode": "keyword"}))
    before, _, folded = page.partition('<details class="closest">')
    assert "1 result ·" in before
    assert "whole.md" in before
    assert "part0.md" not in before
    assert "3 more results with only parts of the name" in folded
    assert folded.count('class="hit"') == 3
    assert "Contains parts of the name: cup, fill" in folded


def test_the_line_above_the_results_has_one_number(
    bob: Client, many_cups: Harbour
) -> None:
    asked = {"q": "cup", "mode": "keyword", "product": "harbour"}
    assert "Top 20 of 45 results ·" in squeeze(bob.get("/search", asked))
    assert "45 results ·" in squeeze(bob.get("/search", {**asked, "most": "50"}))
    some = squeeze(bob.get("/search", {**asked, "q": "cup saucer"}))
    assert "none has all words" in some


def test_an_exact_name_is_marked_only_where_it_stands_alone() -> None:
    lines = ["exports.compileETag = function", *["x"] * 30, "fn = exports.etag"]
    hit = make_hit(text="\n".join(lines), matched_terms=("etag",), has_name=True)
    shown = "".join(line.html for line in to_view(hit).lines)
    assert "exports.compile" not in shown
    assert shown.count("<mark>") == 1
