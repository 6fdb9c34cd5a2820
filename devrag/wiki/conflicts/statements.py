"""Read out of a document what it says of code, with the exact lines.

Pure: text in, statements out. What is not certainly about the product's present code is
left aside, as a box that is wrong costs more trust than one that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from devrag.core.conflict_names import (
    COMMAND,
    DEFAULT,
    ENVIRONMENT,
    PATH,
    PORT,
    SYMBOL,
    VERSION,
)
from devrag.wiki.conflicts.lines import (
    OTHER_TIME,
    DocumentLine,
    is_of_another_time,
    is_wish,
    present_lines,
)
from devrag.wiki.conflicts.read_names import paths_in, symbols_in, variables_in
from devrag.wiki.conflicts.read_use import commands_in, options_in, routes_in
from devrag.wiki.conflicts.read_values import (
    described_defaults,
    ports_in,
    row_defaults,
    sentence_defaults,
    versions_in,
)
from devrag.wiki.conflicts.types import StatementFacts

# Raised whenever equal text gives other statements: documents are read again then.
STATEMENTS_VERSION = 3
PAGE, TICKET = "page", "ticket"
MOST_OF_A_DOCUMENT = 2_000

Reader = Callable[[list[DocumentLine]], Iterator[StatementFacts]]
_READERS: tuple[Reader, ...] = (
    sentence_defaults,
    described_defaults,
    row_defaults,
    variables_in,
    versions_in,
    ports_in,
    routes_in,
    commands_in,
    options_in,
    paths_in,
    symbols_in,
)
_SHOWN_CODE = re.compile(r"`+[^`]*`+")
# A name that stands for any other: `shop_foo_init`.
_PLACEHOLDER = re.compile(
    r"(?<![^\W_])(foo|bar|baz|qu+x|xxx+|yyy+|zzz+|spam|eggs)(?![^\W_\d])", re.IGNORECASE
)
# Sentences that tell readers to make something of their own.
_MADE = {PATH, SYMBOL, COMMAND}
_BY_READERS = re.compile(
    r"\b(create|make|add|put|save|write|generate|define|your|named|new|let'?s)\b",
    re.IGNORECASE,
)
_NAMED = {ENVIRONMENT, PATH, SYMBOL}
_OF_TICKETS = {DEFAULT, VERSION, PORT}


def statements_of(
    path: str, text: str, *, language: str = "", kind: str = ""
) -> list[StatementFacts]:
    """Return what a document says, in the order of its lines, each once.

    kind: `ticket` and `page` of a tracker or wiki, '' for files of a repository.
    """
    if not kind and is_of_another_time(path):
        return []
    is_rst = language == "rst" or path.endswith((".rst", ".txt"))
    lines = list(present_lines(text, is_rst=is_rst))
    found: dict[tuple[str, str, str], StatementFacts] = {}
    for reader in _READERS:
        for each in reader(lines):
            if not _is_of_now(each, kind):
                continue
            found.setdefault((each.kind, each.subject, each.value), each)
    ordered = sorted(found.values(), key=lambda s: (s.start_line, s.kind, s.subject))
    return ordered[:MOST_OF_A_DOCUMENT]


def _is_of_now(said: StatementFacts, kind: str) -> bool:
    prose = _SHOWN_CODE.sub("", said.text)
    if said.kind in _NAMED and _PLACEHOLDER.search(said.subject):
        return False
    if OTHER_TIME.search(prose) or (said.kind in _MADE and _BY_READERS.search(prose)):
        return False
    return kind != TICKET or (said.kind in _OF_TICKETS and not is_wish(said.text))
