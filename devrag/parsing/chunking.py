"""How large chunks are: plain values that travel to any process that parses.

Equal options cut equal text alike. Facts that other options made are another version
of the facts, stored beside the first, as those of another parser are.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from zlib import crc32

from devrag.parsing.tokens import CHARACTERS_PER_TOKEN
from devrag.parsing.types import FACTS_VERSION

MIN_TOKENS, MAX_TOKENS = 50, 4_000
MIN_CHARS, MAX_CHARS = 200, 20_000
# facts_version = parser's version + STEP × digest of the options, 0 for the usual
# ones. It fits into the 31 bits of its column; two options share a digest about once
# in two million pairs, and a change between those two would go unnoticed.
STEP = 1_000
_DIGESTS = 2_000_000


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """Sizes by which text is cut into chunks.

    tokens: of a window, about 800. overlap_tokens: what a window repeats of the one
    before, at most half of it. max_chars: text of up to that many characters stays one
    chunk. A function, class or code block is cut when it is longer than long_tokens or
    block_tokens.
    """

    tokens: int = 800
    overlap_tokens: int = 200
    max_chars: int = 3_000

    @property
    def max_weight(self) -> float:
        """Return max_chars as estimated tokens, before rounding."""
        return self.max_chars / CHARACTERS_PER_TOKEN

    @property
    def long_tokens(self) -> int:
        """Return how long a definition may be and stay one chunk."""
        return self.tokens * 3 // 2

    @property
    def block_tokens(self) -> int:
        """Return how long a document's code block may be and stay one chunk."""
        return self.tokens * 5 // 2

    def without_overlap(self) -> ChunkOptions:
        """Return the same sizes for windows that repeat nothing."""
        return replace(self, overlap_tokens=0)

    def facts_version(self) -> int:
        """Return the version of the facts that this parser makes by these options."""
        if self == DEFAULT_CHUNKING:
            return FACTS_VERSION
        digest = 1 + crc32(repr(astuple(self)).encode()) % _DIGESTS
        return FACTS_VERSION + STEP * digest


DEFAULT_CHUNKING = ChunkOptions()


def complete_options(
    tokens: int, overlap_tokens: int | None = None, max_chars: int | None = None
) -> ChunkOptions:
    """Return options; what is None follows the others in proportion.

    No window is larger than max_chars allows, whatever tokens says.
    """
    if max_chars is None:
        max_chars = tokens * DEFAULT_CHUNKING.max_chars // DEFAULT_CHUNKING.tokens
    size = min(tokens, int(max_chars / CHARACTERS_PER_TOKEN))
    if overlap_tokens is None:
        overlap_tokens = (
            size * DEFAULT_CHUNKING.overlap_tokens // DEFAULT_CHUNKING.tokens
        )
    return ChunkOptions(size, overlap_tokens, max_chars)


def parser_version(version: int) -> int:
    """Return the parser's part of a facts version."""
    return version % STEP
