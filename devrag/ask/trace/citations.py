"""Number the lines that a traced answer cites, within the budget of an answer."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from devrag.ask.types import MAX_FILES, MAX_LINES, Passage, PassageKind
from devrag.sources.models import File, GitRef

# A call with its arguments; a definition with its signature and what it says of itself.
CALL_LINES, HEAD_LINES = 3, 8


class Citations:
    """The passages of one answer. Files are read together, before they are cited."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._files: dict[int, File] = {}
        self._versions: dict[int, str] = {}

    def load(self, files: Collection[int]) -> None:
        """Read files that will be cited. Queries: 2 at most."""
        new = set(files) - self._files.keys()
        if new:
            rows = File.objects.select_related("source__product")
            self._files |= rows.in_bulk(new)
        sources = {file.source_id for file in self._files.values()}
        if unknown := sources - self._versions.keys():
            refs = GitRef.objects.filter(source__in=unknown, is_current=True)
            for source, version in refs.values_list(
                "source", "snapshot__version_identifier"
            ):
                self._versions[source] = version or ""

    def source_name(self, file: int) -> str:
        """Return the source of a file that is loaded."""
        return self._files[file].source.name

    def line(self, file: int, number: int) -> str:
        """Return a line of a loaded file, "" beyond its end."""
        lines = self._files[file].text.split("\n")
        return lines[number - 1] if number <= len(lines) else ""

    def cite(
        self,
        file: int,
        lines: tuple[int, int],
        kind: PassageKind,
        *,
        title: str = "",
        why: str = "",
        uuid: UUID | None = None,
    ) -> str:
        """Return ` [n](cite:n)` for lines of a loaded file, "" beyond the budget."""
        self.load([file])
        start, end = lines[0], min(lines[1], max(self._files[file].lines, lines[0]))
        place = (file, start, end)
        if place not in self._numbers:
            if not self._has_room(file, end - start + 1):
                return ""
            self.passages.append(self._passage(place, kind, title, why, uuid))
            self._numbers[place] = len(self.passages)
        number = self._numbers[place]
        return f" [{number}](cite:{number})"

    def _has_room(self, file: int, size: int) -> bool:
        files = {key for key, _, _ in self._numbers}
        lines = sum(each.line_count for each in self.passages)
        return len(files | {file}) <= MAX_FILES and lines + size <= MAX_LINES

    def _passage(
        self,
        place: tuple[int, int, int],
        kind: PassageKind,
        title: str,
        why: str,
        uuid: UUID | None,
    ) -> Passage:
        key, start, end = place
        file = self._files[key]
        return Passage(
            id=f"E{len(self.passages) + 1}",
            product=file.source.product.name,
            source=file.source.name,
            path=file.path,
            start_line=start,
            end_line=end,
            text="\n".join(file.text.split("\n")[start - 1 : end]),
            version_identifier=self._versions.get(file.source_id, ""),
            content_hash=file.content_hash,
            kind=kind,
            language=file.language,
            title=title,
            why=why,
            symbol_uuid=uuid,
        )
