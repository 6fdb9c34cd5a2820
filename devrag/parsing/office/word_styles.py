"""Styles and numbering of a Word document: which paragraphs are headings or items."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from devrag.parsing.office.markup import child_value, number
from devrag.parsing.office.package import Package

_HEADING_NAME = re.compile(r"heading ([1-9])")
_CONTENTS_NAME = re.compile(r"toc \d|toc heading|table of figures|index \d")
_CODE_NAMES = {
    *("html preformatted", "preformatted text", "source code", "code", "code block"),
    *("macro text", "plain code", "listing"),
}
_PLACE = re.compile(r"%([1-9])")
_MAX_LEVEL = 8
_MAX_PARENTS = 20


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list. form: `bullet`, `decimal`…; text: such as `%1.%2`."""

    form: str = "bullet"
    text: str = ""
    start: int = 1


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph is. heading: its depth, 0 for none; list_id: '' for none."""

    heading: int = 0
    is_contents: bool = False
    is_code: bool = False
    list_id: str = ""
    level: int = 0


@dataclass
class Numbering:
    """Counts the paragraphs of lists. levels: by list, its levels."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def next_label(self, list_id: str, depth: int) -> str:
        """Return what stands before the next item, '' for a bullet."""
        levels = self.levels.get(list_id, {})
        level = levels.get(depth, Level())
        counts = self._counts[list_id]
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [each for each in counts if each > depth]:
            del counts[deeper]
        if level.form in {"bullet", "none"}:
            return ""

        def shown(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            other = levels.get(at, Level("decimal"))
            return _counted(counts.get(at, other.start), other.form)

        return _PLACE.sub(shown, level.text) or f"{counts[depth]}."


def read_styles(package: Package, part: str) -> dict[str, Style]:
    """Return the paragraph styles by id."""
    root = package.related_tree(part, "styles")
    if root is None:
        return {}
    elements = {
        each.get("styleId", ""): each
        for each in root.iter("style")
        if each.get("type", "paragraph") == "paragraph"
    }
    return {name: _read_style(name, elements) for name in elements}


def _read_style(name: str, elements: dict[str, Element]) -> Style:
    """Return a style with what it takes over from those that it is based on."""
    style = Style()
    for _ in range(_MAX_PARENTS):
        element = elements.get(name)
        if element is None:
            break
        style = _over(style, element)
        name = child_value(element, "basedOn")
    return style


def _over(style: Style, element: Element) -> Style:
    """Return a style over the one that it is based on."""
    name = child_value(element, "name").lower()
    found = _HEADING_NAME.fullmatch(name)
    properties = element.find("pPr")
    outline = number(child_value(properties, "outlineLvl"), 9) + 1
    depth = int(found[1]) if found else 1 if name == "title" else outline
    list_id, level = list_place(properties)
    return Style(
        heading=style.heading or (depth if depth < 10 else 0),
        is_contents=style.is_contents or bool(_CONTENTS_NAME.fullmatch(name)),
        is_code=style.is_code or name in _CODE_NAMES,
        list_id=style.list_id or list_id,
        level=style.level or level,
    )


def list_place(properties: Element | None) -> tuple[str, int]:
    """Return the list that a paragraph's properties name, and its level in it."""
    found = None if properties is None else properties.find("numPr")
    level = number(child_value(found, "ilvl"))
    return child_value(found, "numId"), min(level, _MAX_LEVEL)


def read_numbering(package: Package, part: str) -> Numbering:
    """Return the lists of a document."""
    root = package.related_tree(part, "numbering")
    if root is None:
        return Numbering()
    kinds = {
        each.get("abstractNumId", ""): _read_levels(each)
        for each in root.iter("abstractNum")
    }
    return Numbering(
        {
            each.get("numId", ""): kinds.get(child_value(each, "abstractNumId"), {})
            for each in root.iter("num")
        }
    )


def _read_levels(element: Element) -> dict[int, Level]:
    return {
        number(each.get("ilvl")): Level(
            form=child_value(each, "numFmt") or "decimal",
            text=child_value(each, "lvlText"),
            start=number(child_value(each, "start"), 1),
        )
        for each in element.iter("lvl")
    }


def _counted(count: int, form: str) -> str:
    if form in {"lowerLetter", "upperLetter"} and 0 < count <= 26:
        letter = chr(ord("a") + count - 1)
        return letter.upper() if form == "upperLetter" else letter
    if form in {"lowerRoman", "upperRoman"} and 0 < count < 100:
        roman = _roman(count)
        return roman.upper() if form == "upperRoman" else roman
    return str(count)


def _roman(count: int) -> str:
    tens = ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx", "xc")
    ones = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    return tens[count // 10] + ones[count % 10]
