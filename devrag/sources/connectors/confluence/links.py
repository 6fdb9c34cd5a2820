"""Where the links of a page lead: to our copies where we have them. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, quote_plus
from xml.etree.ElementTree import Element

from devrag.sources.connectors.pages.names import attachment_name

_PAGE_ID = re.compile(r"/pages/(?:viewpage\.action\?(?:.*&)?pageId=)?(\d+)(?=[/?#&]|$)")
RI = "{ri}"


@dataclass(frozen=True, slots=True)
class KnownPages:
    """The paths of pages in this source: by title (blog posts too), and by id."""

    by_title: Mapping[str, str] = field(default_factory=dict)
    by_id: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Links as one page sees them. folder: its path without the ending."""

    base_url: str
    space_key: str
    folder: str
    known: KnownPages

    def target(self, resource: Element) -> tuple[str, str]:
        """Return the address that a resource identifier means, and a name for it."""
        name = resource.tag.removeprefix(RI)
        of = {key.removeprefix(RI): value for key, value in resource.attrib.items()}
        if name in {"page", "blog-post"}:
            title, space = of.get("content-title", ""), of.get("space-key", "")
            return self.page(title, space), title or space
        if name == "attachment":
            return self.attachment(resource), of.get("filename", "")
        if name == "url":
            return of.get("value", ""), of.get("value", "")
        if name == "content-entity":
            return self.page_by_id(of.get("content-id", "")), ""
        if name == "space":
            key = of.get("space-key", "")
            return f"{self.base_url}/display/{quote(key)}", key
        if name == "user":
            return "", "@" + (of.get("username") or "user")
        return "", next(iter(of.values()), "")

    def page(self, title: str, space_key: str) -> str:
        """Return the address of a page by its title."""
        if not title:
            return f"{self.base_url}/display/{quote(space_key or self.space_key)}"
        if space_key in {"", self.space_key}:
            path = self.known.by_title.get(title)
            if path:
                return self._relative(path)
        key = quote(space_key or self.space_key)
        return f"{self.base_url}/display/{key}/{quote_plus(title)}"

    def page_by_id(self, content_id: str) -> str:
        """Return the address of a page by its id."""
        path = self.known.by_id.get(content_id)
        if path:
            return self._relative(path)
        number = quote(content_id)
        return f"{self.base_url}/pages/viewpage.action?pageId={number}"

    def attachment(self, resource: Element) -> str:
        """Return the path of an attachment, of this page or of the one it names."""
        name = attachment_name(resource.get(f"{RI}filename", ""))
        for owner in resource:
            if owner.tag in {f"{RI}page", f"{RI}blog-post"}:
                address = self.page(
                    owner.get(f"{RI}content-title", ""),
                    owner.get(f"{RI}space-key", ""),
                )
                if address.endswith(".md"):
                    return f"{address.removesuffix('.md')}/{name}"
                return address
        return f"{posixpath.basename(self.folder)}/{name}"

    def address(self, written: str) -> str:
        """Return an ordinary link; to a page of this source by its path."""
        host_path = self.base_url.partition("://")[2].partition("/")
        local = f"/{host_path[2]}" if host_path[2] else ""
        for base in (self.base_url, local or "/"):
            if written.startswith(base):
                found = _PAGE_ID.search(written)
                path = self.known.by_id.get(found[1]) if found else None
                return self._relative(path) if path else self._absolute(written)
        return written

    def _absolute(self, written: str) -> str:
        if not written.startswith("/") or written.startswith("//"):
            return written
        scheme, _, rest = self.base_url.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}{written}"

    def _relative(self, path: str) -> str:
        return posixpath.relpath(path, posixpath.dirname(self.folder))
