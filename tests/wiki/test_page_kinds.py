"""A page kind is one record: what it declares is all that its pages need."""

from __future__ import annotations

from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.page_kind import PageKind
from devrag.wiki.planning.plan import make_plan
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.summaries import page_summary
from tests.wiki.shop import SHOP, analyse


def _write(ctx: PageContext) -> list[str]:
    return [f"# {ctx.page.title}", ctx.say("Drawn in {colours}.", colours="red")]


SCREENS: PageKind[PageContext] = PageKind(
    name="screens",
    path="screens.md",
    title="Screens",
    files=lambda analysis: [f for f in analysis.files.values() if f.stem == "README"],
    write=_write,
    summary="How it looks: {screens}.",
    summary_places=lambda ctx: {"screens": ctx.counted(2, "screen")},
    wording={
        "ja": {
            "Screens": "画面",
            "How it looks: {screens}.": "画面（{screens}）を説明します。",
            "Drawn in {colours}.": "{colours} で描かれています。",
            "{n} screen": "{n}枚の画面",
        }
    },
)
KINDS = (*PAGE_KINDS, SCREENS)


def context_in(language: str) -> PageContext:
    analysis = analyse(SHOP)
    plan = make_plan(analysis, KINDS, language)
    page = plan.page("screens.md")
    assert page is not None
    book = EvidenceBook(analysis.files, analysis.texts)
    return PageContext(analysis, plan, page, book, KINDS)


def test_a_new_kind_is_planned_and_written_by_its_record() -> None:
    ctx = context_in("en")
    assert ctx.page.kind == "screens"
    assert [ctx.analysis.files[file].path for file in ctx.page.files] == ["README.md"]
    assert SCREENS.write(ctx) == ["# Screens", "Drawn in red."]
    assert page_summary(ctx, ctx.page) == "How it looks: 2 screens."


def test_a_new_kind_brings_its_words_in_another_language() -> None:
    ctx = context_in("ja")
    assert SCREENS.write(ctx) == ["# 画面", "red で描かれています。"]
    assert page_summary(ctx, ctx.page) == "画面（2枚の画面）を説明します。"


def test_a_kind_without_files_is_not_planned() -> None:
    plan = make_plan(analyse({"a.py": "x = 1\n"}), KINDS)
    assert plan.page("screens.md") is None


def test_a_link_to_a_kind_has_its_title() -> None:
    ctx = context_in("ja")
    assert ctx.link_to("testing") == "[テスト](testing.md)"
    assert ctx.link_to("glossary") == "用語集"
