"""Read files of bare repositories, as the product parses them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from devrag.parsing.api import parse_file
from devrag.parsing.types import ChunkFacts, FileFacts
from devrag.search.semantic.embedded_text import embedded_text

LARGEST_FILE = 120_000
_NO_SOURCE = re.compile(
    r"(^|/)(vendor|node_modules|dist|third_party|locales?|testdata|fixtures)/"
    r"|\.(lock|svg|json|csv|txt|xml|po|pot|html|snap|map|min\.js)$"
    # Translations into languages that nobody asks in.
    r"|(^|/)(pages|docs|guides?|content|source)[./](?!(ja|en)\b)[a-z]{2,3}([_-]\w+)?/"
)
_TEST = re.compile(r"(^|[/_.-])(tests?|specs?|testing)([/_.-]|$)", re.I)


@dataclass(frozen=True, slots=True)
class Repository:
    """A bare repository below a folder `owner+name`."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    def git(self, *argv: str) -> bytes:
        """Return what a git command prints."""
        return subprocess.run(
            ["git", "--literal-pathspecs", *argv],
            cwd=self.folder / "repo" if self._is_nested() else self.folder,
            capture_output=True,
            check=True,
        ).stdout

    def list_files(self, commit: str) -> list[str]:
        """Return the paths of a commit."""
        listed = self.git("ls-tree", "-r", "-z", "--name-only", commit).decode()
        return [path for path in listed.split("\0") if path]

    def parse(self, commit: str, path: str) -> FileFacts | None:
        """Return a file's facts, None of large ones, data and configuration."""
        try:
            data = self.git("show", f"{commit}:{path}")
        except subprocess.CalledProcessError:
            return None
        if len(data) > LARGEST_FILE:
            return None
        facts = parse_file(path, data.decode("utf-8", "replace"))
        return facts if facts.kind in {"code", "doc"} else None

    def _is_nested(self) -> bool:
        return (self.folder / "repo").is_dir()


def is_source(path: str) -> bool:
    """Return whether people wrote a file, in a language that is asked in."""
    return not _NO_SOURCE.search(path)


def is_test(path: str) -> bool:
    """Return whether a path is of tests."""
    return bool(_TEST.search(path))


def embedded(chunk: ChunkFacts, text: str) -> str:
    """Return what the product embeds of a chunk with this text."""
    return embedded_text(
        kind=chunk.kind, header=chunk.header, heading=chunk.heading, text=text
    )


def key_of(facts: FileFacts, chunk: ChunkFacts) -> str:
    """Return what is the same for a definition or section at every commit."""
    if chunk.symbol is None:
        return f"{facts.path}#{chunk.heading}"
    return f"{facts.path}#{facts.symbols[chunk.symbol].qualified_name}"


def definitions_in(facts: FileFacts) -> Iterator[ChunkFacts]:
    """Yield the chunks that are definitions."""
    for chunk in facts.chunks:
        if chunk.kind == "symbol" and chunk.symbol is not None:
            yield chunk
