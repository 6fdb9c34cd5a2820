"""read_file and list_tree: the source itself, by lines and by folders."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from devrag.core.errors import InvalidInput, NotFound
from devrag.mcp.arguments import SourceName, Tokens
from devrag.mcp.budget import fit_lines
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_source
from devrag.sources.api import TreeEntry, get_current_file, list_entries
from devrag.sources.chunk_keys import split_chunk_key
from devrag.sources.models import Chunk, File, GitRef, Source, Symbol

_DEFAULT_BUDGET, _MOST_ENTRIES, _MOST_OUTLINED = 3_000, 300, 60


class FileText(TypedDict):
    """Lines of a file at the indexed commit. outline: what stands where in it."""

    source: str
    path: str
    commit: str
    language: str
    start_line: int
    end_line: int
    total_lines: int
    text: str
    outline: NotRequired[list[str]]
    next: NotRequired[str]


class FolderTree(TypedDict):
    """Entries: `src/ 12 files 3400 lines`, `README.md 80 lines`."""

    source: str
    entries: list[str]
    next: NotRequired[str]


Line = Annotated[int, Field(ge=0, description="From 1; 0 for the last.")]


def read_file(
    ctx: Ctx,
    source: SourceName,
    path: Annotated[
        str,
        Field(
            min_length=1, max_length=4000, description="As named in results; chunk_key."
        ),
    ],
    start_line: Annotated[int, Field(ge=1)] = 1,
    end_line: Line = 0,
    budget: Tokens = _DEFAULT_BUDGET,
) -> FileText:
    """Read lines of an indexed file. Request a range, such as the lines of a result.

    If the file does not fit into the budget, an outline of its definitions is added.
    """
    held = find_source(caller(ctx, "read"), source)
    key = split_chunk_key(path)
    file = get_current_file(held, key[0] if key else path)
    if key and (start_line, end_line) == (1, 0):
        start_line, end_line = _chunk_lines(file, key[1])
    lines = file.text.split("\n")
    total = len(lines) - (lines[-1] == "")
    last = min(end_line or total, total)
    if start_line > max(1, last):
        raise InvalidInput(
            f"Lines {start_line} to {end_line or total} do not exist: {file.path} has "
            f"{total} lines."
        )
    shown = fit_lines(lines[start_line - 1 : last], budget)
    found = FileText(
        source=held.name,
        path=file.path,
        commit=_commit(held),
        language=file.language,
        start_line=start_line,
        end_line=start_line + len(shown) - 1,
        total_lines=total,
        text="\n".join(shown),
    )
    if found["end_line"] < last:
        found["outline"] = _outline(file)
        found["next"] = f"Continue with start_line={found['end_line'] + 1}."
    return found


def _chunk_lines(file: File, ordinal: int) -> tuple[int, int]:
    rows = Chunk.objects.filter(file=file, ordinal=ordinal)
    found = rows.values_list("start_line", "end_line").first()
    if found is None:
        raise NotFound(
            f"{file.path} has no chunk {ordinal} in the current version: it has "
            f"{file.chunk_count}, starting at 0. Search again."
        )
    return found


def _commit(source: Source) -> str:
    ref = GitRef.objects.filter(source=source, is_current=True)
    return ref.values_list("snapshot__version_identifier", flat=True).first() or ""


def _outline(file: File) -> list[str]:
    rows = Symbol.objects.filter(file=file).exclude(scope="local")
    rows = rows.order_by("start_line").only("kind", "qualified_name", "start_line")
    return [
        f"{row.start_line} {row.kind} {row.qualified_name}"
        for row in rows[:_MOST_OUTLINED]
    ]


def list_tree(
    ctx: Ctx,
    source: SourceName,
    path: Annotated[str, Field(max_length=4000, description="A folder.")] = "",
    depth: Annotated[int, Field(ge=1, le=5, description="Number of levels.")] = 1,
) -> FolderTree:
    """List a folder of a source: files and folders with their number of lines."""
    held = find_source(caller(ctx, "read"), source)
    entries = list_entries(held, path, depth)
    found = FolderTree(source=held.name, entries=list(_lines(entries[:_MOST_ENTRIES])))
    if len(entries) > _MOST_ENTRIES:
        found["next"] = (
            f"{len(entries) - _MOST_ENTRIES} more entries: list a subfolder, or "
            "reduce depth."
        )
    return found


def _lines(entries: Iterable[TreeEntry]) -> Iterable[str]:
    for entry in entries:
        if entry.is_folder:
            yield f"{entry.path}/ {entry.files} files {entry.lines} lines"
        else:
            yield f"{entry.path} {entry.lines} lines"
