"""Answers of Ask as pages: kept over runs, stale when their evidence changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devrag.ask.models import Citation, Conversation, Turn
from devrag.core.errors import Conflict, InvalidInput, NotFound, PermissionDenied
from devrag.core.markdown import render_markdown
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.search.models import WikiSection
from devrag.sources.models import File, RefFile
from devrag.use_cases.api import (
    delete_answer,
    rename_answer,
    roll_back,
    save_answer,
)
from devrag.wiki.api import (
    archive_of,
    diff_versions,
    exported_files,
    find_version,
    is_up_to_date,
    states_of_page,
)
from devrag.wiki.models import Claim, Page, SavedAnswer, Version, Wiki
from tests.people import People, principal
from tests.wiki.gitshop import GitShop
from tests.wiki.shop import SHOP

QUESTION = "What does place_order keep on failure?"
SERVICE, COUNTING = "shop/orders/service.py", "shop/stock/counting.py"
ANSWER = (
    "`place_order` reserves the books first [1](cite:1). Nothing is kept on "
    "failure [1](cite:1).\n\n- `check` tells whether all books are there "
    "[2](cite:2).\n"
)


def answered(
    product: Product | None,
    *,
    question: str = QUESTION,
    markdown: str = ANSWER,
    **fields: Any,
) -> Turn:
    """Keep a finished answer that cites lines of the indexed shop."""
    shop = Product.objects.get(name="shop")
    conversation = Conversation.objects.create(title=question[:200], product=product)
    told = {"mode": "quick", "state": "done", "outcome": "answered", "model": "m-1"}
    turn = Turn.objects.create(
        conversation=conversation,
        ordinal=1,
        question=question,
        markdown=markdown,
        **{**told, **fields},
    )
    for number, (path, first, last) in enumerate(
        [(SERVICE, 7, 10), (COUNTING, 9, 11)], start=1
    ):
        file = RefFile.objects.get(file__path=path, until=None).file
        Citation.objects.create(
            turn=turn,
            ordinal=number,
            number=number,
            product=shop,
            source_name=file.source.name,
            path=path,
            start_line=first,
            end_line=last,
            version_identifier="a" * 40,
            content_hash=file.content_hash,
            kind="definition",
            excerpt="\n".join(file.text.split("\n")[first - 1 : last]),
        )
    return turn


def save(turn: Turn, title: str | None = None) -> Page:
    return save_answer(principal=SYSTEM, turn=turn, title=title).page


def current(product: Product) -> Version:
    wiki = Wiki.objects.get(product=product)
    assert wiki.current is not None
    return wiki.current


def notes(product: Product) -> list[Page]:
    return list(current(product).pages.filter(kind="note"))


def states(product: Product) -> dict[int, tuple[str, str]]:
    """Return state and reason of each claim of the only note."""
    (page,) = notes(product)
    found = states_of_page(page, product.pk)
    return {each.ordinal: (str(each.state), each.reason) for each in found}


def test_an_answer_becomes_a_page_with_its_claims(git_shop: GitShop) -> None:
    page = save(answered(git_shop.product))
    assert (page.kind, page.title) == ("note", QUESTION)
    assert page.summary == "`place_order` reserves the books first."
    assert page.path == "notes/what-does-place-order-keep-on-failure.md"
    assert page.markdown.startswith("# What does place\\_order keep on failure?\n\n")
    assert ANSWER.strip() in page.markdown
    first, second = page.claims.all()
    assert first.sentence == "`place_order` reserves the books first."
    assert second.sentence == "`check` tells whether all books are there."
    file = File.objects.get(path=SERVICE)
    assert (first.path, first.content_hash) == (SERVICE, file.content_hash)
    assert first.excerpt.startswith("def place_order(books):")
    assert set(states(git_shop.product).values()) == {("fresh", "")}
    saved = SavedAnswer.objects.get()
    assert (saved.page, saved.question, saved.model) == (page, QUESTION, "m-1")


def test_search_and_exports_have_the_page(git_shop: GitShop, settings: Any) -> None:
    page = save(answered(git_shop.product))
    assert WikiSection.objects.filter(page_path=page.path).exists()
    folder = Path(settings.WIKI_OUTPUT_DIR) / git_shop.product.name
    assert "[^1]: " in (folder / page.path).read_text()
    listed = exported_files(git_shop.product)["llms.txt"].partition("## Notes\n")[2]
    assert f"- [What does place\\_order keep on failure?]({page.path}): " in listed
    assert archive_of(current(git_shop.product), "html")


def test_a_run_after_a_commit_keeps_the_page_and_tells_what_changed(
    git_shop: GitShop,
) -> None:
    page = save(answered(git_shop.product))
    text = SHOP[SERVICE].replace("    return Order()", "    return Order(books)")
    report = git_shop.write({SERVICE: text})
    assert report["isNew"]
    assert page.path not in str(report)
    assert notes(git_shop.product) == [page]
    assert page.claims.count() == 2
    assert states(git_shop.product) == {
        1: ("stale", "the cited lines changed"),
        2: ("fresh", ""),
    }
    assert WikiSection.objects.filter(page_path=page.path).exists()


@pytest.mark.slow
def test_a_page_whose_evidence_is_gone_says_so(git_shop: GitShop) -> None:
    page = save(answered(git_shop.product))
    git_shop.write({SERVICE: None, COUNTING: None})
    assert notes(git_shop.product) == [page]
    assert set(states(git_shop.product).values()) == {("stale", "deleted or renamed")}


@pytest.mark.slow
def test_lines_that_moved_are_found_again(git_shop: GitShop) -> None:
    save(answered(git_shop.product))
    git_shop.write({SERVICE: "# A remark.\n\n" + str(SHOP[SERVICE])})
    assert states(git_shop.product)[1] == ("moved", "")


@pytest.mark.slow
def test_a_run_without_news_publishes_nothing_because_of_a_page(
    git_shop: GitShop,
) -> None:
    before = current(git_shop.product)
    save(answered(git_shop.product))
    assert is_up_to_date(git_shop.product)
    report = git_shop.write()
    assert (report["isNew"], current(git_shop.product)) == (False, before)
    assert report["pages"] == before.pages.count() - 1


@pytest.mark.slow
def test_the_page_stays_when_a_wiki_is_rolled_back(git_shop: GitShop) -> None:
    page = save(answered(git_shop.product))
    git_shop.write({"docs/guide.md": "# Guide\n\nThis guide walks elsewhere now.\n"})
    product = git_shop.product
    pages = {d.path for d in diff_versions(*map(find_version, [product] * 2, [1, 2]))}
    assert page.path not in pages
    roll_back(principal=SYSTEM, product=product, number=1)
    assert notes(product) == [page]
    assert current(product).number == 1


def test_the_same_answer_gives_the_same_page(git_shop: GitShop) -> None:
    turn = answered(git_shop.product)
    first = save_answer(principal=SYSTEM, turn=turn)
    again = save_answer(principal=SYSTEM, turn=turn, title="Another")
    assert (first.is_new, again.is_new) == (True, False)
    assert again.page == first.page
    assert Page.objects.filter(kind="note").count() == 1
    assert Claim.objects.filter(page=first.page).count() == 2


def test_equal_titles_have_addresses_of_their_own(git_shop: GitShop) -> None:
    first, second = (save(answered(git_shop.product)) for _ in range(2))
    assert second.path == first.path.replace(".md", "-2.md")
    japanese = save(answered(git_shop.product), "注文はどこで保存される？")
    assert japanese.path == "notes/note.md"


def test_a_page_is_renamed_and_deleted(git_shop: GitShop, settings: Any) -> None:
    page = save(answered(git_shop.product))
    given: Any = {"principal": SYSTEM, "product": git_shop.product, "page_id": page.pk}
    renamed = rename_answer(**given, title="  Failure\x00 of *orders*  ")
    assert renamed.title == "Failure\ufffd of *orders*"
    assert renamed.path == page.path
    assert renamed.markdown.startswith(
        "# Failure\ufffd of \\*orders\\*\n\n`place_order"
    )
    assert WikiSection.objects.filter(page_title=renamed.title).exists()
    for title in ("", " \n", "x" * 201):
        with pytest.raises(InvalidInput):
            rename_answer(**given, title=title)
    delete_answer(**given)
    assert not Page.objects.filter(kind="note").exists()
    assert not WikiSection.objects.filter(page_path=page.path).exists()
    folder = Path(settings.WIKI_OUTPUT_DIR) / git_shop.product.name
    assert not (folder / page.path).exists()
    with pytest.raises(NotFound):
        delete_answer(**given)


def test_no_page_of_a_run_is_renamed_or_deleted(git_shop: GitShop) -> None:
    page = current(git_shop.product).pages.get(path="index.md")
    given: Any = {"principal": SYSTEM, "product": git_shop.product, "page_id": page.pk}
    with pytest.raises(NotFound):
        rename_answer(**given, title="Mine")
    with pytest.raises(NotFound):
        delete_answer(**given)


def test_an_answer_without_a_model_says_what_it_is(git_shop: GitShop) -> None:
    page = save(answered(git_shop.product, model=""))
    assert "*No language model wrote this: it lists the passages" in page.markdown
    diagram = "sequenceDiagram\n  A->>B: place_order"
    traced = answered(git_shop.product, model="", mode="trace", diagram=diagram)
    text = save(traced, "How").markdown
    assert "the calls are read from the code.*" in text
    assert f"> **Question:** {QUESTION.replace('_', chr(92) + '_')}" in text
    assert f"```mermaid\n{diagram}\n```" in text


@pytest.mark.slow
def test_a_japanese_answer_stands_in_the_japanese_wiki(git_shop: GitShop) -> None:
    product = git_shop.product
    product.wiki_settings = {**product.wiki_settings, "language": "en, ja"}
    product.save()
    git_shop.write()
    said = "`place_order` は失敗すると何も残しません [1](cite:1)。\n"
    page = save(answered(git_shop.product, markdown=said), "失敗")
    assert page.version.wiki.language == "ja"
    assert save(answered(git_shop.product)).version.wiki.language == "en"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"outcome": "not_found"}, "Only a finished answer"),
        ({"state": "stopped"}, "Only a finished answer"),
        ({"state": "failed", "outcome": ""}, "Only a finished answer"),
        ({"markdown": "Nothing [9](cite:9)."}, "sources that some readers"),
    ],
)
def test_what_cannot_be_a_page_is_refused_with_the_reason(
    git_shop: GitShop, fields: Any, reason: str
) -> None:
    with pytest.raises(Conflict, match=reason):
        save(answered(git_shop.product, **fields))
    assert not Page.objects.filter(kind="note").exists()


def test_an_answer_from_several_products_is_refused(git_shop: GitShop) -> None:
    with pytest.raises(Conflict, match="several products"):
        save(answered(None))
    turn = answered(git_shop.product)
    other = Product.objects.create(name="secret", visibility="members")
    turn.citations.filter(number=2).update(product=other)
    with pytest.raises(Conflict, match="some readers of the wiki cannot see"):
        save(turn)


def test_a_product_without_a_wiki_names_the_way_out(git_shop: GitShop) -> None:
    turn = answered(git_shop.product)
    Wiki.objects.all().delete()
    with pytest.raises(Conflict, match="Generate the wiki first"):
        save(turn)


def test_who_may_not_edit_the_wiki_saves_nothing(
    git_shop: GitShop, people: People
) -> None:
    shop = Product.objects.get(name="shop")
    page, turn = save(answered(shop)), answered(shop)
    for user in (people.bob, people.charlie):
        given: Any = {"principal": principal(user), "product": shop}
        with pytest.raises(PermissionDenied):
            save_answer(principal=principal(user), turn=turn)
        with pytest.raises(PermissionDenied):
            rename_answer(**given, page_id=page.pk, title="Mine")
        with pytest.raises(PermissionDenied):
            delete_answer(**given, page_id=page.pk)
    with pytest.raises(NotFound):  # a maintainer of another product
        delete_answer(
            principal=principal(people.alice),
            product=people.teahouse,
            page_id=page.pk,
        )


HOSTILE = (
    "Fine [1](cite:1). <script>alert(1)</script> "
    "![x](https://evil.example/x.png) [click](javascript:alert(1)) "
    "[two](https://evil.example)\n\n"
    "# Ignore what stands above\n\n[x]: https://evil.example\n\n"
    "```\n<b>code</b>\n```\n\nMore [2](cite:2).\n"
)


def test_markup_of_question_and_answer_is_inert(git_shop: GitShop) -> None:
    question = (
        "# <img src=x onerror=alert(1)> [1](cite:1) ![a](https://evil.example)\n"
        "```mermaid\ngraph LR\n```\n[go](javascript:alert(1))"
    )
    turn = answered(git_shop.product, question=question, markdown=HOSTILE)
    page = save(turn)
    kept = save(answered(git_shop.product, question=question), "Title")
    for each in (page, kept):
        rendered = render_markdown(each.markdown)
        html = rendered.html.lower()
        for bad in ("<script", "<img", 'javascript:"', 'href="http', '<pre class="m'):
            assert bad not in html
        assert not rendered.has_mermaid
        assert [t.level for t in rendered.toc].count(1) == 1
    assert "<b>code</b>" in page.markdown
    assert "\\<script>" in page.markdown
