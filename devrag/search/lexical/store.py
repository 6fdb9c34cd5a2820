"""The tantivy index on this host's disk: schema, generation file, reader and writer.

Deleting the folder is always safe: the follower builds it again from PostgreSQL. The
generation file says which activation of each ref the last commit holds.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path

import tantivy

from devrag.core.errors import Conflict
from devrag.search.lexical.analyser import ANALYSER_VERSION, analyse
from devrag.search.lexical.labels import folders, label, places

SCHEMA_VERSION = 5
COUNTED_FIELDS = ("language", "kind", "folder")
TEXT_FIELDS = ("body", "path", "symbols", "headings", "header")
# More made neither a first index of a million lines faster nor the index smaller.
_WRITER_HEAP_BYTES = 32_000_000


@dataclass(frozen=True, slots=True)
class Generation:
    """What a commit holds. sequences: source id → (ref id, sequence); labels: source id
    → the number of the last change of its labels.

    database: identity of the database it was read from; ids mean nothing in another.
    """

    database: str = ""
    sequences: dict[int, tuple[int, int]] = field(default_factory=dict)
    analyser_version: int = ANALYSER_VERSION
    schema_version: int = SCHEMA_VERSION
    labels: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LexicalDocument:
    """One chunk as the index sees it: raw text; analysis happens here.

    kinds: of its file, of the chunk, of the definitions it is the body of; complexity:
    the highest of these definitions. label_ids: of the labels of its file. terms,
    changed_day: of the page or ticket that its file is; day 1 is 0001-01-01, 0 unknown.
    """

    chunk_id: int
    file_id: int
    source_id: int
    body: str
    path: str
    symbols: str
    headings: str
    header: str
    is_generated: bool = False
    language: str = ""
    mime: str = ""
    kinds: tuple[str, ...] = ()
    complexity: int = 0
    label_ids: tuple[int, ...] = ()
    terms: tuple[str, ...] = ()
    changed_day: int = 0

    def labels(self) -> str:
        """Return what filters ask for."""
        named = [label("language", self.language), label("mime", self.mime)]
        named += [label("kind", kind) for kind in self.kinds]
        named += [label("label", str(number)) for number in self.label_ids]
        return " ".join([*named, *(label("document", term) for term in self.terms)])


def build_schema() -> tantivy.Schema:
    """Return the schema: ids as numbers, text fields tokenised before they come.

    labels, places: what filters ask for; language, kind, folder: what is counted of the
    chunks found. See devrag.search.lexical.labels.
    """
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("chunk_id", fast=True)
    builder.add_unsigned_field("file_id", indexed=True)
    builder.add_unsigned_field("source_id", indexed=True, fast=True)
    builder.add_unsigned_field("is_generated", indexed=True)
    builder.add_unsigned_field("complexity", fast=True)
    builder.add_unsigned_field("changed_day", fast=True)
    builder.add_text_field("labels", tokenizer_name="whitespace", index_option="basic")
    for name in COUNTED_FIELDS:
        builder.add_text_field(
            name, fast=True, tokenizer_name="raw", index_option="basic"
        )
    for name in ("places", *TEXT_FIELDS):
        builder.add_text_field(name, stored=False, tokenizer_name="whitespace")
    return builder.build()


_SCHEMA = build_schema()


def open_index(folder: Path, *, create: bool = False) -> tantivy.Index:
    """Open the index in `folder`; ValueError when there is none or it is broken."""
    if create:
        folder.mkdir(parents=True, exist_ok=True)
        index = tantivy.Index(build_schema(), path=str(folder))
    else:
        index = tantivy.Index.open(str(folder))
    analyser = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("whitespace", analyser)
    return index


def can_open(folder: Path) -> bool:
    """Return whether there is an index with the files that its head names."""
    try:
        open_index(folder)
    except ValueError:
        return False
    return True


def read_generation(folder: Path) -> Generation | None:
    """Return the generation of the last commit; None when absent, old or unreadable."""
    try:
        data = json.loads((folder / "generation.json").read_text("utf-8"))
        sequences = {
            int(k): (int(v[0]), int(v[1])) for k, v in data["sequences"].items()
        }
        found = Generation(
            data["database"],
            sequences,
            data["analyser_version"],
            data["schema_version"],
            {int(k): int(v) for k, v in data.get("labels", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None
    current = (ANALYSER_VERSION, SCHEMA_VERSION)
    return found if (found.analyser_version, found.schema_version) == current else None


def write_generation(folder: Path, generation: Generation) -> None:
    """Replace the generation file atomically, after the commit it describes."""
    draft = folder / f".generation.{os.getpid()}"
    draft.write_text(json.dumps(asdict(generation)), encoding="utf-8")
    draft.replace(folder / "generation.json")


def forget_generation(folder: Path) -> None:
    """Let nobody ask the index any more; the next pass builds it from the database."""
    (folder / "generation.json").unlink(missing_ok=True)


def delete_index(folder: Path) -> None:
    """Remove the index, so that the next pass builds it from the database."""
    shutil.rmtree(folder, ignore_errors=True)


class LexicalWriter:
    """The one writer of a host's index. Re-applying a change is harmless.

    Raises ValueError for a broken index, Conflict while another process writes it.
    """

    def __init__(self, folder: Path) -> None:
        index = open_index(folder, create=True)
        try:
            self._writer = index.writer(_WRITER_HEAP_BYTES, 1)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise
            raise Conflict(
                f"Another follower is writing to {folder}. Run only one per host."
            ) from error

    def delete_all(self) -> None:
        self._writer.delete_all_documents()

    def delete_source(self, source_id: int) -> None:
        self._delete("source_id", source_id)

    def delete_file(self, file_id: int) -> None:
        self._delete("file_id", file_id)

    def _delete(self, field_name: str, key: int) -> None:
        # delete_documents_by_term() takes the number for a signed one, finds nothing.
        query = tantivy.Query.term_query(_SCHEMA, field_name, key)
        self._writer.delete_documents_by_query(query)

    def add(self, item: LexicalDocument) -> None:
        document = tantivy.Document()
        document.add_unsigned("chunk_id", item.chunk_id)
        document.add_unsigned("file_id", item.file_id)
        document.add_unsigned("source_id", item.source_id)
        document.add_unsigned("is_generated", int(item.is_generated))
        document.add_unsigned("complexity", item.complexity)
        document.add_unsigned("changed_day", item.changed_day)
        document.add_text("labels", item.labels())
        document.add_text("language", item.language)
        for kind in item.kinds:
            document.add_text("kind", kind)
        for folder in folders(item.path):
            document.add_text("folder", folder)
        document.add_text("places", places(item.path))
        for name in TEXT_FIELDS:
            document.add_text(name, analyse(getattr(item, name)))
        self._writer.add_document(document)

    def commit(self) -> None:
        self._writer.commit()

    def close(self) -> None:
        """Finish merges and give the lock back."""
        self._writer.wait_merging_threads()
