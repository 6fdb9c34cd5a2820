"""Blocks of a file in colour, kept on disk once they are known.

The colours of a block depend on every line before it. A page does not wait for those of
a long file: it shows the lines as they are while a thread colours the whole file.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import islice
from pathlib import Path

import structlog
from django.conf import settings
from django.core.cache.backends.filebased import FileBasedCache
from django.utils.html import escape
from pygments import __version__ as pygments_version

from devrag.core.highlight import lex_lines
from devrag.sources.models import File

# So many characters are coloured in about 0.2 seconds.
SLOW_CHARACTERS = 80_000
_CACHED_BLOCKS = 2_000
_MOST_WAITING = 20
_RULES = 1  # raise it when equal text gets other HTML

log = structlog.get_logger(__name__)
_background = ThreadPoolExecutor(max_workers=1, thread_name_prefix="highlight")
_waiting: set[str] = set()
_lock = threading.Lock()
Ranges = Sequence[tuple[int, int]]


def highlight_block(
    file: File, lines: list[str], ranges: Ranges, at: int
) -> tuple[list[str], bool]:
    """Return a block's HTML and whether it has its colours; if not, ask again soon.

    ranges: first and last line of each block; at: the number of the wanted one.
    """
    first, last = ranges[at]
    known = _cache(settings.DEVRAG_HOME).get(_key(file, at, ranges[at]))
    if isinstance(known, list) and len(known) == last - first + 1:
        return known, True
    if at == 0:
        return _colour(file, lines, ranges[:1])[0], True
    if sum(map(len, lines)) <= SLOW_CHARACTERS:
        return _colour(file, lines, ranges)[at], True
    _colour_later(file, lines, ranges)
    return [escape(line) for line in lines[first - 1 : last]], False


def _colour_later(file: File, lines: list[str], ranges: Ranges) -> None:
    """Colour a file in the background, once."""
    key = _key(file, 0, ranges[0])
    with _lock:
        if key in _waiting or len(_waiting) >= _MOST_WAITING:
            return
        _waiting.add(key)
    _background.submit(_colour_whole, file, lines, ranges, key)


def _colour_whole(file: File, lines: list[str], ranges: Ranges, key: str) -> None:
    try:
        _colour(file, lines, ranges)
    finally:
        with _lock:
            _waiting.discard(key)


def _colour(file: File, lines: list[str], wanted: Ranges) -> list[list[str]]:
    """Return the HTML of the first blocks, and keep it."""
    lexed = lex_lines(lines, file.language)
    blocks = [list(islice(lexed, end - begin + 1)) for begin, end in wanted]
    cache = _cache(settings.DEVRAG_HOME)
    try:
        for i, block in enumerate(blocks):
            cache.set(_key(file, i, wanted[i]), block)
    except OSError as error:
        log.warning("highlight_not_kept", path=file.path, reason=str(error))
    return blocks


@lru_cache(maxsize=1)
def _cache(home: Path) -> FileBasedCache:
    folder = home / "cache" / "highlight"
    options = {"MAX_ENTRIES": _CACHED_BLOCKS}
    return FileBasedCache(str(folder), {"TIMEOUT": None, "OPTIONS": options})


def _key(file: File, block: int, lines: tuple[int, int]) -> str:
    rules = f"{_RULES}-{pygments_version}-{block}-{lines[0]}-{lines[1]}"
    # The same bytes may be read as another text by other rules of parsing.
    text = f"{file.content_hash}-{file.facts_version}-{file.encoding}"
    return f"{text}-{file.language}-{rules}"
