"""The parser process: reads requests from stdin, writes one answer per request item.

`process.py` starts it. It has no settings, no database and no secrets. Two limits are
held by the kernel, because nothing else stops a parser written in C: RLIMIT_DATA for
memory and a CPU timer that starts again with each item.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import pickle
import resource
import select
import signal
import sys
import time
from io import RawIOBase
from pathlib import Path
from typing import Any, BinaryIO

from devrag.parsing.api import PARSE_TIMEOUT_SECONDS, parse_as_windows, parse_file
from devrag.parsing.isolated.messages import (
    EXIT_MEMORY,
    Item,
    ParserReply,
    RequestKind,
    frame,
    read_frame,
)
from devrag.parsing.json_data import load_json
from devrag.parsing.source import ParseTimeout, SourceText, TooMuch
from devrag.parsing.toml_data import load_toml
from devrag.parsing.types import PARSER_MEMORY, REASONS
from devrag.parsing.yaml_data import require_yaml

# Idle for so long, the process gives its memory back.
IDLE_SECONDS = 300.0
# Facts of a file take about three bytes for each of its text; qualified names of deeply
# nested definitions grow with the square of the depth.
_MOST_ANSWER_BYTES = 64_000_000
# Fewer collections: hardly any object of a parse is part of a cycle.
_GC_THRESHOLDS = (20_000, 20, 50)
_STATM = Path("/proc/self/statm")
_LOADERS = {
    RequestKind.JSON: load_json,
    RequestKind.TOML: load_toml,
    RequestKind.YAML: require_yaml,
}


def main() -> None:
    """Answer requests until stdin closes, nothing comes, or too much memory is held."""
    memory_bytes, cpu_seconds = int(sys.argv[1]), float(sys.argv[2])
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # so that no print can break the protocol
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    limit = _data_bytes() + memory_bytes
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most != resource.RLIM_INFINITY:
        limit = min(limit, most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    has_answered = False
    while _is_asked(requests):
        request = read_frame(requests)
        if request is None:
            return
        items = pickle.loads(request)  # noqa: S301  from our own parent
        is_alone = len(items) == 1 and not has_answered
        for item in items:
            # The default action of SIGPROF ends the process, in the midst of C code.
            signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
            answer = _encode(item, is_alone=is_alone)
            signal.setitimer(signal.ITIMER_PROF, 0)
            _write(answers, frame(answer))
            has_answered = True
        if _data_bytes() > limit - memory_bytes // 2:
            return


def _write(stream: RawIOBase, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[stream.write(view) or 0 :]


def _is_asked(requests: BinaryIO) -> bool:
    ready, _, _ = select.select([requests], [], [], IDLE_SECONDS)
    return bool(ready)


def _encode(item: Item, *, is_alone: bool) -> bytes:
    """Return the answer to an item.

    is_alone: nothing else was ever in this process. Otherwise a MemoryError, which may
    be due to what else is kept here, comes through: the caller tries the item alone.
    """
    try:
        data = pickle.dumps(_answer(item), pickle.HIGHEST_PROTOCOL)
        is_too_big = len(data) > _MOST_ANSWER_BYTES
    except RecursionError:
        is_too_big = True
    except MemoryError:
        if not is_alone:
            raise
        is_too_big = True
    if not is_too_big:
        return data
    if item.kind in _LOADERS:
        return pickle.dumps(ParserReply(error="it has too many values"))
    if item.kind == RequestKind.MASKED:
        return pickle.dumps(ParserReply(error=REASONS[PARSER_MEMORY]))
    facts = parse_as_windows(item.path, item.text, item.chunking, code=PARSER_MEMORY)
    return pickle.dumps(ParserReply(facts), pickle.HIGHEST_PROTOCOL)


def _answer(item: Item) -> ParserReply:
    if item.kind == RequestKind.FACTS:
        return ParserReply(parse_file(item.path, item.text, item.chunking))
    if item.kind == RequestKind.WINDOWS:
        facts = parse_as_windows(item.path, item.text, item.chunking, code=item.code)
        return ParserReply(facts)
    return _mask(item) if item.kind == RequestKind.MASKED else _load(item)


def _mask(item: Item) -> ParserReply:
    # Most of these processes never mask anything: a third of the time until they start.
    from devrag.core.masking import scan_secrets  # noqa: PLC0415

    masked = map(scan_secrets, item.texts)
    return ParserReply([each if each.places else None for each in masked])


def _load(item: Item) -> ParserReply:
    deadline = time.thread_time() + PARSE_TIMEOUT_SECONDS
    try:
        value: Any = _LOADERS[item.kind](SourceText(item.path, item.text, deadline))
    except (ValueError, RecursionError, ParseTimeout, TooMuch) as error:
        return ParserReply(error=str(error))
    return ParserReply(value)


def _data_bytes() -> int:
    """Return what RLIMIT_DATA counts; 0 where the system does not tell."""
    try:
        return int(_STATM.read_text().split()[5]) * resource.getpagesize()
    except OSError:
        return 0


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        os._exit(EXIT_MEMORY)
    except BrokenPipeError:
        os._exit(0)  # whoever asked has gone
