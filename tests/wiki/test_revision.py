"""A section is brought up to date by what is news to it, not told anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from devrag.llm.chat import Completion
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.page_evidence import MARKER
from tests.wiki.model_pages import as_published, write
from tests.wiki.scripted import ScriptedModel
from tests.wiki.shop import SHOP

SERVICE = "shop/orders/service.py"
OTHER = SHOP[SERVICE].replace("Reserve the books and", "Take the books and")
LOST = "Orders are kept in `place_order` [[{}]]."


@pytest.fixture(scope="module")
def published() -> DraftedPage:
    return as_published(write(ScriptedModel()))


def revised(published: DraftedPage, model: ScriptedModel, service: str = OTHER) -> str:
    draft = write(model, tree={**SHOP, SERVICE: service}, published=published)
    return as_published(draft).markdown


def prompts_of(model: ScriptedModel) -> list[str]:
    return [said[1].content for said in model.sections()]


def said_in(markdown: str) -> list[str]:
    """Return what is said of the definitions, without the numbers of citations."""
    told = re.findall(r"As to “Public surface.*", markdown)
    return [re.sub(r"\[\d+\]\(cite:\d+\)", "", each) for each in told]


def test_a_model_reads_the_text_that_stands_and_what_is_new(
    published: DraftedPage,
) -> None:
    model = ScriptedModel()
    page = revised(published, model)
    (prompt,) = [said[1].content for said in model.revisions()]
    assert "Take the books and" in prompt
    assert "As to “Public surface”" in prompt
    for line in ("One purchase of one customer", "class Line"):  # given, not new
        assert line in SHOP["shop/orders/models.py"]
        assert line not in prompt
    (whole,) = [
        said for said in _all_prompts() if "section to write\nPublic surf" in said
    ]
    assert estimate_tokens(prompt) < estimate_tokens(whole)
    stays = [each for each in said_in(published.markdown) if SERVICE not in each]
    assert stays
    assert said_in(page)[: len(stays)] == stays


def _all_prompts() -> list[str]:
    model = ScriptedModel()
    write(model)
    return prompts_of(model)


def test_a_sentence_that_lost_its_evidence_is_shown_without(
    published: DraftedPage,
) -> None:
    def cites_the_docstring(prompt: str) -> str:
        found = re.findall(r"<<DATA-\w+ (E\d+) [^\n]*\n([^<]*)", prompt)
        keys = [key for key, text in found if "Reserve the books" in text]
        return LOST.format(keys[0]) if keys else ScriptedModel().write(prompt)

    first = as_published(write(ScriptedModel(faults=[cites_the_docstring])))
    assert "`place_order`" in first.markdown
    model = ScriptedModel()
    page = revised(first, model)
    prompt = model.revisions()[0][1].content
    assert "Orders are kept in `place_order`." in prompt
    assert "`place_order`." not in page


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
    page = revised(published, model)
    assert model.revisions()
    assert prompts_of(model)[-1].startswith("Write the body")
    assert said_in(page) == said_in(published.markdown)


def test_much_that_is_new_is_told_anew(published: DraftedPage) -> None:
    model = ScriptedModel()
    revised(published, model, SHOP[SERVICE].replace("order", "purchase"))
    anew = [p for p in prompts_of(model) if p.startswith("Write the body")]
    assert any("Public surface" in prompt for prompt in anew)


def test_a_note_is_read_with_all_that_is_there(published: DraftedPage) -> None:
    """What all sections are told changed, not only what one was given."""
    model = ScriptedModel()
    write(model, published=published, notes=["Mind the stock."])
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
    service = f"\n\n\n{OTHER}"
    draft = write(ScriptedModel(), tree={**SHOP, SERVICE: service}, published=published)
    lines = service.split("\n")
    cited = [claim for claim in draft.claims if claim.path == SERVICE]
    assert cited
    assert not MARKER.search(draft.markdown)
    for claim in cited:
        assert "\n".join(lines[claim.start_line - 1 : claim.end_line]) == claim.excerpt
