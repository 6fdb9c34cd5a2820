"""The glossary holds what the sources explain, in their words."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.glossary import terms_of
from tests.wiki.shop import SHOP, analyse
from tests.wiki.written import write

STEERING = {".devrag/wiki.yaml": "glossary:\n  Basket: What a customer will buy.\n"}
DOCUMENT = {
    "docs/guide.md": "# Guide\n\nSold by Reciprocal Rank Fusion (RRF) and rules.\n"
    "It is not a (GUIDE) at all.\n\n## Glossary\n\n- **Bill**: what is to be paid\n"
    "- Stock — books that are there\n- no term here\n",
}


def found(*trees: dict[str, str]) -> dict[str, str]:
    merged = {path: text for tree in trees for path, text in tree.items()}
    return {t.term: t.meaning for t in terms_of(analyse({**SHOP, **merged}))}


@pytest.mark.parametrize(
    ("tree", "terms"),
    [
        (STEERING, {"Basket": "What a customer will buy."}),
        (
            DOCUMENT,
            {
                "Bill": "what is to be paid",
                "RRF": "Reciprocal Rank Fusion",
                "Stock": "books that are there",
            },
        ),
        (
            {"docs/glossary.md": "# Glossary\n\n## Reader\n\nWho buys books.\n"},
            {"Reader": "Who buys books."},
        ),
        (
            {"docs/用語集.md": "# 用語集\n\n- 在庫：店にある売り物の本\n"},
            {"在庫": "店にある売り物の本"},
        ),
    ],
)
def test_terms_are_read_from(tree: dict[str, str], terms: dict[str, str]) -> None:
    assert found(tree) == terms


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/glossary.md", "# Glossary\n\n<!--\n- Item: one line for each\n-->\n"),
        ("docs/glossary.md", "# Glossary\n\n## Bill\n\nTODO: say what it is\n"),
        ("docs/glossary.md", "# Glossary\n\n- Bill: paid later\n"),
        ("docs/用語集.md", "# 用語集\n\n## 在庫\n\nある本\n"),
        ("LICENSE.md", "# Terms\n\nApproved by the Open Source Group (OSG).\n"),
        (".github/ISSUE_TEMPLATE/bug.md", "# Terms\n\n- Bug: what went wrong here\n"),
        ("docs/trade.md", "# Trade\n\nThe Office of Foreign Goods (OFG) lists them.\n"),
    ],
)
def test_no_term_is_read_from(path: str, text: str) -> None:
    assert found({path: text}) == {}


def test_the_steering_file_explains_best() -> None:
    steering = {".devrag/wiki.yaml": "glossary:\n- {term: bill, meaning: The sum.}\n"}
    assert found(steering, DOCUMENT)["bill"] == "The sum."


def test_the_page_cites_where_a_word_is_explained() -> None:
    draft = write({**SHOP, **STEERING, **DOCUMENT})["glossary.md"]
    assert draft.findings == ()
    assert "**Basket**: What a customer will buy" in draft.markdown
    assert (".devrag/wiki.yaml", 2) in {(c.path, c.start_line) for c in draft.claims}


def test_a_meaning_is_data_and_never_markup() -> None:
    text = "glossary:\n  Bad: '<script>x</script> [a](http://x) [[E99]] `gone`'\n"
    tree = {**SHOP, **DOCUMENT, ".devrag/wiki.yaml": text}
    draft = write(tree)["glossary.md"]
    assert "<script>" not in draft.markdown
    assert "](http" not in draft.markdown
    assert draft.findings == ()
