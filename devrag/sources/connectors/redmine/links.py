"""Where the links of a text lead: to our copies where we have them. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from devrag.sources.connectors.pages.names import attachment_name
from devrag.sources.connectors.redmine.address import ProjectAddress

_SPACES = re.compile(r"\s+")
_NOT_IN_TITLES = str.maketrans("", "", ",./?;|:")


def wiki_title(name: str) -> str:
    """Return the title that a page of this name has: Redmine's own rule."""
    title = _SPACES.sub("_", name.strip()).translate(_NOT_IN_TITLES)
    return title[:1].upper() + title[1:]


@dataclass(frozen=True, slots=True)
class TextLinks:
    """Links as one text sees them. folder: its path without the ending.

    pages: the paths of wiki pages in this source, by title in lower case.
    """

    address: ProjectAddress
    folder: str
    pages: Mapping[str, str] = field(default_factory=dict)

    def page(self, name: str, project: str, anchor: str) -> str:
        """Return the address of a wiki page by its name; '' name: the first one."""
        if not name and not project:
            return f"#{anchor}" if anchor else ""
        title = wiki_title(name)
        end = f"#{anchor}" if anchor else ""
        if project in {"", self.address.key}:
            path = self.pages.get(title.lower())
            if path:
                return self._relative(path) + end
        if not title:
            return f"{self.address.base_url}/projects/{project}/wiki"
        return self.address.wiki_page(title, project) + end

    def file(self, name: str) -> str:
        """Return the path of a file that is attached to what the text belongs to."""
        return f"{posixpath.basename(self.folder)}/{attachment_name(name)}"

    def _relative(self, path: str) -> str:
        return posixpath.relpath(path, posixpath.dirname(self.folder) or ".")
