"""Kept sections are looked at again: spellings, links, records of old."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.drafts.record import Record
from devrag.wiki.evidence.blocks import MarkdownBlock
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.reuse.keys import record_of
from devrag.wiki.writing.model.facts import FactSection
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.section_plan import SectionPlan
from tests.wiki.model_pages import DESIGN, as_published, write
from tests.wiki.scripted import ScriptedModel, given_in, in_parts
from tests.wiki.shop import SHOP

KNOWN = {f"shop/{path}": "" for path in SHOP}


@pytest.fixture(scope="module")
def published() -> DraftedPage:
    return as_published(write(ScriptedModel(), design=DESIGN))


@pytest.mark.parametrize(("word", "asked"), [("TheFile", 1), ("OtherWord", 0)])
def test_a_new_word_of_a_glossary_asks_for_what_spells_it_otherwise(
    word: str, asked: int
) -> None:
    def spelling(prompt: str) -> str:
        told = {
            number: f"In {title} thefile `{found[0][1]}` holds it [[{found[0][0]}]]."
            for number, title, found in given_in(prompt)
            if found
        }
        return in_parts(told)

    first = as_published(write(ScriptedModel(faults=[spelling]), design=DESIGN))
    tree = {**SHOP, ".devrag/wiki.yaml": f"glossary:\n  {word}: A word of theirs.\n"}
    again = ScriptedModel()
    write(again, tree=tree, published=first, design=DESIGN, known=KNOWN)
    assert len(again.sections()) == asked


def showing(prompt: str) -> str:
    """Return sections of which the first shows the table of the page.

    It comes after two diagrams and is offered no more; pages of before show it.
    """
    return ScriptedModel().write(prompt).replace("\n=== 1", "\n\n[[F3]]\n=== 1")


def test_a_fact_that_a_page_shows_is_shown_as_of_now_without_a_call() -> None:
    first = as_published(write(ScriptedModel(faults=[showing]), design=DESIGN))
    assert "| One purchase of one customer" in first.markdown
    models = "shop/orders/models.py"
    more = '\n\nclass Refund(models.Model):\n    """Money that goes back."""\n'
    tree = {**SHOP, models: SHOP[models] + more}
    again = ScriptedModel()
    draft = write(again, tree=tree, published=first, design=DESIGN, known=KNOWN)
    assert again.asked == []
    assert "| Money that goes back" in draft.markdown
    assert draft.fingerprint != first.fingerprint


def test_facts_beyond_a_prompt_are_no_part_of_its_key() -> None:
    def record(last: str) -> Record:
        names = [*(f"SETTING_{n:04}" for n in range(800)), last]
        items = (
            MarkdownBlock("item", f"`{name}` is read at the start [[E1]]", "- ")
            for name in names
        )
        plan = SectionPlan("Settings", "", (FactSection("", tuple(items)),))
        context = ModelPageContext(EvidenceBook({}, None))  # type: ignore[arg-type]
        return record_of("", [plan], context, ())

    before, now = record("BEFORE"), record("NOW")
    assert before.sections[0].key == now.sections[0].key
    assert record("NOW") == now


def test_a_record_of_an_earlier_release_asks_again(published: DraftedPage) -> None:
    assert published.record is not None
    old = asdict(published.record)
    given = {"place": "shop/README.md", "content_hash": "", "digest": ""}
    old["sections"][1]["given"] = [given]
    del old["sections"][2]["outcome"]
    sections = Record.from_json({k: old[k] for k in ("key", "sections")}).sections
    assert [s.key == "" for s in sections[:3]] == [False, True, False]
    assert sections[1].given == ()
    assert sections[2].outcome.told == -1


def test_a_link_to_a_section_that_went_becomes_its_label(
    published: DraftedPage,
) -> None:
    said = published.markdown.replace("holds what", "[holds](#gone) what", 1)
    before = replace(published, markdown=said)
    draft = write(ScriptedModel(), published=before, design=DESIGN, known=KNOWN)
    assert as_published(draft).markdown == published.markdown
