"""What the parser process is sent and answers: pickles with their length before them.

Both ends are this code in one user's processes: a pipe adds no privilege to guard.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import Enum
from typing import Any, BinaryIO

from devrag.parsing.chunking import DEFAULT_CHUNKING, ChunkOptions

LENGTH = struct.Struct(">Q")
# The exit status of a child whose Python code ran out of memory.
EXIT_MEMORY = 3


class RequestKind(Enum):
    """What to make of a text."""

    FACTS = "facts"
    WINDOWS = "windows"
    JSON = "json"
    TOML = "toml"
    YAML = "yaml"
    MASKED = "masked"


@dataclass(frozen=True, slots=True)
class Item:
    """One text to parse. code: why it is to be windows. chunking: sizes of chunks.

    texts: those to mask, of one file or of several.
    """

    kind: RequestKind
    path: str
    text: str
    code: str = ""
    chunking: ChunkOptions = DEFAULT_CHUNKING
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParserReply:
    """FileFacts, Placed or masked texts, or the error that says why there is none.

    A text (a Masked) that needed no mask is None: most do not, and are not
    sent back.
    """

    value: Any = None
    error: str = ""


def frame(data: bytes) -> bytes:
    """Return the data with its length before it."""
    return LENGTH.pack(len(data)) + data


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the next frame's data, None at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None
