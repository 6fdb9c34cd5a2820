"""What is shared with an integration of Notion: what changed, in few requests.

A first run walks everything: search lists pages with their properties, 100 in an
answer, blocks and rows tell what lies below each. Later runs ask search alone, which
tells what was edited last, until it comes to what was there before. Once a day
everything is walked again, without reading what is as it was: what is deleted, moved or
archived is in no such answer, and search promises neither to be complete nor at once.
What is renamed or moved takes along what lies below it, as the mirror has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from devrag.core.errors import NotFound
from devrag.core.texts import gettext
from devrag.sources.connectors.notion import attachments
from devrag.sources.connectors.notion.address import NotionAddress
from devrag.sources.connectors.notion.api import NotionApi
from devrag.sources.connectors.notion.choice import Choice
from devrag.sources.connectors.notion.node import Node
from devrag.sources.connectors.notion.parents import Parents
from devrag.sources.connectors.notion.reader import PageReader
from devrag.sources.connectors.notion.state import read_states
from devrag.sources.connectors.notion.tree import Tree
from devrag.sources.connectors.notion.walk import Walk
from devrag.sources.connectors.pages.mark import Mark
from devrag.sources.connectors.pages.types import Batch, Probe, Versions
from devrag.sources.documents import read_time

# The index of search lags behind the pages, and times have no seconds.
_MARGIN = timedelta(minutes=15)
# How many answers of search a test of the connection counts.
_COUNTED = 3


class NotionRemote:
    """A page or database, or all that is shared. check_count: raises for too many."""

    def __init__(
        self,
        address: NotionAddress,
        api: NotionApi,
        choice: Choice,
        check_count: Callable[[int], None],
        tell: Callable[[str], None],
    ) -> None:
        self._address, self._api, self._choice = address, api, choice
        self._check_count, self._tell = check_count, tell
        self._mark = Mark()
        self._is_listed = False

    def probe(self) -> Probe:
        """Ask for the workspace and what is read of it, and count what is shared."""
        workspace = self._api.workspace()
        title, count, notes = workspace or "Notion", None, []
        if self._address.root_id:
            title = self._roots()[0].title or title
        else:
            count = self._count()
            notes = [_nothing_shared()] if count == 0 else []
        return Probe(title, (("pages", count),), (*notes, _everybody()))

    def fetch(self, since: str, cursor: str, known: Versions) -> Iterator[Batch]:
        """Yield what is new; everything that is there when a listing is due."""
        del cursor  # what the mirror knows is the place to go on from
        workspace = self._api.workspace()
        began = self._api.server_time or datetime.now(UTC)
        mark = Mark.read(since)
        self._is_listed = mark.is_listing_due(began)
        tree = Tree(read_states(known))
        reader = PageReader(
            self._api,
            self._address,
            self._choice,
            tree,
            workspace=workspace,
            now=began,
        )
        roots = self._roots() if self._address.root_id else []
        tree.add(roots)
        ids = [each.node_id for each in roots]
        parents = Parents(self._api, tree, ids, is_whole=self._is_listed)
        walk = Walk(
            self._api,
            tree,
            reader,
            parents,
            known,
            self._check_count,
            is_whole=self._is_listed,
        )
        if self._is_listed:
            yield from self._walk_all(walk, tree, ids)
            self._mark = Mark(began, began)
        else:
            yield from self._walk_changed(walk, tree, mark)
            self._mark = Mark(began, mark.listed)
        yield from walk.move()

    def mark(self) -> str:
        """Return when this run began, by the server's clock, and the last listing."""
        return self._mark.write()

    def list_ids(self, count: int, *, is_due: bool) -> Iterator[str] | None:
        """Yield nothing after a listing: all that is there was read or seen by it."""
        del count, is_due
        return iter(()) if self._is_listed else None

    def download(self, address: str, limit: int) -> bytes | None:
        """Return an attachment's bytes; None when it is gone or has more than limit."""
        return attachments.download(self._api, address, limit)

    def close(self) -> None:
        """Close the connection."""
        self._api.close()

    # -- walks ----------------------------------------------------------------------

    def _walk_all(self, walk: Walk, tree: Tree, roots: list[str]) -> Iterator[Batch]:
        for found in self._api.search():
            tree.add(found)
            if not roots:
                self._check_count(len(tree.nodes))
            self._tell(f"{len(tree.nodes):,} pages listed")
            yield Batch()
        first = roots or tree.tops()
        tree.lay_out(first)
        yield from walk.visit(first)
        # Of a page or database, what lies below it was found from there.
        yield from walk.visit(
            walk.rest({*tree.states} if roots else {*tree.nodes, *tree.states})
        )

    def _walk_changed(self, walk: Walk, tree: Tree, mark: Mark) -> Iterator[Batch]:
        since = (mark.at or datetime.now(UTC)) - _MARGIN
        changed: list[Node] = []
        for found in self._api.search():
            new = [node for node in found if _is_since(node, since)]
            changed += new
            if len(new) < len(found):
                break
        tree.add(changed)
        # What lies in a block is found when the page around it is read, if it changed.
        changed.sort(key=lambda node: node.parent_kind == "block_id")
        yield from walk.visit(node.node_id for node in changed)

    # -- what is read ---------------------------------------------------------------

    def _roots(self) -> list[Node]:
        """Return the page, or the data sources of the database, that is read."""
        root_id = self._address.root_id
        if page := self._api.page(root_id):
            return [page]
        ids = self._api.database(root_id)
        sources = [self._api.data_source(each) for each in ids or (root_id,)]
        found = [each for each in sources if each]
        if not found:
            raise _not_shared(self._address)
        return found

    def _count(self) -> int | None:
        """Return how many pages are shared; None for more than a few hundred."""
        count = 0
        for number, found in enumerate(self._api.search(), 1):
            count += len(found)
            if number == _COUNTED:
                return None
        return count


def _is_since(node: Node, since: datetime) -> bool:
    """Return whether a page was edited since, or nobody knows when."""
    edited = read_time(node.edited)
    return edited is None or edited >= since


def _not_shared(address: NotionAddress) -> NotFound:
    return NotFound(
        gettext(
            "%(url)s is not a page or database that is shared with the integration. "
            "Open it in Notion, choose Connections in its menu and add the "
            "integration."
        )
        % {"url": address.url}
    )


def _nothing_shared() -> str:
    return gettext(
        "Nothing is shared with the integration yet. Open a page in Notion, choose "
        "Connections in its menu and add the integration."
    )


def _everybody() -> str:
    return gettext(
        "Everything that is shared with the integration becomes visible to everyone "
        "who can see the product."
    )
