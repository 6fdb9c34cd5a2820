"""Macros of a page: panels, code, expand and the rest, of which the text is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from devrag.sources.connectors.confluence.links import RI, PageLinks
from devrag.sources.connectors.pages.markdown import inline_code, link, quoted

if TYPE_CHECKING:
    from devrag.sources.connectors.confluence.storage import StorageWriter

AC = "{ac}"
_PANELS = {"info": "Info", "note": "Note", "tip": "Tip", "warning": "Warning"}
# They lay out what is in them, and mean nothing by themselves.
_TRANSPARENT = frozenset(
    {"section", "column", "excerpt", "details", "div", "span", "multiexcerpt", "html"}
)
# They show what is elsewhere, or nothing.
_EMPTY = frozenset({"toc", "toc-zone", "anchor", "children", "pagetree"})
_INLINE = frozenset({"status", "jira", "anchor", "view-file", "profile", "jiraissues"})
_PARENTS_OF_WORDS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "a", "span"})
_LANGUAGES = {
    "c#": "csharp",
    "c++": "cpp",
    "js": "javascript",
    "py": "python",
    "none": "",
    "text": "",
    "plain": "",
    "coldfusion": "cfm",
}
_MAX_VALUE = 300
Block = Callable[[Element, int], list[str]]


class Macros:
    """Writes macros. The name of an unknown one is said, and its text kept."""

    def __init__(self, writer: StorageWriter, links: PageLinks) -> None:
        self._writer, self._links = writer, links
        self._blocks: dict[str, Block] = {
            **dict.fromkeys(_PANELS, self._panel),
            "panel": self._panel,
            **dict.fromkeys(("code", "noformat"), self._code),
            "expand": self._expand,
            **dict.fromkeys(_TRANSPARENT, self._body),
            **dict.fromkeys(_EMPTY, lambda _, __: []),
        }

    @staticmethod
    def mark_inline(root: Element) -> None:
        """Give macros that stand within a line a tag of their own."""
        for parent in root.iter():
            is_line = parent.tag in _PARENTS_OF_WORDS
            for each in parent:
                is_macro = each.tag in {f"{AC}structured-macro", f"{AC}macro"}
                if is_macro and (is_line or name_of(each) in _INLINE):
                    each.tag = f"{AC}inline-macro"

    def block(self, each: Element, depth: int) -> list[str]:
        """Return the blocks of a macro."""
        known = self._blocks.get(name_of(each))
        if known is not None:
            return known(each, depth)
        return [self._said(each), *self._body(each, depth)]

    def inline(self, each: Element, depth: int) -> str:
        """Return a macro within a line as words."""
        name = name_of(each)
        said = "" if name in self._blocks else self._said(each)
        rich = each.find(f"{AC}rich-text-body")
        if rich is not None:
            return " ".join(filter(None, (said, self._writer.inline(rich, depth))))
        code = inline_code(each.findtext(f"{AC}plain-text-body") or "")
        return " ".join(filter(None, (said, code)))

    def _said(self, each: Element) -> str:
        """Return a macro's name and what it was given."""
        name = name_of(each)
        if name == "status":
            title = parameter(each, "title")
            return f"**{title}**" if title else ""
        if name in {"jira", "jiraissues"} and parameter(each, "key"):
            return parameter(each, "key")
        given = [value for child in each if (value := self._given(child))]
        return f"*{name}*" + (f" ({', '.join(given)})" if given else "")

    # -- kinds ------------------------------------------------------------------

    def _panel(self, each: Element, depth: int) -> list[str]:
        kind, title = _PANELS.get(name_of(each), ""), parameter(each, "title")
        head = ": ".join(filter(None, (kind, title)))
        said = [f"**{head}**"] if head else []
        return [quoted([*said, *self._body(each, depth)])]

    def _code(self, each: Element, _: int) -> list[str]:
        body = each.findtext(f"{AC}plain-text-body") or ""
        language = parameter(each, "language").strip().lower()
        language = "".join(_LANGUAGES.get(language, language).split())
        title = parameter(each, "title")
        code = self._writer.fenced(body, language if language.isprintable() else "")
        return [f"**{title}**", *code] if title and code else code

    def _expand(self, each: Element, depth: int) -> list[str]:
        title = parameter(each, "title")
        return [*([f"**{title}**"] if title else []), *self._body(each, depth)]

    def _body(self, each: Element, depth: int) -> list[str]:
        rich = each.find(f"{AC}rich-text-body")
        if rich is not None:
            return self._writer.inside(rich, depth)
        return self._writer.fenced(each.findtext(f"{AC}plain-text-body") or "", "")

    def _given(self, child: Element) -> str:
        """Return a parameter's value: words, or a link."""
        if child.tag not in {f"{AC}parameter", f"{AC}default-parameter"}:
            return ""
        for resource in child.iter():
            if resource.tag.startswith(RI):
                address, name = self._links.target(resource)
                return link(name, address)
        value = " ".join("".join(child.itertext()).split())
        key = child.get(f"{AC}name", "")
        if not value or len(value) > _MAX_VALUE:
            return ""
        return f"{key}: {value}" if key else value


def name_of(macro: Element) -> str:
    """Return which macro it is."""
    return macro.get(f"{AC}name", "macro")


def parameter(macro: Element, name: str) -> str:
    """Return a parameter's words, '' where it has none."""
    for child in macro.iterfind(f"{AC}parameter"):
        if child.get(f"{AC}name") == name:
            return " ".join("".join(child.itertext()).split())
    return ""
