"""`facts`: what the parser finds in files, without a database."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import NotFound
from devrag.indexing.extract import extract_text, mask_texts
from devrag.indexing.parser import parser
from devrag.parsing.text import Unreadable

# Hidden folders of tools; those of a project, like `.github`, are sources.
_TOOLS = {".git", ".venv", ".tox", ".mypy_cache", ".ruff_cache", ".pytest_cache"}


class Command(DevragCommand):
    """Print the FileFacts of a file or folder."""

    help = (
        "Print what the parser finds in a file or folder as a JSON list: language,"
        " symbols, references, chunks, facts, warnings. Example: devrag facts src/"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="File or folder.")

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path = options["path"]
        if not path.exists():
            raise NotFound(f"File or folder not found: {path}. Check the spelling.")
        # One file at a time, so that a large folder need not fit into memory.
        mark = "["
        for found in _facts(path):
            self.stdout.write(mark, ending="")
            self.stdout.write(json.dumps(found, ensure_ascii=False), ending="")
            mark = ",\n"
        self.stdout.write("[]" if mark == "[" else "]")


def _facts(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the facts of each file below a path; what has no text says why."""
    for file, name in _files(path):
        [masked] = mask_texts([(name, extract_text(name, file.read_bytes()))])
        text = masked.found
        if isinstance(text, Unreadable):
            yield {"path": name, "warnings": [f"{name}: {text.reason}"]}
        else:
            for facts in parser().parse_files([(name, text.text)]):
                yield asdict(facts)


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield files with their paths in the source, those of tools left out."""
    if path.is_file():
        yield path, path.as_posix().removeprefix("./").lstrip("/")
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(set(folders) - _TOOLS)
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file():
                yield file, file.relative_to(path).as_posix()
