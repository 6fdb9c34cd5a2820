"""The README of a folder, shown below what the folder lists."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.core.markdown import render_markdown
from devrag.sources.models import File, GitRef
from devrag.web.pages.paths import resolve_repository_link

_MOST_CHARACTERS = 60_000
# The first of them that a folder has.
_NAMES = (r"readme\.(md|markdown)", r"readme(\.(rst|txt|adoc))?")


@dataclass(frozen=True, slots=True)
class FolderReadme:
    """html: of Markdown, else ''; then text is shown as it is."""

    name: str
    url: str
    html: str = ""
    text: str = ""
    is_cut: bool = False


def find_readme_name(names: list[str]) -> str:
    """Return which of a folder's files is its README, '' for none. Pure.

    >>> find_readme_name(["LICENSE", "README", "ReadMe.md"])
    'ReadMe.md'
    """
    for pattern in _NAMES:
        for name in names:
            if re.fullmatch(pattern, name, re.IGNORECASE):
                return name
    return ""


def get_readme(
    ref: GitRef, names: tuple[str, str, str], path: str, url: str
) -> FolderReadme | None:
    """Return a file rendered for reading. names: of addresses. Queries: 1."""
    rows = File.objects.filter(manifests__ref=ref, manifests__until=None, path=path)
    file = rows.only("text").first()
    if file is None:
        return None
    name = path.rpartition("/")[2]
    text, is_cut = file.text[:_MOST_CHARACTERS], len(file.text) > _MOST_CHARACTERS
    if not re.fullmatch(_NAMES[0], name, re.IGNORECASE):
        return FolderReadme(name, url, text=text, is_cut=is_cut)
    links = resolve_repository_link(*names, path)
    page = render_markdown(text, resolve_link=links, drops_html=True)
    html = "".join(block.html for block in page.blocks)
    return FolderReadme(name, url, html=html, is_cut=is_cut)
