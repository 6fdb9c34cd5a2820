"""Which documents are data that the product works on, and explain nothing of it.

A story that examples index has words in plenty, but names no file, symbol, setting or
command of the product, and shows no code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.prose import count_words
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.mentions import MentionIndex

_DATA_FOLDER = re.compile(
    r"(^|/)((sample|example|test|demo|input|raw|mock|seed)?[-_ ]?"
    r"(data|datasets?|corp(us|ora))|inputs?|samples?|examples?|fixtures?|mocks?)(/|$)",
    re.IGNORECASE,
)
_DOCUMENTATION = re.compile(
    r"^$|(^|/)\.?(docs?|documentation|guides?|manuals?|tutorials?|handbook|wiki|adrs?)(/|$)"
    r"|^[.]",
    re.IGNORECASE,
)
_MARKED = re.compile(r"`[^`\n]+`|^\s*(```|~~~)|::\s*$", re.MULTILINE)
_LEAST_WORDS = 150  # a shorter document says too little to be told from a note
_LEAST_LETTERS = 3  # of a word of the product's name


def is_sample_data(
    file: SurveyFile,
    text: str,
    read: Callable[[], Sequence[Section]],
    product: Collection[str],
    names: Callable[[], MentionIndex],
) -> bool:
    """Return whether a document is data.

    file: of a source that has code. read: its sections. product: words of the product's
    name. names: what its code defines. In a folder of data the product's name makes no
    document: “data for X”.
    """
    if file.is_readme or _MARKED.search(text):
        return False
    if not _DATA_FOLDER.search(file.directory) and (
        _DOCUMENTATION.search(file.directory) or _has_word(text, product)
    ):
        return False
    blocks = [block for section in read() for block in section.blocks]
    return _words(blocks) >= _LEAST_WORDS and not names().has_names(blocks)


def _has_word(text: str, words: Collection[str]) -> bool:
    lower = text.lower()
    return any(len(word) >= _LEAST_LETTERS and word in lower for word in words)


def _words(blocks: Iterable[DocumentBlock]) -> int:
    return sum(count_words(block.text) for block in blocks)
