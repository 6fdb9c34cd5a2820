"""Kept sections are looked at again: sizes, spellings, links, records of old."""

from __future__ import annotations

import re
from dataclasses import asdict, replace

import pytest

from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.drafts.record import Record
from devrag.wiki.evidence.blocks import MarkdownBlock, split_blocks
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.reuse.keys import record_of
from devrag.wiki.writing.model.outline import SectionPlan
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.sections import FactSection
from tests.wiki.model_pages import as_published, write
from tests.wiki.scripted import ScriptedModel
from tests.wiki.shop import SHOP

SERVICE = "shop/orders/service.py"


@pytest.fixture(scope="module")
def published() -> DraftedPage:
    return as_published(write(ScriptedModel()))


def stating_size(prompt: str) -> str:
    """Return a section that states the first count of lines it was given."""
    said = re.search(r"[\d,]+ lines", prompt)
    words = f"there are {said[0]} of it" if said else "there is this"
    key = re.findall(r"<<DATA-\w+ (E\d+) ", prompt)[0]
    return f"As to part{len(prompt)}, {words} [[{key}]]."


@pytest.mark.parametrize(
    ("more", "asked"), [(1, 0), (400, 1)], ids=["a little", "many times"]
)
def test_a_size_that_a_section_states_is_kept_true(more: int, asked: int) -> None:
    """Lines that hold no words change no evidence."""
    first = as_published(write(ScriptedModel(faults=[stating_size]), "architecture.md"))
    assert " lines of it" in first.markdown
    tree = {**SHOP, SERVICE: SHOP[SERVICE] + "\n" * more}
    again = ScriptedModel(faults=[stating_size])
    draft = write(again, "architecture.md", tree=tree, published=first)
    assert len(again.sections()) == asked
    assert draft.fingerprint == first.fingerprint


def test_a_size_that_no_section_states_asks_for_nothing() -> None:
    first = as_published(write(ScriptedModel(), "architecture.md"))
    again = ScriptedModel()
    tree = {**SHOP, SERVICE: SHOP[SERVICE] + "\n" * 400}
    write(again, "architecture.md", tree=tree, published=first)
    assert again.asked == []


@pytest.mark.parametrize(("word", "asked"), [("TheFile", 6), ("OtherWord", 0)])
def test_a_new_word_of_a_glossary_asks_for_what_spells_it_otherwise(
    word: str, asked: int
) -> None:
    form = "In part{} thefile `{}` holds what is told here [[{}]]."

    def spelling(prompt: str) -> str:
        (key, path), *_ = re.findall(
            r"<<DATA-\w+ (E\d+) \w* [^/\n]+/([^\n]+)\n", prompt
        )
        return form.format(len(prompt), path, key)

    first = as_published(write(ScriptedModel(faults=[spelling])))
    tree = {**SHOP, ".devrag/wiki.yaml": f"glossary:\n  {word}: A word of theirs.\n"}
    again = ScriptedModel()
    write(again, tree=tree, published=first)
    assert len(again.sections()) == asked


def test_a_page_shows_what_its_prompts_had_no_room_for(published: DraftedPage) -> None:
    """Facts follow what the model told: a new one costs no call."""
    assert published.record is not None
    table = next(b for b in split_blocks(published.markdown) if b.kind == "table")
    sections = (replace(s, rest="other") for s in published.record.sections)
    record = replace(published.record, sections=tuple(sections))
    shown = published.markdown.replace(f"{table.text}\n", "")
    assert shown != published.markdown
    again = ScriptedModel()
    draft = write(again, published=replace(published, record=record, markdown=shown))
    assert again.asked == []
    assert as_published(draft).markdown == published.markdown


def test_facts_beyond_a_prompt_are_no_part_of_its_key() -> None:
    def record(last: str) -> Record:
        names = [*(f"SETTING_{n:04}" for n in range(800)), last]
        items = (
            MarkdownBlock("item", f"`{name}` is read at the start", "- ")
            for name in names
        )
        plan = SectionPlan("Settings", "", (FactSection("S1", "", tuple(items)),))
        page_context = ModelPageContext(EvidenceBook({}, None))  # type: ignore[arg-type]
        return record_of("", [plan], page_context, ())

    before, now = record("BEFORE"), record("NOW")
    assert before.sections[0].key == now.sections[0].key
    assert before.digest != now.digest
    assert record("NOW") == now


def test_a_record_of_an_earlier_release_asks_again(published: DraftedPage) -> None:
    assert published.record is not None
    old = asdict(published.record)
    given = {"place": "shop/README.md", "content_hash": "", "digest": ""}
    old["sections"][1]["given"] = [given]
    for field in ("sizes", "rest", "told"):
        del old["sections"][2][field]
    sections = Record.from_json({k: old[k] for k in ("key", "sections")}).sections
    assert [s.key == "" for s in sections[:3]] == [False, True, False]
    assert sections[1].given == ()
    assert sections[2].told == -1


def test_a_link_to_a_section_that_went_becomes_its_label(
    published: DraftedPage,
) -> None:
    said = published.markdown.replace("holds what", "[holds](#gone) what", 1)
    draft = write(ScriptedModel(), published=replace(published, markdown=said))
    assert as_published(draft).markdown == published.markdown
