"""A page that readers see is written again section by section, where it must be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

import pytest

from devrag.core.hashing import sha256_hex
from devrag.search.types import Hit
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.reuse.pages import as_kept
from devrag.wiki.reuse.report import changes_of
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.children import ChildPage
from tests.wiki.model_pages import DESIGN, ORDERS, always, as_published, write
from tests.wiki.scripted import ScriptedModel, given_in
from tests.wiki.shop import COMMIT, SHOP

SERVICE = "shop/orders/service.py"
DOCSTRING = "Reserve the books and"
OTHER = SHOP[SERVICE].replace(DOCSTRING, "Take the books and")


@pytest.fixture(scope="module")
def published() -> DraftedPage:
    return as_published(write(ScriptedModel(), design=DESIGN))


def sections_of(markdown: str) -> dict[str, str]:
    pieces = re.split(r"^## (.*)$", markdown, flags=re.MULTILINE)
    return dict(zip(["", *pieces[1::2]], pieces[::2], strict=True))


def asked_for(model: ScriptedModel) -> list[str]:
    """Return the titles of the sections that were asked for."""
    found = []
    for said in model.sections():
        prompt = said[1].content
        found += [title for _, title, _ in given_in(prompt)]
        found += re.findall(r"section to revise\n(.*)\n", prompt)
    return found


def again(model: ScriptedModel, published: DraftedPage, **options: Any) -> DraftedPage:
    """Write the page of the design again; by default no file is new."""
    known = {f"shop/{path}": "" for path in SHOP}
    options = {"known": known, **options}
    return write(model, published=published, design=DESIGN, **options)


def test_a_docstring_asks_for_the_section_that_tells_of_it(
    published: DraftedPage,
) -> None:
    model = ScriptedModel()
    draft = again(model, published, tree={**SHOP, SERVICE: OTHER})
    rewritten = asked_for(model)
    assert rewritten == ["Placing an order"]
    assert len(model.asked) == 1
    assert (draft.sections_asked, draft.sections_kept) == (1, 2)
    before, now = (
        sections_of(as_published(page).markdown) for page in (published, draft)
    )
    number = re.compile(r"\[\d+\]\(cite:\d+\)")
    for title, body in before.items():
        if title not in rewritten:
            assert number.sub("", now[title]) == number.sub("", body)
    assert draft.summary == published.summary
    assert draft.fingerprint != published.fingerprint


def test_kept_sections_cite_the_present_lines(published: DraftedPage) -> None:
    tree = {**SHOP, SERVICE: f"\n\n\n{OTHER}"}
    draft = again(ScriptedModel(), published, tree=tree)
    lines = tree[SERVICE].split("\n")
    cited = [claim for claim in draft.claims if claim.path == SERVICE]
    assert cited
    for claim in cited:
        there = "\n".join(lines[claim.start_line - 1 : claim.end_line])
        assert there == claim.excerpt


def test_nothing_new_asks_for_nothing(published: DraftedPage) -> None:
    model = ScriptedModel()
    draft = again(model, published)
    assert model.asked == []
    assert as_published(draft).markdown == published.markdown
    assert draft.fingerprint == published.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        {"notes": ["Mind the tax."]},
        {"brief": Brief("Shop", notes="Be short.")},
        {"model": ScriptedModel(model="two")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_all_sections_are_asked_for_when_what_they_share_changes(
    change: dict[str, Any], published: DraftedPage
) -> None:
    model = change.pop("model", ScriptedModel())
    draft = again(model, published, **change)
    assert (draft.sections_asked, draft.sections_kept) == (3, 0)
    assert len(model.asked) == 1


def test_other_sections_are_all_written(published: DraftedPage) -> None:
    design = replace(DESIGN, sections=DESIGN.sections[:1])
    model = ScriptedModel()
    draft = write(model, published=published, design=design)
    assert (draft.sections_asked, draft.sections_kept) == (2, 0)


def test_a_section_that_names_what_is_gone_is_asked_for(published: DraftedPage) -> None:
    said = published.markdown.replace("holds what is told", "`gone_now()` holds it", 1)
    model = ScriptedModel()
    again(model, replace(published, markdown=said))
    assert asked_for(model) == ["Introduction: what this is and what it is for"]


def test_a_link_to_a_page_that_went_becomes_its_label(published: DraftedPage) -> None:
    said = published.markdown.replace("holds what", "[holds](gone.md) what", 1)
    draft = again(ScriptedModel(), replace(published, markdown=said))
    assert "gone.md" not in draft.markdown
    assert as_published(draft).markdown == published.markdown


Params = dict[str, bool]


@pytest.mark.parametrize(
    ("params", "asked"), [({}, 0), ({"isAsked": True}, 3), ({"isForced": True}, 3)]
)
def test_sections_that_the_model_failed_on_are_asked_for_on_demand(
    params: Params, asked: int
) -> None:
    failed = as_published(write(always(lambda _: "{}"), design=DESIGN))
    kept = as_kept(params, failed)
    known = {f"shop/{path}": "" for path in SHOP}
    draft = write(ScriptedModel(), published=kept, design=DESIGN, known=known)
    assert draft.sections_asked == asked
    assert draft.is_unfinished is (asked == 0)


def test_a_page_above_is_asked_for_once_its_pages_begin_otherwise(
    published: DraftedPage,
) -> None:
    def asked(said: Callable[[str], str]) -> list[str]:
        child = ChildPage("orders", "Takes orders.", said(markdown), published.claims)
        model = ScriptedModel()
        write(model, "index.md", children={ORDERS: child}, published=above)
        return asked_for(model)

    markdown = published.markdown
    child = ChildPage("orders", "Takes orders.", markdown, published.claims)
    above = as_published(write(ScriptedModel(), "index.md", children={ORDERS: child}))
    assert asked(lambda text: text + "\nMore is told at the end.\n") == []
    lead = "Introduction: what this is and what it is for"
    assert asked(lambda text: text.replace("As to", "As regards", 1)) == [lead]


def test_the_report_counts_the_sections(published: DraftedPage) -> None:
    draft = replace(published, why="of a file", sections_asked=1, sections_kept=4)
    why = changes_of({ORDERS: published.inputs}, [draft])["why"][ORDERS]
    assert why == ["of a file", "1 section of 5 rewritten"]


def hit(path: str) -> Hit:
    """The first line of a file, as search finds it."""
    return Hit(
        **{
            **dict.fromkeys((each.name for each in fields(Hit)), ""),
            "source_name": "shop",
            "path": path,
            "start_line": 1,
            "end_line": 1,
            "version_identifier": COMMIT,
        }
    )


def given(draft: DraftedPage) -> list[str]:
    """Return the files that sections were given lines of."""
    assert draft.record is not None
    return [g.place for section in draft.record.sections for g in section.given]


@pytest.mark.parametrize(
    ("known", "is_given"),
    [(SHOP, False), ({**SHOP, "Makefile": "all:"}, False), ({}, True)],
    ids=["old files", "one that changed elsewhere", "new files"],
)
def test_what_search_finds_otherwise_asks_for_nothing_unless_it_is_new(
    known: Mapping[str, str], is_given: bool
) -> None:
    files = {f"shop/{path}": sha256_hex(text) for path, text in known.items()}
    first = write(ScriptedModel(), design=DESIGN, find=lambda _: [hit("README.md")])
    model = ScriptedModel()
    cli = "shop/cli.py"
    draft = again(model, as_published(first), find=lambda _: [hit(cli)], known=files)
    assert bool(asked_for(model)) is is_given
    assert (f"shop/{cli}" in given(draft)) is is_given
    assert "shop/README.md" in given(draft)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("\n\n" + SHOP["README.md"].replace("sells books", "sells   books"), 0),
        (SHOP["README.md"].replace("takes orders", "receives orders"), 1),
    ],
    ids=["blanks", "words"],
)
def test_what_search_found_stays_where_its_words_stand(text: str, asked: int) -> None:
    def find(_query: object) -> list[Hit]:
        return [hit("README.md")]

    first = as_published(write(ScriptedModel(), design=DESIGN, find=find))
    assert "shop/README.md" in given(first)
    model = ScriptedModel()
    known = {f"shop/{path}": "" for path in SHOP}
    again(model, first, tree={**SHOP, "README.md": text}, known=known)
    assert bool(asked_for(model)) is bool(asked)


def test_a_definition_that_changed_is_given_again_by_its_name(
    published: DraftedPage,
) -> None:
    draft = again(ScriptedModel(), published, tree={**SHOP, SERVICE: OTHER})
    assert draft.record is not None
    named = {g.name: g.size for s in draft.record.sections for g in s.given}
    assert named["place_order"] == 4


def test_what_a_source_keeps_out_of_its_wiki_is_no_evidence() -> None:
    steering = {**SHOP, ".devrag/wiki.yaml": "exclude: [shop/cli.py]\n"}
    both = [hit("shop/cli.py"), hit("README.md")]
    draft = write(ScriptedModel(), tree=steering, design=DESIGN, find=lambda _: both)
    assert "shop/README.md" in given(draft)
    assert "shop/shop/cli.py" not in given(draft)
