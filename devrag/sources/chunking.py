"""How large a source's chunks are: by its own sizes, else by the installation's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.parsing.chunking import (
    MAX_CHARS,
    MAX_TOKENS,
    MIN_CHARS,
    MIN_TOKENS,
    ChunkOptions,
    complete_options,
)
from devrag.sources.models import Source

# Key of a source's metadata → the least and the most it may be.
CHUNK_LIMITS = {
    "chunk_tokens": (MIN_TOKENS, MAX_TOKENS),
    "chunk_overlap_tokens": (0, MAX_TOKENS // 2),
    "chunk_max_chars": (MIN_CHARS, MAX_CHARS),
}


def source_chunking(source: Source) -> ChunkOptions:
    """Return the sizes of a source's chunks; raise InvalidInput if they contradict."""
    return read_chunking(source.metadata, _usual())


def default_sizes(source: Source) -> tuple[int, int, int]:
    """Return for each of CHUNK_LIMITS what holds while the source does not set it."""
    own = {key: source.metadata.get(key) for key in CHUNK_LIMITS}
    tokens, overlap, most = (
        _complete({**own, key: None}, _usual()) for key in CHUNK_LIMITS
    )
    return tokens.tokens, overlap.overlap_tokens, most.max_chars


def _usual() -> ChunkOptions:
    return ChunkOptions(
        settings.CHUNK_TOKENS, settings.CHUNK_OVERLAP_TOKENS, settings.CHUNK_MAX_CHARS
    )


def read_chunking(metadata: Mapping[str, Any], usual: ChunkOptions) -> ChunkOptions:
    """Read `chunk_tokens`, `chunk_overlap_tokens` and `chunk_max_chars`.

    usual: the installation's. What a source leaves out follows in proportion from a
    size that it does set, else it is as usual.
    """
    for key in CHUNK_LIMITS:
        if metadata.get(key) is not None:
            check_chunk_size(key, metadata[key])
    options = _complete(metadata, usual)
    if options.overlap_tokens > options.tokens // 2:
        raise InvalidInput(
            gettext(
                "chunk_overlap_tokens is %(overlap)s for chunks of %(tokens)s tokens. "
                "Set it to at most %(most)s (half a chunk)."
            )
            % {
                "overlap": options.overlap_tokens,
                "tokens": options.tokens,
                "most": options.tokens // 2,
            }
        )
    return options


def check_chunk_size(key: str, value: Any) -> None:
    """Raise InvalidInput unless a size is a whole number within its limits."""
    least, most = CHUNK_LIMITS[key]
    if type(value) is not int or not least <= value <= most:
        raise InvalidInput(
            gettext(
                "%(key)s is %(value)s; it must be a whole number from %(least)s to "
                "%(most)s."
            )
            % {"key": key, "value": repr(value), "least": least, "most": most}
        )


def _complete(own: Mapping[str, Any], usual: ChunkOptions) -> ChunkOptions:
    tokens, overlap, most = (own.get(key) for key in CHUNK_LIMITS)
    if tokens is None and most is None and overlap is None:
        overlap = usual.overlap_tokens
    if tokens is None and most is None:
        most = usual.max_chars
    return complete_options(usual.tokens if tokens is None else tokens, overlap, most)
