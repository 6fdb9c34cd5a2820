"""Editions of one passage count once."""

from __future__ import annotations

from typing import Any

from devrag.search.copies import fold_copies
from devrag.search.features import Features
from devrag.search.ranking import Ranked
from tests.search.hits import make_spot

NONE = Features(*[0.0] * len(Features._fields))
RULE = "# Naming\n\nNames of classes are nouns.\nNames of methods are verbs.\n"


def candidate(path: str, text: str = RULE, **fields: Any) -> Ranked:
    return Ranked(make_spot(path=path, text=text, **fields), 0.5, NONE)


def folded(*candidates: Ranked, wanted: int = 20) -> list[tuple[str, list[str]]]:
    """Return the paths that stay, each with those of its copies."""
    return [
        (each.spot.path, [copy.path for copy in each.copies])
        for each in fold_copies(candidates, wanted)
    ]


def test_the_best_stands_for_its_editions() -> None:
    other = candidate("b.md", "# Errors\n\nThrow early, and say what to do about it.\n")
    newer = candidate("java17.md", RULE + "Records too.\n")
    assert folded(candidate("java8.md"), other, newer) == [
        ("java8.md", ["java17.md"]),
        ("b.md", []),
    ]


def test_another_text_below_the_same_heading_is_no_copy() -> None:
    other = candidate("go.md", "# Naming\n\nPackages have short names in lower case.\n")
    assert folded(candidate("java.md"), other) == [("java.md", []), ("go.md", [])]


def test_short_texts_and_parts_of_one_file_are_no_copies() -> None:
    short = [candidate(path, "import x\n") for path in ("a.py", "b.py")]
    assert len(folded(*short)) == 2
    assert len(folded(candidate("a.md"), candidate("a.md", start_line=90))) == 2


def test_equal_files_of_two_products_are_copies() -> None:
    one, two = (candidate("a.md", product_name=name) for name in ("tea", "coffee"))
    assert folded(one, two) == [("a.md", ["a.md"])]


def test_what_nobody_looks_at_stays_as_it_is() -> None:
    many = [candidate(f"{n}.md", f"# {n}\n" + "x" * 90) for n in range(3)]
    assert len(folded(*many, candidate("0b.md", "# 0\n" + "x" * 90), wanted=2)) == 4
