"""Evidence is whole: a definition with its comment, a section with its headings."""

from __future__ import annotations

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.writing.model.page_context import SurveyLines
from devrag.wiki.writing.model.whole_places import LONGEST_LINES, WholePlaces
from tests.wiki.shop import analyse

GO = """package cache

import "fmt"

// Get returns the value of a key.
// It is nil for an unknown one.
func Get(key string) *Value {
\treturn values[key]
}

func Set(key string, value *Value) {
\tvalues[key] = value
}
"""
LONG = "class Long:\n    limit = 1\n\n" + "".join(
    f"    def step{n}(self):\n        return {n}\n\n" for n in range(50)
)
PROSE = "\n".join(f"Line {n} of a long explanation." for n in range(50))
GUIDE = (
    f"# Guide\n\nIntro.\n\n## Cache\n\n{PROSE}\n\n"
    "### Keys\n\nText.\n\n#### Short\n\nMore.\n"
)


def found(tree: dict[str, str], path: str) -> tuple[WholePlaces, SurveyFile, Analysis]:
    analysis = analyse(tree)
    file = next(file for file in analysis.survey.files if file.path == path)
    return WholePlaces(analysis), file, analysis


def around(places: WholePlaces, file: SurveyFile, start: int, end: int) -> SurveyLines:
    place = places.around(file, start, end)
    assert place is not None
    return place


def test_a_definition_comes_with_the_comment_above_it() -> None:
    places, file, _ = found({"cache.go": GO}, "cache.go")
    place = around(places, file, 8, 8)
    lines = places.lines(place)
    assert lines[0] == "// Get returns the value of a key."
    assert lines[-1] == "}"
    assert place.name == "Get"


def test_without_a_comment_a_definition_begins_at_its_own_line() -> None:
    places, file, _ = found({"cache.go": GO}, "cache.go")
    place = places.named(file, "Set", 1)
    assert place is not None
    assert places.lines(place)[0].startswith("func Set")


def test_of_a_long_definition_the_head_stands_for_it() -> None:
    places, file, analysis = found({"long.py": LONG}, "long.py")
    symbol = next(s for s in analysis.symbols_of[file.id] if s.name == "Long")
    assert symbol.end_line - symbol.start_line > LONGEST_LINES
    head = places.lines(places.of_symbol(symbol))
    assert head[:2] == ["class Long:", "    limit = 1"]
    assert not any("def " in line for line in head)


def test_the_smallest_definition_around_a_line_is_taken() -> None:
    places, file, _ = found({"long.py": LONG}, "long.py")
    assert around(places, file, 5, 5).name == "Long.step0"


def test_a_section_has_the_headings_around_it_and_short_ones_inside_it() -> None:
    places, file, _ = found({"docs/guide.md": GUIDE}, "docs/guide.md")
    long = around(places, file, 10, 10)
    assert long.name == "Guide > Cache"
    assert "### Keys" not in places.lines(long)
    short = around(places, file, long.end_line + 1, long.end_line + 1)
    assert short.name == "Guide > Cache > Keys"
    assert "#### Short" in places.lines(short)


HEAD = (
    '"""Prices."""\n\nimport os\nfrom shop import cart\n\n'
    'LIMIT = 3\nRATES = {"a": 1}\n\nimport late\n'
)


def test_lines_that_no_definition_holds_stand_for_themselves() -> None:
    places, file, _ = found({"head.py": HEAD}, "head.py")
    place = around(places, file, 1, 9)
    assert places.lines(place) == ["LIMIT = 3", 'RATES = {"a": 1}']


def test_imports_alone_are_no_place() -> None:
    places, file, _ = found({"cache.go": GO}, "cache.go")
    assert places.around(file, 1, 3) is None


def test_lines_inside_a_long_type_lead_to_the_method_that_most_are_of() -> None:
    places, file, _ = found({"long.py": LONG}, "long.py")
    place = around(places, file, 5, 8)
    assert place.name == "Long.step1"


def test_a_function_is_whole_where_a_type_of_its_size_is_not() -> None:
    body = "".join(f"    total += {n}\n" for n in range(150))
    tree = {"sum.py": f"def add(total):\n{body}    return total\n"}
    places, file, analysis = found(tree, "sum.py")
    symbol = next(s for s in analysis.symbols_of[file.id] if s.name == "add")
    assert places.of_symbol(symbol).size == 152


def test_metadata_above_a_document_is_no_part_of_its_opening() -> None:
    text = "---\ntitle: A page on carts\n---\n\nCarts hold books.\n\n# Carts\n\nMore.\n"
    places, file, _ = found({"guide.md": text}, "guide.md")
    place = around(places, file, 5, 5)
    assert places.lines(place)[0] == "Carts hold books."
