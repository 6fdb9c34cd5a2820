"""Faults planted all over real pages: each gate sees every one, and none is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.conf import settings

from devrag.wiki.analysis.names import is_name_like
from devrag.wiki.checking.mermaid import shared_parser
from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.checking.validators import Gates, check_page
from devrag.wiki.evidence.blocks import split_blocks
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.generation.page import gates_of
from devrag.wiki.writing.structural.pages import write_page
from tests.wiki import model_pages
from tests.wiki.model_pages import lead_of, structural_lead
from tests.wiki.plans import plan_wiki
from tests.wiki.scripted import ScriptedModel, in_parts, numbers_in
from tests.wiki.shop import SHOP, analyse, file_named

_EVIDENCE = re.compile(
    r"<<DATA-\w+ (E\d+) \w* [^/\n]+/([^\n]+)\n(.*?)\nDATA-", re.DOTALL
)
_FENCE = re.compile(r"```mermaid\n(.*?)\n```", re.DOTALL)


@dataclass(frozen=True)
class Told:
    """A page as its writer left it, before any gate."""

    text: str
    gates: Gates

    @property
    def prose(self) -> list[str]:
        return [b.text for b in split_blocks(self.text) if b.kind != "fence"]


@pytest.fixture(scope="module")
def pages() -> list[Told]:
    analysis = analyse(SHOP)
    plan = plan_wiki(analysis)
    error_in = shared_parser(settings.MERMAID_PATH).error_in
    found = []
    for page in plan.pages:
        text, book = write_page(analysis, plan, page)
        found.append(Told(text, gates_of(analysis, plan, page, book, error_in)))
    return found


def test_nothing_is_found_where_nothing_is_planted(pages: list[Told]) -> None:
    assert [check_page(told.text, told.gates)[1] for told in pages] == [[]] * len(pages)


def test_lines_that_shifted_cost_every_sentence_that_cites_them() -> None:
    moved = {path: text and f"# new\n{text}" for path, text in SHOP.items()}
    analysis, now = analyse(SHOP), analyse(moved)
    plan = plan_wiki(analysis)
    seen = 0
    for page in plan.pages:
        text, book = write_page(analysis, plan, page)
        # The same hashes as before: only the lines tell.
        for file in analysis.survey.files:
            book_text = now.texts.text(file_named(now, file.path).id)
            analysis.texts.texts[file.id] = book_text  # type: ignore[attr-defined]
        gates = gates_of(analysis, plan, page, book, lambda _text: None)
        checked, findings = check_page(text, gates)
        assert set(gates.broken_items) == {item.id for item in book.items}
        assert MARKER.search(checked) is None
        seen += sum(finding.gate == "citation" for finding in findings)
        analysis = analyse(SHOP)
    assert seen > 20


def test_every_broken_diagram_is_seen(pages: list[Told]) -> None:
    planted = 0
    for told in pages:
        count = len(_FENCE.findall(told.text))
        broken = _FENCE.sub("```mermaid\n\\1\n  a -->\n```", told.text)
        text, findings = check_page(broken, told.gates)
        assert [finding.gate for finding in findings] == ["diagram"] * count
        assert "```mermaid" not in text
        planted += count
    assert planted >= 4


def test_every_name_that_is_spelt_wrong_is_seen(pages: list[Told]) -> None:
    planted = 0
    for told in pages:
        spans = [m.group(2) for text in told.prose for m in CODE.finditer(text)]
        for span in {s for s in spans if is_name_like(s) and s.isidentifier()}:
            wrong = told.text.replace(f"`{span}`", f"`{span}_s`")
            text, findings = check_page(wrong, told.gates)
            assert "name" in {finding.gate for finding in findings}
            assert f"`{span}_s`" not in text
            planted += 1
    assert planted >= 20


def test_names_that_changed_places_are_seen() -> None:
    """Each exists, but not in the lines that are cited for it."""

    def fault(prompt: str) -> str:
        told = _EVIDENCE.findall(prompt)
        said = "\n\n".join(
            f"What is told here stands in `{other}` [[{key}]]."
            for key, place, lines in told
            for other in {at.split(" ")[0] for _, at, _ in told}
            if not place.startswith(other)
            and other.rpartition("/")[2].split(".")[0] not in lines
        )
        assert said
        return in_parts(dict.fromkeys(numbers_in(prompt), said))

    draft = model_pages.write(ScriptedModel(faults=[fault]))
    assert "What is told here stands in" not in draft.markdown
    assert "support" in model_pages.gates_of(draft)
    assert lead_of(draft) == structural_lead()
