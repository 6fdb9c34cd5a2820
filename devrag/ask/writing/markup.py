"""What Markdown an answer may have: none that leads out of it or is no Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable

from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.evidence.blocks import unlink

_HTML = re.compile(r"(?<!\\)<[a-zA-Z/!?]")
_IMAGE = re.compile(r"!\[")
_DEFINITION = re.compile(r"^\s*\[[^\]]+\]:")
_URL = re.compile(
    r"\b(?:[a-z][a-z0-9+.-]{0,20}://|(?:mailto|javascript|vbscript|tel):|www\."
    # A word before a colon is none: “the data:” leads to what follows.
    r"|data:(?=[\w,;]))[^\s<>`)\]|]+|(?<![:\w/])//[\w-]+\.[^\s<>`)\]|]+",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+")
_OPEN_LINK = re.compile(r"\]\s?\(|\]\[(?!\[)")
_FAKE_CITATION = re.compile(r"\s*\[\d+\]\(cite:\d+\)")
_QUOTE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_WRAPPER = re.compile(r"\A\s*```(?:markdown|md)\s*\n")
# What stands behind the language of a code block.
_INFO = re.compile(r"^([ \t]*(?:```+|~~~+))[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)
# A code block within a list entry, to its end or as far as it has come.
_INNER_FENCE = re.compile(
    r"^([ \t]+)(```+|~~~+)[^\n`]*\n(?:.*\n)*?(?:[ \t]*\2[ \t]*$|.*\Z)", re.MULTILINE
)


_NOT_ALLOWED = (
    (re.compile(r"```|~~~"), "a code fence must stand on lines of its own"),
    (re.compile(r"`"), "a backtick has no other end"),
    (_IMAGE, "images are not allowed"),
    (_HTML, "raw HTML is not allowed"),
    (_DEFINITION, "links and footnotes are not allowed"),
)


def markup_problem(text: str, evidence: str) -> str:
    """Return what a text has that no answer may have, '' for nothing."""
    prose = CODE.sub(" ", text)
    for pattern, reason in _NOT_ALLOWED:
        if pattern.search(prose):
            return reason
    for address in (*_URL.findall(text), *_EMAIL.findall(text)):
        if address.rstrip(".,;:") not in evidence:
            return f"{address[:80]} is in no passage"
    if _OPEN_LINK.search(CODE.sub(" ", unlink(text, lambda _: False))):
        return "links are not allowed"
    return ""


def address_in(text: str) -> str:
    """Return the first address in a text, '' for none."""
    found = _URL.search(text) or _EMAIL.search(text)
    return found.group() if found else ""


def diagram_markup_problem(text: str) -> str:
    """Return what a diagram has that leads out of it, '' for nothing."""
    if _HTML.search(text):
        return "“<…>” in a label is read as HTML; write it without"
    if address := _URL.search(text):
        return f"{address.group()[:80]} must not be in it"
    return ""


def without_links(text: str) -> str:
    """Return text whose links are their labels and whose addresses are code."""
    bare = unlink(text, lambda _: False)
    return _outside_code(bare, lambda prose: _URL.sub(_as_code, prose))


def _as_code(match: re.Match[str]) -> str:
    address = match.group().rstrip(".,;:。、")
    return f"`{address}`{match.group()[len(address) :]}"


def with_paired_emphasis(text: str) -> str:
    """Return text without “**” where one has no other end; code keeps its own."""
    if CODE.sub("", text).count("**") % 2 == 0:
        return text
    return _outside_code(text, lambda prose: prose.replace("**", ""))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return text with its prose changed and its code spans as they are."""
    pieces, at = [], 0
    for span in CODE.finditer(text):
        pieces += [change(text[at : span.start()]), span.group()]
        at = span.end()
    return "".join([*pieces, change(text[at:])])


def plain_markdown(text: str) -> str:
    """Return a model's Markdown without wrapper, quotation marks and cite links."""
    text = _FAKE_CITATION.sub("", _WRAPPER.sub("", text))
    text = _INFO.sub(r"\1\2", text)
    return _fences_at_the_margin(_QUOTE.sub("", text))


def _fences_at_the_margin(text: str) -> str:
    """Return text whose code blocks, if within list entries, begin at the margin."""
    return _INNER_FENCE.sub(_dedented, text)


def _dedented(match: re.Match[str]) -> str:
    indent = match.group(1)
    lines = match.group().split("\n")
    return "\n".join(
        [lines[0].strip(), *(line.removeprefix(indent) for line in lines[1:])]
    )
