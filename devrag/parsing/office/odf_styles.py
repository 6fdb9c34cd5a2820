"""Styles of an OpenDocument file: titles, code, numbered lists, what is hidden."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

_MAX_PARENTS = 20
_CODE = "Preformatted_20_Text"


class OdfStyles:
    """Looks styles up by name, those of the document itself over the shared ones."""

    def __init__(self, roots: Iterable[Element | None]) -> None:
        self._styles: dict[str, Element] = {}
        self._lists: dict[str, set[str]] = {}
        for root in roots:
            for each in () if root is None else root.iter():
                if each.tag == "style":
                    self._styles[each.get("name", "")] = each
                elif each.tag == "list-style":
                    name = each.get("name", "")
                    self._lists[name] = _numbered_levels(each)

    def is_title(self, name: str | None) -> bool:
        """Return whether paragraphs of a style are the title of the document."""
        return "Title" in self._names(name)

    def is_code(self, name: str | None) -> bool:
        """Return whether paragraphs of a style are code."""
        return _CODE in self._names(name)

    def is_numbered(self, list_style: str | None, depth: int) -> bool:
        """Return whether items of a list have numbers. depth: from 0."""
        return str(depth + 1) in self._lists.get(list_style or "", ())

    def is_hidden(self, name: str | None) -> bool:
        """Return whether a sheet or slide of this style is not shown."""
        style = self._styles.get(name or "")
        if style is None:
            return False
        return any(
            each.get("display") == "false" or each.get("visibility") == "hidden"
            for each in style
        )

    def _names(self, name: str | None) -> list[str]:
        """Return a style's name and those that it is based on."""
        found: list[str] = []
        while name and len(found) < _MAX_PARENTS:
            found.append(name)
            style = self._styles.get(name)
            name = None if style is None else style.get("parent-style-name")
        return found


def _numbered_levels(element: Element) -> set[str]:
    return {
        each.get("level", "")
        for each in element
        if each.tag == "list-level-style-number" and each.get("num-format")
    }
