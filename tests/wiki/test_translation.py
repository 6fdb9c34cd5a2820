"""A page in a second language: told again from the finished one, nothing moved."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.blocks import split_blocks
from devrag.wiki.evidence.citations import CITATION
from devrag.wiki.generation.material import ModelWriter
from devrag.wiki.generation.translation import translate_page
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.language import is_in_language
from tests.wiki.model_pages import ORDERS, as_published, gates_of, write
from tests.wiki.plans import plan_wiki
from tests.wiki.scripted import ScriptedModel, translated
from tests.wiki.shop import SHOP, analyse

Change = Callable[[str], str]
BRIEF = Brief("Shop", "ja", glossary={"文": "文書"})


@pytest.fixture(scope="module")
def told() -> DraftedPage:
    return write(ScriptedModel())


def translate(
    told: DraftedPage,
    model: ScriptedModel,
    before: DraftedPage | None = None,
    brief: Brief | None = None,
    told_before: DraftedPage | None = None,
    *,
    is_asked: bool = False,
) -> DraftedPage:
    page = plan_wiki(analyse(SHOP), "ja").page(ORDERS)
    assert page is not None
    writer = ModelWriter(model, brief or Brief("Shop", "ja"), lambda _query: ())
    return translate_page(writer, page, told, before, told_before, is_asked=is_asked)


def test_a_translation_keeps_citations_claims_and_diagrams(told: DraftedPage) -> None:
    found = translate(told, ScriptedModel())
    assert found.findings == ()
    assert is_in_language(found.markdown, "ja")
    assert CITATION.findall(found.markdown) == CITATION.findall(told.markdown)
    assert [replace(c, sentence="") for c in found.claims] == [
        replace(c, sentence="") for c in told.claims
    ]
    assert all(is_in_language(c.sentence, "ja") for c in found.claims)
    assert fences(found) == fences(told)
    assert is_in_language(found.summary, "ja")


def fences(draft: DraftedPage) -> list[str]:
    return [b.text for b in split_blocks(draft.markdown) if b.kind == "fence"]


def test_the_same_page_costs_no_call_again(told: DraftedPage) -> None:
    first = translate(told, ScriptedModel())
    again = ScriptedModel()
    second = translate(told, again, before=first)
    assert again.asked == []
    assert second.is_reused
    assert second.markdown == first.markdown


def test_only_lines_that_changed_are_translated_again(told: DraftedPage) -> None:
    first, published = (
        as_published(translate(told, ScriptedModel())),
        as_published(told),
    )
    text = published.markdown
    for number in reversed(range(1, len(told.claims) + 1)):
        text = text.replace(
            f"[{number}](cite:{number})", f"[{number + 1}](cite:{number + 1})"
        )
    moved = replace(published, markdown=text.replace("holds what", "has all that", 1))
    again = ScriptedModel()
    found = translate(moved, again, before=first, told_before=published)
    (asked,) = again.asked
    assert [line for line in asked[1].content.split("\n") if "| " in line[:5]] == [
        line for line in asked[1].content.split("\n") if "has all that" in line
    ]
    assert CITATION.findall(found.markdown) == CITATION.findall(moved.markdown)
    assert CITATION.sub("", found.markdown) == CITATION.sub("", first.markdown)


def test_a_translation_of_another_text_is_no_help(told: DraftedPage) -> None:
    first, again = translate(told, ScriptedModel()), ScriptedModel()
    other = replace(told, markdown=told.markdown.replace("holds what", "has all that"))
    translate(told, again, before=replace(first, fingerprint=""), told_before=other)
    assert len("".join(said[1].content for said in again.asked)) > len(told.markdown)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda said: said.replace("](cite:1)", "](cite:2)"), "citations, names"),
        (lambda said: said.replace("`", "´"), "citations, names"),
        (lambda _: "", "the line is missing"),
        (lambda said: said.replace("日本語の文", "English words only"), "not in Japan"),
        (lambda said: said.replace("日本語の文", "<b>日本語</b>の文"), "raw HTML"),
        (lambda said: said.replace("日本語の文", "AIとして、日本語の文"), "the prompt"),
    ],
)
def test_a_fault_is_told_and_the_line_left_as_it_was(
    change: Change, error: str, told: DraftedPage
) -> None:
    model = ScriptedModel(translation=lambda prompt: change(translated(prompt)))
    found = translate(told, model)
    assert set(gates_of(found)) == {"translation"}
    assert any(error in finding.reason for finding in found.findings)
    assert any(error in said[-1].content for said in model.asked[1:])
    assert CITATION.findall(found.markdown) == CITATION.findall(told.markdown)


def test_the_glossary_holds_in_a_translation(told: DraftedPage) -> None:
    found = translate(told, ScriptedModel(), brief=BRIEF)
    assert any("write “文書” where it says “文”" in f.reason for f in found.findings)


def test_a_fault_put_right_leaves_no_finding(told: DraftedPage) -> None:
    tries: list[str] = []

    def answer(prompt: str) -> str:
        tries.append(prompt)
        return translated(prompt) if len(tries) > 1 else ""

    assert translate(told, ScriptedModel(translation=answer)).findings == ()


@pytest.mark.parametrize("is_asked", [True, False])
def test_what_was_not_translated_is_tried_again_for_who_asks(
    is_asked: bool, told: DraftedPage
) -> None:
    def answer(prompt: str) -> str:
        return re.sub(r"(?m)^1\|.*$", "", translated(prompt))

    first = as_published(translate(told, ScriptedModel(translation=answer)))
    assert first.is_unfinished
    again = ScriptedModel()
    second = translate(told, again, first, told_before=told, is_asked=is_asked)
    assert len(again.asked) == is_asked
    assert second.is_unfinished is not is_asked
