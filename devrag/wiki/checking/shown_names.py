"""Whether a name in backticks stands in lines, as a reader of these lines would say."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devrag.wiki.analysis.names import is_name_like
from devrag.wiki.evidence.blocks import links_in

CODE = re.compile(r"(?<!\\)(`+)(.+?)(?<!`)\1(?!`)")
_JOINTS = re.compile(r"(?:\.(?!\.)|::|->|#|/|:)+")
_LEFT_OUT = re.compile(r"\.{3}|…|\*|<[^<>]*>|\{[^{}]*\}")
_CALL = re.compile(r"\([^()]*\)$")


def names_in(sentence: str) -> list[str]:
    """Return the names that a sentence has in backticks, labels of links left aside."""
    labels = " ".join(label for label, _ in links_in(sentence))
    spans = (match.group(2).strip() for match in CODE.finditer(sentence))
    return [s for s in spans if is_name_like(s) and f"`{s}`" not in labels]


def missing_names(sentence: str, texts: Iterable[str]) -> list[str]:
    """Return the names of a sentence that none of these texts shows."""
    text = "\n".join(texts)
    return [span for span in names_in(sentence) if not is_shown(span, text)]


def is_shown(span: str, text: str) -> bool:
    """Return whether a text holds a name, or every part of one that is put together.

    `Class.method()` is shown where both are; `/etc/…` and `LLM_*` by what they spell.
    """
    bare = _CALL.sub("", span.strip()).strip()
    if _stands(bare, text):
        return True
    spelt = [piece.strip("./:@") for piece in _LEFT_OUT.split(bare)]
    if len(spelt) > 1:
        return any(spelt) and all(piece in text for piece in spelt)
    parts = [part for part in _JOINTS.split(bare.strip("@./:")) if part]
    return bool(parts) and all(_stands(part, text) for part in parts)


def _stands(name: str, text: str) -> bool:
    """Return whether a name stands in a text, not as a part of another word."""
    at = text.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        if not (
            _joins(text[at - 1 : at], name[0]) or _joins(name[-1], text[end : end + 1])
        ):
            return True
        at = text.find(name, at + 1)
    return False


def _joins(before: str, after: str) -> bool:
    """Return whether two characters are within one word."""
    return (before.isalnum() or before == "_") and (after.isalnum() or after == "_")
