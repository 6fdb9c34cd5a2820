"""Where links of one page lead: to files of pages that are read, else to Notion."""

from __future__ import annotations

from devrag.sources.connectors.notion.address import (
    NotionAddress,
    find_id,
    with_hyphens,
)
from devrag.sources.connectors.notion.tree import Tree

_OWN = "https://www.notion.so"


def linked_page(href: str, address: NotionAddress) -> str:
    """Return the id of the page that an address leads to, '' for any other."""
    own = (f"{_OWN}/", f"{address.web_url}/")
    return find_id(href.partition("#")[0]) if href.startswith(own) else ""


class NodeLinks:
    """Links on the page of an id, whose path is known. files: paths by block."""

    def __init__(
        self, address: NotionAddress, tree: Tree, node_id: str, files: dict[str, str]
    ) -> None:
        self._address, self._tree, self._files = address, tree, files
        self._node_id, self._path = node_id, tree.path(node_id)

    def title(self, page_id: str) -> str:
        """Return the title of a page or database, '' for an unknown one."""
        return self._tree.title(page_id)

    def page(self, page_id: str) -> str:
        """Return the address of a page or database."""
        found = self._tree.link(with_hyphens(page_id), self._path)
        return found or self._address.page(page_id)

    def address(self, href: str) -> str:
        """Return an address as it is to be written."""
        href = f"{self._address.web_url}{href}" if href.startswith("/") else href
        found = linked_page(href, self._address)
        return self._tree.link(found, self._path) or href

    def file(self, block_id: str) -> str:
        """Return the address of a file that Notion keeps for a block."""
        beside = f"{self._path.rpartition('/')[2]}/"
        if path := self._files.get(block_id):
            return beside + path.rpartition("/")[2]
        block = block_id.replace("-", "")
        return f"{self._address.page(self._node_id)}#{block}"
