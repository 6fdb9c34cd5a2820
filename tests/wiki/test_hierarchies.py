"""Which classes inherit or implement each other."""

from __future__ import annotations

from devrag.wiki.analysis.hierarchies import subtypes_of
from tests.wiki.shop import analyse

_FILLER = (
    "package tea\n\ntype Filler interface {\n\tFill(n int) error\n\tWash()\n}\n\n"
    "type Base struct{}\n\nfunc (b *Base) Wash() {}\n"
)
_CUP = (
    "package tea\n\ntype Cup struct{}\n\nfunc (c *Cup) Fill(n int) error { return nil }"
    "\n\nfunc (c *Cup) Wash() {}\n\ntype Pond struct{}\n\nfunc (p Pond) Wash() {}\n"
)


def _implementations(files: dict[str, str], name: str) -> dict[str, bool]:
    """Return subtype → whether it is only a possible one."""
    analysis = analyse(files)
    return {
        analysis.symbols[subtype.symbol].qualified_name: subtype.is_possible
        for base, subtypes in subtypes_of(analysis).items()
        for subtype in subtypes
        if analysis.symbols[base].qualified_name == name
    }


def test_a_type_with_all_methods_is_a_possible_implementation() -> None:
    files = {"tea/filler.go": _FILLER, "tea/cup.go": _CUP}
    assert _implementations(files, "Filler") == {"Cup": True}


def test_a_method_that_is_embedded_counts() -> None:
    mug = (
        "package tea\n\ntype Mug struct{ *Base }\n\n"
        "func (m *Mug) Fill(n int) error { return nil }\n"
    )
    files = {"tea/filler.go": _FILLER, "tea/mug.go": mug}
    assert _implementations(files, "Filler") == {"Mug": True}


def test_a_map_can_be_a_possible_implementation() -> None:
    shelf = (
        "package tea\n\ntype Shelf map[string]int\n\n"
        "func (s Shelf) Fill(n int) error { return nil }\n\nfunc (s Shelf) Wash() {}\n"
    )
    files = {"tea/filler.go": _FILLER, "tea/shelf.go": shelf}
    assert _implementations(files, "Filler") == {"Shelf": True}


def test_methods_of_the_same_names_but_other_results_are_none() -> None:
    files = {"tea/filler.go": _FILLER, "tea/cup.go": _CUP.replace("int) error", "int)")}
    assert _implementations(files, "Filler") == {}


def test_a_class_that_names_its_protocol_is_a_sure_implementation() -> None:
    files = {
        "a.py": "from typing import Protocol\n\n\nclass Filler(Protocol):\n"
        "    def fill(self): ...\n",
        "b.py": "from a import Filler\n\n\nclass Cup(Filler):\n"
        "    def fill(self): ...\n\n\nclass Mug:\n    def fill(self): ...\n",
    }
    assert _implementations(files, "Filler") == {"Cup": False, "Mug": True}
