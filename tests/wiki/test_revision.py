"""A section is brought up to date by what is news to it, not told anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from devrag.llm.chat import Completion
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.outline.types import PageDesign, SectionDesign
from tests.wiki.model_pages import as_published, write
from tests.wiki.scripted import ScriptedModel, in_parts, numbers_in
from tests.wiki.shop import SHOP

COUNTING = "shop/stock/counting.py"
MORE = "".join(
    f'def {name}(books):\n    """Say how {name} takes books from a shelf."""\n'
    f"    return [book.{name} for book in books]\n\n\n"
    for name in ("count_twice", "note_loss", "give_back")
)
TREE = {**SHOP, COUNTING: SHOP[COUNTING].replace("def check", f"{MORE}def check")}
PAGE = "features/stock.md"
OTHER = TREE[COUNTING].replace("Take books out", "Move books out")
DESIGN = PageDesign(
    "How are books counted?",
    (
        SectionDesign(
            "Taking books",
            "How do reserve, check, count_twice, note_loss and give_back take books?",
        ),
    ),
)


def page(model: ScriptedModel, **options: Any) -> DraftedPage:
    known = {f"shop/{path}": "" for path in SHOP}
    options = {"tree": TREE, **options}
    return write(model, PAGE, design=DESIGN, known=known, **options)


@pytest.fixture(scope="module")
def published() -> DraftedPage:
    return as_published(page(ScriptedModel()))


def revised(published: DraftedPage, model: ScriptedModel, text: str = OTHER) -> str:
    draft = page(model, tree={**TREE, COUNTING: text}, published=published)
    return as_published(draft).markdown


def prompts_of(model: ScriptedModel) -> list[str]:
    return [said[1].content for said in model.sections()]


def said_in(markdown: str) -> list[str]:
    """Return what is said of the section, without the numbers of citations."""
    told = re.findall(r"As to “Taking books.*", markdown)
    return [re.sub(r"\[\d+\]\(cite:\d+\)", "", each) for each in told]


def test_a_model_reads_the_text_that_stands_and_what_is_new(
    published: DraftedPage,
) -> None:
    model = ScriptedModel()
    text = revised(published, model)
    (prompt,) = prompts_of(model)
    assert model.revisions()
    assert "Move books out" in prompt
    assert "As to “Taking books”" in prompt
    assert "Return whether all books are there" not in prompt  # given, not new
    whole = ScriptedModel()
    page(whole)
    assert estimate_tokens(prompt) < estimate_tokens(prompts_of(whole)[0])
    assert said_in(text)


def test_a_sentence_that_lost_its_evidence_is_shown_without(
    published: DraftedPage,
) -> None:
    def cites_the_docstring(prompt: str) -> str:
        (key,) = re.findall(r"(E\d+) code [^\n]* reserve\n", prompt)
        told = {
            n: f"They go out of the stock, or none of them {n} [[{key}]]."
            for n in numbers_in(prompt)
        }
        return in_parts(told)

    first = as_published(page(ScriptedModel(faults=[cites_the_docstring])))
    assert "or none of them" in first.markdown
    model = ScriptedModel()
    revised(first, model)
    shown = [said[1].content for said in model.revisions()]
    assert any(
        "They go out of the stock, or none of them 1." in prompt for prompt in shown
    )


@pytest.mark.parametrize(
    "answer",
    [
        lambda _prompt: "{}",
        lambda _prompt: "What it is for stands in [[E99]].",
        lambda _prompt: Completion("", 10, 0, "refusal"),
    ],
    ids=["no text", "no evidence", "a refusal"],
)
def test_what_cannot_be_brought_up_to_date_is_told_anew(
    answer: Callable[[str], Completion | str], published: DraftedPage
) -> None:
    def fault(prompt: str) -> Completion | str:
        is_revision = prompt.startswith("Bring one section")
        return answer(prompt) if is_revision else ScriptedModel().write(prompt)

    model = ScriptedModel(faults=[fault])
    text = revised(published, model)
    assert model.revisions()
    assert prompts_of(model)[-1].startswith("Write these sections")
    assert said_in(text) == said_in(published.markdown)


def test_much_that_is_new_is_told_anew(published: DraftedPage) -> None:
    model = ScriptedModel()
    revised(published, model, TREE[COUNTING].replace("books", "volumes"))
    anew = [p for p in prompts_of(model) if p.startswith("Write these sections")]
    assert any("Taking books" in prompt for prompt in anew)


def test_a_note_is_read_with_all_that_is_there(published: DraftedPage) -> None:
    """What all sections are told changed, not only what one was given."""
    model = ScriptedModel()
    page(model, published=published, notes=["Mind the stock."])
    assert model.sections()
    assert model.revisions() == []


def test_a_record_of_an_earlier_release_is_told_anew(published: DraftedPage) -> None:
    assert published.record is not None
    sections = (replace(s, around="", parts=()) for s in published.record.sections)
    record = replace(published.record, sections=tuple(sections))
    model = ScriptedModel()
    revised(replace(published, record=record), model)
    assert model.sections()
    assert model.revisions() == []


def test_ids_of_a_text_that_stands_lead_to_the_lines_of_now(
    published: DraftedPage,
) -> None:
    text = f"\n\n\n{OTHER}"
    tree = {**TREE, COUNTING: text}
    draft = page(ScriptedModel(), tree=tree, published=published)
    lines = text.split("\n")
    cited = [claim for claim in draft.claims if claim.path == COUNTING]
    assert cited
    assert not MARKER.search(draft.markdown)
    for claim in cited:
        assert "\n".join(lines[claim.start_line - 1 : claim.end_line]) == claim.excerpt
