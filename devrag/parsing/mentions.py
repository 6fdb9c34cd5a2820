"""What a text speaks of by name: tickets, pages of the web, and code.

Of code and data only tickets and addresses are read, tickets only where prose stands;
of documents also names of code and paths. Nothing here knows whether they exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from devrag.parsing.source import SourceText
from devrag.parsing.types import ADDRESS, MENTION, TICKET, ReferenceFacts

# A file with more of a kind is generated, or a list of everything.
_MOST = 1_000
_MOST_CHARACTERS = 300
# No person wrote a longer one.
_LONGEST_LINE = 5_000
_TICKET = re.compile(
    r"(?<![\w&#/\"'=:.\-])(?P<sign>#|GH-|!)(?P<number>[1-9]\d{0,6})(?![\w-])"
)
# In code `#123` may be a colour, a directive or an index; so it counts in comments, and
# behind such a word.
_ANNOUNCED = re.compile(
    r"(?i)(?:issues?|bugs?|tickets?|prs?|pull(?: request)?|merge request|mr|redmine"
    r"|fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see|gh)[\s:(]*$"
)
_COMMENT = re.compile(r"(?:^\s*(?:#(?!\d)|\*|--|;|%|<!--|\.\. )|//|/\*|\s#\s)")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}（）「」、。]+")
# What trackers and wikis have in the addresses of their tickets and pages.
_OF_A_DOCUMENT = re.compile(
    r"/(?:issues?|pulls?|merge_requests|work_items|wiki|wikis|pages|display|spaces"
    r"|projects|browse|versions|documents)/|//(?:[\w-]+\.)*notion\.(?:so|site)/"
)
_CODE = re.compile(r"(?<!`)(?P<marks>`{1,2})(?P<code>[^`\n]{2,300})(?P=marks)(?!`)")
_NAME = re.compile(r"~?[\w$@][\w$@.:#/\\-]*[\w?!](?:\(\))?")
# The target of a link is one already.
_PATH = re.compile(
    r"(?<!\]\()(?<![\w/.:@-])(?:\.{0,2}/)?(?:[\w.-]+/)+[\w.-]*\w\.[A-Za-z]\w{0,7}\b"
)
_FILE_NAME = re.compile(
    r"[^.]+\.(?:c|cc|cfg|cjs|conf|cpp|cs|css|csv|env|exs?|go|gradle|graphql|h|hpp|html"
    r"|ini|java|jinja|jsx?|json|kts?|lock|lua|md|mjs|php|proto|ps1|pyi?|rb|rs|rst|scala"
    r"|scss|sh|sql|svelte|swift|tf|toml|tsx?|txt|vue|xml|ya?ml)"
)
_LINK_DEFINITION = re.compile(r"\s*\[[^\]]+\]:")
_SEPARATORS = re.compile(r"\.|::|#|->")


def read_mentions(source: SourceText, *, is_prose: bool) -> list[ReferenceFacts]:
    """Return what a text mentions, each once a line, in the order of lines.

    is_prose: it is a document, not code or data.
    """
    found: dict[str, dict[ReferenceFacts, None]] = {}
    for each in _read(source, is_prose=is_prose):
        kept = found.setdefault(each.kind, {})
        if len(kept) < _MOST:
            kept[each] = None
    every = [each for kept in found.values() for each in kept]
    return sorted(every, key=lambda each: each.line)


def address_key(address: str) -> str:
    """Return what addresses of one page have in common: no scheme, version or anchor.

    >>> address_key("https://tracker.example/issues/12?tab=notes#note-3")
    'tracker.example/issues/12'
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return unquote(f"{parts.netloc.lower()}{parts.path}").rstrip("/.,;:!?)]*_")


def name_key(written: str) -> str:
    """Return by which part of a name or path it is found: its last one.

    >>> name_key("src/auth/token.py"), name_key("Client.send()"), name_key("a::b")
    ('token.py', 'send', 'b')
    """
    name = written.removesuffix("()")
    if "/" in name:
        return name.rstrip("/").rpartition("/")[2]
    return name if is_file_name(name) else _SEPARATORS.split(name)[-1]


def is_file_name(name: str) -> bool:
    """Return whether a name without a folder can be that of a file: `token.py`."""
    return _FILE_NAME.fullmatch(name.lower()) is not None


def _read(source: SourceText, *, is_prose: bool) -> Iterator[ReferenceFacts]:
    text = source.text
    has_address, has_ticket = "://" in text, _may_have_ticket(text, is_prose=is_prose)
    if not (is_prose or has_address or has_ticket):
        return
    for number, line in enumerate(source.lines, start=1):
        if len(line) > _LONGEST_LINE:
            continue
        if has_ticket and _may_have_ticket(line, is_prose=is_prose):
            yield from _tickets(line, number, is_prose=is_prose)
        if has_address and "://" in line:
            yield from _addresses(line, number)
        if is_prose:
            yield from _names(line, number)


def _may_have_ticket(text: str, *, is_prose: bool) -> bool:
    return "#" in text or "GH-" in text or (is_prose and "!" in text)


def _tickets(line: str, number: int, *, is_prose: bool) -> Iterator[ReferenceFacts]:
    for match in _TICKET.finditer(line):
        before = line[: match.start()]
        if is_prose or _ANNOUNCED.search(before) or _COMMENT.search(before):
            sign = match["sign"].replace("GH-", "#")
            yield ReferenceFacts(TICKET, f"{sign}{match['number']}", number)


def _addresses(line: str, number: int) -> Iterator[ReferenceFacts]:
    for match in _ADDRESS.finditer(line):
        address = match[0].rstrip(".,;:!?)]*_")
        if len(address) <= _MOST_CHARACTERS and _OF_A_DOCUMENT.search(address):
            key = address_key(address)
            yield ReferenceFacts(ADDRESS, address, number, target=key)


def _names(line: str, number: int) -> Iterator[ReferenceFacts]:
    if _LINK_DEFINITION.match(line):
        return
    written = [match["code"].strip() for match in _CODE.finditer(line)]
    names = [each for each in written if _NAME.fullmatch(each)]
    names += [match[0] for match in _PATH.finditer(line)] if "/" in line else []
    for name in dict.fromkeys(each.removeprefix("./") for each in names):
        if "://" not in name and len(name) <= _MOST_CHARACTERS:
            yield ReferenceFacts(MENTION, name, number, target=name_key(name))
