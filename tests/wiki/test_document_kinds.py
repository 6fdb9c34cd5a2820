"""The wiki of documents alone: front page, topics, open questions, timeline."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.conf import settings

from devrag.sources.documents import DocumentFacts, write_document
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.checking.mermaid import shared_parser
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.generation.page import compose_page
from devrag.wiki.wording.japanese.quotations import NOTE
from tests.wiki import model_pages
from tests.wiki.plans import plan_wiki
from tests.wiki.scripted import ScriptedModel
from tests.wiki.shop import survey_of
from tests.wiki.written import write

NOTES = {
    "README.md": "# House notes\n\n"
    "What our family knows about its house and garden.\n\n"
    "Follow us on Twitter for more of our notes.\n",
    "garden/README.md": "# Garden\n\n"
    "The garden feeds the family from May to October.\n",
    "garden/roses.md": "---\ndate: 2024-03-02\ntags: [plants]\n---\n\n# Roses\n\n"
    "Roses are plants that want to be cut every spring.\n",
    "garden/beans.md": "# Beans\n\nDate: 2025-05-01\n\n"
    "Beans are the vegetables that climb up. See [roses](roses.md).\n",
    "garden/soil.md": "# Soil\n\n"
    "See [roses](roses.md) first. TBD: who brings new soil.\n",
    "kitchen/oven.md": "# Oven\n\n"
    "The oven warms the kitchen on cold winter days.\n\n"
    "## Open questions\n\n- [ ] Who repairs the door of the oven?\n"
    "- [x] Where does the wood come from?\n",
    "kitchen/bread.md": "# Bread\n\nBread is a food that we bake on each Saturday.\n",
    "kitchen/log.md": "# Kitchen log\n\n## 2023-01-05\n\n"
    "The new oven came into the kitchen.\n\n"
    "## 2023-02-06\n\nThe first bread was baked in it.\n",
}


@pytest.fixture(scope="module")
def pages() -> dict[str, DraftedPage]:
    return write(NOTES)


def test_there_are_pages_for_documents_and_none_for_code(
    pages: dict[str, DraftedPage],
) -> None:
    assert set(pages) == {
        *("index.md", "features/garden.md", "features/kitchen.md", "glossary.md"),
        *("open-questions.md", "timeline.md"),
    }


def test_nothing_is_cut_and_sentences_are_cited(pages: dict[str, DraftedPage]) -> None:
    assert [page.findings for page in pages.values() if page.findings] == []
    for page in pages.values():
        told = [s for s in page.markdown.split("\n") if re.match(r"- \*\*[^[]", s)]
        assert [line for line in told if "(cite:" not in line] == []


def test_the_front_page_says_what_the_documents_are_about(
    pages: dict[str, DraftedPage],
) -> None:
    text = pages["index.md"].markdown
    assert "What our family knows about its house and garden" in text
    assert "Twitter" not in text
    assert "The collection holds" not in text  # the topics name its documents
    assert "[Garden](features/garden.md)**: The garden feeds the family" in text
    assert "Dates are known of" not in text  # two are too few


def test_a_topic_lists_its_documents_those_first_that_others_link_to(
    pages: dict[str, DraftedPage],
) -> None:
    text = pages["features/garden.md"].markdown
    assert text.index("The garden feeds") < text.index("## Documents")
    items = re.findall(r"^- \*\*(\w+)\*\*", text.partition("## Documents")[2], re.M)
    # The page begins with what the overview says: it is not listed again.
    assert items[0] == "Roses"
    assert "Garden" not in items


def test_what_is_open_is_told_on_its_page_and_on_the_topic(
    pages: dict[str, DraftedPage],
) -> None:
    text = pages["open-questions.md"].markdown
    assert "Who repairs the door of the oven" in text
    assert "who brings new soil" in text
    assert "Where does the wood come from" not in text
    assert "Who repairs the door" in pages["features/kitchen.md"].markdown


def test_the_timeline_is_newest_first(pages: dict[str, DraftedPage]) -> None:
    days = re.findall(r"\*\*(\d{4}-\d\d-\d\d)\*\*", pages["timeline.md"].markdown)
    assert days == ["2025-05-01", "2024-03-02", "2023-02-06", "2023-01-05"]


def test_the_glossary_has_what_sentences_define(pages: dict[str, DraftedPage]) -> None:
    text = pages["glossary.md"].markdown
    assert "**Bread**: Bread is a food" in text
    assert "**Roses**: Roses are plants" in text


def test_the_pages_are_told_in_japanese() -> None:
    text = write(NOTES, language="ja")["open-questions.md"].markdown
    begin = f"# 未解決の事項\n\n文書では 2 件の事項が未解決のままです。\n\n{NOTE}"
    assert text.startswith(begin)


@pytest.mark.parametrize("path", ["index.md", "features/garden.md", "timeline.md"])
def test_a_model_writes_the_pages_from_the_same_evidence(path: str) -> None:
    draft = model_pages.write(ScriptedModel(), path, tree=NOTES)
    assert draft.findings == ()
    assert draft.claims


def ticket(title: str, body: str, **known: object) -> str:
    facts = DocumentFacts(title=title, kind="ticket", status="New", url="")
    return write_document(replace(facts, **known), body)  # type: ignore[arg-type]


def test_tickets_alone_have_a_wiki() -> None:
    tree = {
        f"issues/{n}.md": ticket(
            f"The {word} page is slow in case {n}",
            f"Opening the {word} page takes ten seconds for the {word} team.",
            labels=(word,),
            changed=f"2024-0{n}-02T00:00:00Z",
            is_closed=n == 1,
        )
        for n, word in enumerate(["search"] * 4 + ["basket"] * 4, 1)
    }
    survey, texts = survey_of(tree)
    files = tuple(replace(file, document_kind="ticket") for file in survey.files)
    analysis = Analysis(replace(survey, files=files), texts)
    plan = plan_wiki(analysis)
    error_in = shared_parser(settings.MERMAID_PATH).error_in
    told = {p.path: compose_page(analysis, plan, p, error_in) for p in plan.pages}
    assert {"features/search.md", "features/basket.md"} <= set(told)
    assert "The collection holds 8 tickets." in told["index.md"].markdown
    opened = told["open-questions.md"].markdown
    assert "The documents leave 7 tickets open." in opened
    assert "case 1**" not in opened
    assert opened.index("2024-08-02") < opened.index("2024-02-02")
