"""Marks in a Japanese wiki what stands there in the English of the sources.

Within a line English is quoted in 「」. Of paragraphs in English, and of what code says
of its names, the page says once that they are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.wiki.analysis.prose import join_sentences, sentences

NOTE = "英文の箇所は、ソースの説明を原文のまま引用したものです。"
_JAPANESE = re.compile(r"[\u3001-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_LABEL = re.compile(
    r"^(?P<label>\s*(?:(?:[-*]|\d+[.)]) )?(?:[^`：\n]|`[^`\n]*`){1,120}：)(?P<rest>.+)$"
)
_OF_CODE = re.compile(r"^\s*(?:[-*] )?(?:\*\*)?`")
_NO_WORDS = re.compile(r"`[^`]*`|\[\[E\d+\]\]|\[[^\]]*\]\([^)]*\)|\*\*[^*]*\*\*")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+")
_PARTS = re.compile(r"^(\s*(?:(?:[-*]|\d+[.)]) )?)(.*)$", re.DOTALL)
_NO_OPENING = ("#", "|", "-", "```", "~~~")
_FEWEST, _FEWEST_OF_PARAGRAPH = 3, 5  # words of a quotation
_LEAST_SHARE = 0.2  # of the lines of a page


def quote_english(block: str) -> str:
    """Return a block of Markdown whose lines have their English in brackets."""
    if block.startswith(("#", "```", "~~~", "|")):
        return block
    return "\n".join(map(_quoted, block.split("\n")))


def _quoted(line: str) -> str:
    match = _LABEL.match(line)
    if match and _is_english(match["rest"]):
        is_code = _OF_CODE.match(match["label"])
        return line if is_code else f"{match['label']}「{match['rest'].strip()}」"
    begin, text = _PARTS.match(line).groups()  # type: ignore[union-attr]
    found = sentences(text)
    told = [_is_english(sentence) for sentence in found]
    if not any(told) or not _JAPANESE.search(_NO_WORDS.sub("", text)):
        return line
    runs: list[list[str]] = []
    for place, sentence in enumerate(found):
        if runs and told[place] and told[place - 1]:
            runs[-1].append(sentence)
        else:
            runs.append([sentence])
    said = (
        f"「{join_sentences(run)}」" if _is_english(run[0]) else run[0] for run in runs
    )
    return begin + join_sentences(said)


def with_note(markdown: str) -> str:
    """Return a page that says where it begins that its English is quoted.

    What the page is about in Japanese comes first. A page whose lines are nearly all
    Japanese stays as it is.
    """
    told = list(map(_is_quotation, _lines_of_prose(markdown)))
    if not any(told) or sum(told) < _LEAST_SHARE * len(told):
        return markdown
    title, _, rest = markdown.partition("\n\n")
    first, _, below = rest.partition("\n\n")
    is_opening = not first.startswith(_NO_OPENING)
    if is_opening and _JAPANESE.search(_NO_WORDS.sub("", first)):
        return f"{title}\n\n{first}\n\n{NOTE}\n\n{below}"
    return f"{title}\n\n{NOTE}\n\n{rest}"


def _lines_of_prose(markdown: str) -> Iterator[str]:
    is_code = False
    for line in markdown.split("\n"):
        is_code ^= line.startswith(("```", "~~~"))
        if line and not is_code and not line.startswith(("|", "#", "```", "~~~")):
            yield line


def _is_quotation(line: str) -> bool:
    match = _LABEL.match(line)
    text = match["rest"] if match and _OF_CODE.match(line) else line
    return _is_english(text, _FEWEST_OF_PARAGRAPH)


def _is_english(text: str, least: int = _FEWEST) -> bool:
    bare = _NO_WORDS.sub(" ", text)
    return not _JAPANESE.search(bare) and len(_WORD.findall(bare)) >= least
