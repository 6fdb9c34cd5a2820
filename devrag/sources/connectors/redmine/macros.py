"""Macros of Redmine: what they show, where it is in the text itself. Pure."""

from __future__ import annotations

import re

from devrag.sources.connectors.pages.markdown import image, link
from devrag.sources.connectors.redmine.aside import Aside
from devrag.sources.connectors.redmine.links import TextLinks

_WITHOUT_BODY = re.compile(r"(!?)\{\{(>?\w{1,50})(?:\(([^\n{}]{0,500})\))?\}\}")
_WITH_BODY = re.compile(
    r"(!?)\{\{(\w{1,50})(?:\(([^\n{}]{0,500})\))?[ \t]*\n(.*?)\n[ \t]*\}\}", re.DOTALL
)
# They list what is elsewhere: in the headings below, in other pages, in the manual.
_LISTS = frozenset(
    {"toc", ">toc", "child_pages", "macro_list", "hello_world", "recent_pages"}
)
_MAX_NESTING = 3


def write_macros(text: str, links: TextLinks, aside: Aside) -> str:
    """Return a text with its macros replaced; code was put aside before."""
    text = _WITHOUT_BODY.sub(lambda found: _plain(found, links, aside), text)
    for _ in range(_MAX_NESTING):
        end = text.rfind("}}")
        changed = _WITH_BODY.sub(_with_body, text[: end + 2]) + text[end + 2 :]
        if changed == text:
            break
        text = changed
    return text


def _plain(found: re.Match[str], links: TextLinks, aside: Aside) -> str:
    escaped, name, values = found.groups()
    if escaped:
        return aside.put(found[0][1:])
    values = (values or "").strip()
    first = values.partition(",")[0].strip()
    if name in _LISTS:
        return ""
    if name == "include" and first:
        project, colon, page = first.rpartition(":")
        address = links.page(page.strip(), project.strip() if colon else "", "")
        return aside.put(link(page, address))
    if name == "thumbnail" and first:
        return aside.put(image(first, links.file(first)))
    if name == "issue" and first.lstrip("#").isdecimal():
        number = first.lstrip("#")
        return aside.put(link(f"#{number}", links.address.issue(number)))
    return aside.put(f"{name}: {values}" if values else name)


def _with_body(found: re.Match[str]) -> str:
    escaped, name, values, body = found.groups()
    if escaped:
        return found[0][1:]
    title = (values or "").partition(",")[0].strip().strip('"')
    heading = title if name == "collapse" else f"{name} {title}".strip()
    return f"\n\n{heading}\n\n{body}\n\n" if heading else f"\n\n{body}\n\n"
