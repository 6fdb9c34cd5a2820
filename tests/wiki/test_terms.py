"""A model keeps to the product's words and language, in titles and diagrams too."""

from __future__ import annotations

import re

import pytest

from devrag.wiki.analysis.steering.types import Term
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.language import is_title_in_language
from devrag.wiki.writing.model.terms import other_form, spellings_of
from devrag.wiki.writing.model.validators import check_section
from tests.wiki.model_pages import gates_of, rules_of, write
from tests.wiki.scripted import ScriptedModel
from tests.wiki.shop import SHOP

GLOSSARY = {"cart": "Basket", "order": "purchase order", "サーバ": "サーバー"}
CASES = {"postgresql": "PostgreSQL"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The cart holds books.", "cart"),
        ("All carts are kept.", "carts"),
        ("An order is kept.", "order"),
        ("設定はサーバに置かれます。", "サーバ"),
        ("The Basket holds a purchase order and more purchase orders.", ""),
        ("設定はサーバーに置かれます。", ""),
        ("The Basket is `cart` in `cart.py` and [cart](features/cart.md).", ""),
        ("The path shop/cart or cart.py is no prose; reorder is no order-word.", ""),
    ],
)
def test_another_form_of_a_word_is_found(text: str, found: str) -> None:
    form = other_form(text, GLOSSARY)
    assert (form or ("", ""))[0] == found


def test_another_case_is_another_form() -> None:
    assert other_form("It keeps all in Postgresql.", CASES) is not None
    assert other_form("It keeps all in PostgreSQL.", CASES) is None


def test_a_glossary_of_a_source_counts_where_letters_tell_a_word() -> None:
    terms = [Term("GitHub", "a host"), Term("Basket", "books"), Term("A <b>", "x")]
    assert spellings_of(terms) == {"GitHub": "GitHub"}


def test_a_sentence_with_another_form_is_cut() -> None:
    good = "The Basket does its work [[E1]]."
    text, findings = check_section(
        f"{good} The cart does too [[E1]].\n", rules_of(glossary=GLOSSARY)
    )
    assert text == f"{good}\n"
    assert [(f.gate, f.reason) for f in findings] == [
        ("glossary", "write “Basket” where it says “cart”")
    ]


def test_the_model_is_told_which_word_to_write() -> None:
    honest = ScriptedModel().write
    model = ScriptedModel(
        faults=[lambda p: honest(p, most=1).replace("holds", "is a cart and holds")],
        rewriting=lambda _: "",
    )
    draft = write(model, brief=Brief("Shop", glossary={"cart": "Basket"}))
    assert "glossary" in gates_of(draft)
    assert "is a cart" not in draft.markdown
    again = model.asked[1][-1].content
    assert "write “Basket” where it says “cart”" in again


def test_a_word_of_the_sources_glossary_is_spelt_as_there() -> None:
    honest = ScriptedModel().write
    model = ScriptedModel(
        faults=[lambda p: honest(p, most=1).replace("holds", "asks Booknet, holds")],
        rewriting=lambda _: "",
    )
    steering = {".devrag/wiki.yaml": "glossary:\n  BookNet: where books come from.\n"}
    assert "glossary" in gates_of(write(model, tree={**SHOP, **steering}))


@pytest.mark.parametrize(
    ("title", "language", "is_right"),
    [
        ("Kubernetes と PostgreSQL の設定", "ja", True),
        ("OpenAPI", "ja", True),
        ("Continuous integration", "ja", False),
        ("継続的インテグレーションの設定方法", "en", False),
        ("Continuous integration", "en", True),
    ],
)
def test_titles_are_in_the_language_names_left_aside(
    title: str, language: str, is_right: bool
) -> None:
    assert is_title_in_language(title, language) is is_right


FLOW = (
    "```mermaid\nflowchart TD\n"
    '  a["注文を受け付ける"] -->|"在庫を確認"| b["保存する"]\n```'
)
TALK = "```mermaid\nsequenceDiagram\n  participant a as 利用者\n  a->>a: 注文する\n```"


@pytest.mark.parametrize("diagram", [FLOW, TALK])
def test_a_diagram_in_japanese_passes_the_real_parser(diagram: str) -> None:
    text = f"注文は次のように流れます [[E1]]。\n\n{diagram}\n"
    assert check_section(text, rules_of()) == (text, [])


def test_a_broken_diagram_in_japanese_is_cut() -> None:
    text, findings = check_section(FLOW.replace('"保存する"]', '"保存する'), rules_of())
    assert (text, [f.gate for f in findings]) == ("", ["diagram"])


def test_a_japanese_page_has_japanese_titles_and_facts() -> None:
    draft = write(ScriptedModel("ja"))
    headings = re.findall("^##+ (.*)$", draft.markdown, re.MULTILINE)
    assert headings
    assert all(is_title_in_language(title, "ja") for title in headings)
    assert draft.findings == ()
