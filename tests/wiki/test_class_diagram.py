"""The most important hierarchy of a part, drawn on its page."""

from __future__ import annotations

import re

import pytest

from tests.wiki.shop import SHOP
from tests.wiki.written import write

_STORES = (
    '''"""Where orders are kept."""

from abc import ABC


class Store(ABC):
    """Keeps orders."""

    def open(self): ...
    def put(self, order): ...
    def get(self, number): ...
    def close(self): ...
    def _lock(self): ...
    def count(self): ...


class Memory(Store):
    def put(self, order): ...
    def count(self): ...


class Disk(Store):
    def count(self): ...


class Cache(Disk): ...


class StoreError(Exception): ...
class Full(StoreError): ...
class Gone(StoreError): ...


def main(store: Store, error: StoreError): ...
'''
    + "# filler\n" * 60
)
_TYPES = (
    """
interface Pay { pay(): void }
class Card implements Pay { pay() {} }
class Cash implements Pay { pay() {} }
"""
    + "// filler\n" * 80
)
_RUST = (
    """
pub trait Pay { fn pay(&self); }
pub struct Card;
pub struct Cash;
impl Pay for Card { fn pay(&self) {} }
impl Pay for Cash { fn pay(&self) {} }
"""
    + "// filler\n" * 80
)
_GO = (
    """
package pay

type Payer interface {
	Pay() error
}

type Card struct{}

func (c *Card) Pay() error { return nil }

type Cash struct{}

func (c *Cash) Pay() error { return nil }
"""
    + "// filler\n" * 80
)
_DJANGO = (
    """from django.db import models
class A(models.Model): ...
class B(models.Model): ...
class C(models.Model): ...
"""
    + "# filler\n" * 80
)


def page_of(path: str, text: str, language: str = "en") -> str:
    pages = write({**SHOP, path: text}, language=language)
    assert all(page.findings == () for page in pages.values())
    return "".join(p.markdown for n, p in pages.items() if n.startswith("features/"))


def diagram_in(text: str) -> list[str]:
    (found,) = re.findall(r"```mermaid\nclassDiagram\n(.*?)\n```", text, re.DOTALL)
    return [line.strip() for line in found.split("\n")]


def test_bases_show_what_their_heirs_have_too() -> None:
    text = page_of("shop/kept/stores.py", _STORES)
    assert diagram_in(text) == [
        'class c0["Cache"]',
        'class c1["Disk"] {',
        "count()",
        "}",
        'class c2["Memory"]',
        'class c3["Store"] {',
        "count()",
        "put()",
        "open()",
        "get()",
        "}",
        "c1 <|-- c0",
        "c3 <|-- c1",
        "c3 <|-- c2",
    ]


def test_the_sentence_says_what_the_arrows_mean_and_cites_lines() -> None:
    text = page_of("shop/kept/stores.py", _STORES)
    assert re.search(r"2 of those drawn build on `Store` ?\[\d", text)
    text = page_of("shop/kept/stores.py", _STORES, "ja")
    assert "図のうち 2 個が `Store` をもとにしています" in text


@pytest.mark.parametrize(
    ("path", "text"), [("shop/pay/pay.ts", _TYPES), ("shop/pay/pay.rs", _RUST)]
)
def test_an_interface_is_implemented_by_dashed_lines(path: str, text: str) -> None:
    lines = diagram_in(page_of(path, text))
    assert {'class c2["Pay"] {', "<<interface>>", "pay()"} <= set(lines)
    assert lines[-2:] == ["c2 <|.. c0", "c2 <|.. c1"]


def test_an_implementation_by_methods_alone_is_marked_as_possible() -> None:
    text = page_of("shop/pay/pay.go", _GO)
    assert diagram_in(text)[-2:] == ["c2 <|.. c0", "c2 <|.. c1"]
    assert "have all of its methods are drawn as possible implementations." in text
    assert "Possible implementations of `Payer` are `Card`" in text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/kept/data.py", _DJANGO),
        ("shop/kept/two.py", "class A: ...\nclass B(A): ...\n" + "# filler\n" * 80),
    ],
)
def test_a_base_of_a_framework_or_a_pair_is_not_drawn(path: str, text: str) -> None:
    assert "classDiagram" not in page_of(path, text)


def test_twelve_classes_are_drawn_and_the_rest_counted() -> None:
    heirs = "".join(f"class H{n}(Base): ...\n" for n in range(20))
    text = page_of("shop/kept/many.py", "class Base: ...\n" + heirs + "# filler\n" * 60)
    assert text.count("class c") == 12
    assert "The 9 classes of lower rank are not drawn." in text


def test_classes_of_one_name_are_told_apart_by_their_files() -> None:
    base = "class Base: ...\n" + "# filler\n" * 60
    heir = "from shop.kept.base import Base\nclass Hook(Base): ...\n"
    tree = {"shop/kept/base.py": base, "shop/kept/a/hook.py": heir}
    pages = write({**SHOP, **tree, "shop/kept/b/hook.py": heir})
    text = "".join(p.markdown for n, p in pages.items() if n.startswith("features/"))
    assert 'class c1["Hook (a/hook.py)"]' in text
    assert 'class c2["Hook (b/hook.py)"]' in text
