"""What a question's tools may read: what the asker may, within the question's scope."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from devrag.ask.types import AskRequest
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.core.text import shorten
from devrag.navigation.symbol_search import FoundSymbol, find_symbols
from devrag.sources.api import clean_path, get_current_file
from devrag.sources.models import File, Source

_NAMED = 8


@dataclass(frozen=True, slots=True)
class Reach:
    """Sources whose texts may be shown to a model.

    path: what all paths begin with. products: to be searched one by one, "" for all
    that the asker may see, of which some may not be shown.
    """

    principal: Principal
    sources: tuple[Source, ...]
    path: str
    products: tuple[str, ...]

    @classmethod
    def of(cls, request: AskRequest) -> Reach:
        """Return it as it is now: rights change and products go meanwhile."""
        scope = request.scope
        rows = Source.objects.visible_to(request.principal).filter(
            product__is_external_models_allowed=True, product__is_deleting=False
        )
        if scope.products:
            rows = rows.filter(product__name__in=scope.products)
        if scope.source:
            rows = rows.filter(name=scope.source)
        # Lines are asked about with what stands around them, anywhere.
        path = "" if scope.lines else scope.path
        sources = tuple(rows.select_related("product").order_by("name"))
        held = {source.product.name for source in sources}
        products = tuple(name for name in scope.products if name in held)
        asked = products if scope.products else ("",)
        return cls(request.principal, sources, path, asked)

    @property
    def source_ids(self) -> list[int]:
        return [source.pk for source in self.sources]

    def place(self, source: str, path: str, line: int) -> str:
        """Return where something is, as read_lines takes it."""
        named = f"{source}: " if len(self.sources) > 1 else ""
        return f"{named}{path}:{line}"

    def find_file(self, path: str, source_name: str = "") -> File:
        """Return a file by its path. Raises NotFound, InvalidInput with the way out."""
        wanted = clean_path(path)
        sources = self._named(source_name)
        for source in sources:
            # As people write it who have several checkouts.
            rest = wanted.removeprefix(f"{source.name}/")
            if rest != wanted and self._holding(rest, (source,)):
                wanted, sources = rest, (source,)
        if not wanted.startswith(self.path):
            raise NotFound(f"Only paths that begin with '{self.path}' can be read.")
        if len(sources) > 1:
            sources = self._holding(wanted, sources) or sources
        if len(sources) > 1:
            names = ", ".join(source.name for source in sources[:_NAMED])
            raise InvalidInput(
                f"'{shorten(wanted, 200)}' may be in several sources. Name one as "
                f"source: {names}."
            )
        return get_current_file(sources[0], wanted)

    def find_symbols(
        self, name: str, *, path: str = "", source_name: str = "", limit: int
    ) -> list[FoundSymbol]:
        """Return definitions of a name, best first; an empty list for none."""
        ids = [source.pk for source in self._named(source_name)]
        wanted = clean_path(path)
        found = find_symbols(ids, name, limit=limit if not wanted else limit * 5)
        within = [row for row in found if row.symbol.file.path.startswith(self.path)]
        exact = [row for row in within if wanted and wanted in row.symbol.file.path]
        return (exact or within)[:limit]

    def _named(self, name: str) -> tuple[Source, ...]:
        named = tuple(each for each in self.sources if each.name == name)
        if not self.sources:
            raise NotFound("No source of the question's scope can be read any more.")
        if name and not named:
            names = ", ".join(source.name for source in self.sources[:_NAMED])
            raise NotFound(f"There is no source of that name. Known: {names}.")
        return named or self.sources

    @staticmethod
    def _holding(path: str, sources: tuple[Source, ...]) -> tuple[Source, ...]:
        rows: QuerySet[File] = File.objects.filter(
            path=path,
            source__in=[source.pk for source in sources],
            manifests__until=None,
            manifests__ref__is_current=True,
        )
        held = set(rows.values_list("source_id", flat=True))
        return tuple(source for source in sources if source.pk in held)


def find_payer(request: AskRequest) -> int | None:
    """Return a product that pays where no passage tells, None where none may."""
    sources = Reach.of(request).sources
    return sources[0].product_id if sources else None
