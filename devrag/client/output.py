"""What the client prints: a document for programs, lines for people."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

from devrag.core.text import one_line


def tell(line: str) -> None:
    """Print a line on stdout."""
    sys.stdout.write(f"{line}\n")


def complain(line: str) -> None:
    """Print a line on stderr."""
    sys.stderr.write(f"{line}\n")


def tell_json(data: object) -> None:
    """Print one JSON document on stdout."""
    tell(json.dumps(data, ensure_ascii=False, indent=2))


def answer(
    options: Namespace, data: Mapping[str, Any] | Sequence[Any], text: str
) -> None:
    """Print the document with `--json`, else the text."""
    if options.json:
        tell_json(data)
    else:
        tell(text)


def answer_lines(
    options: Namespace, data: Sequence[Mapping[str, Any]], lines: Sequence[str]
) -> None:
    """Print the rows with `--json`, else a line for each."""
    if options.json:
        tell_json(data)
        return
    for line in lines:
        tell(one_line(line))
