"""The product's own words: of steering files, glossaries, spelt-out abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.passages import is_leading
from devrag.wiki.analysis.prose import count_words
from devrag.wiki.analysis.steering.types import Term
from devrag.wiki.analysis.survey import SurveyFile

_MOST_DOCUMENTS = 60
_MOST_LINES = 3000
_LONGEST_TERM = 60
_SET_APART = {"code", "row"}
_GLOSSARY = re.compile(r"^(glossary|terminology|terms|vocabulary|用語(集)?)$", re.I)
_CONCEPTS = re.compile(
    r"^(\w+ )?(key |core |main |basic )?(concepts?|terms|terminology|nomenclature"
    r"|用語|概念|基本概念)$",
    re.IGNORECASE,
)
_LEAST_MEANING = 4  # words
_ITEM = re.compile(
    r"^(?:\*\*|__|`)?(?P<term>[^:*`_|—–][^:*`|—–]*?)(?:\*\*|__|`)?\s*"
    r"(?::(?:\*\*|__)?|：|—|–|\s-)\s*(?P<meaning>\S.*)$",
    re.DOTALL,
)
_SPELT = re.compile(r"((?:[A-Za-z][\w-]*\s+){1,7}[A-Za-z][\w-]*)\s+\(([A-Z]{2,8})s?\)")


def terms_of(analysis: Analysis) -> list[Term]:
    """Return each term once, people's own explanations first, by alphabet."""
    found: dict[str, Term] = {}
    for term in _every(analysis):
        found.setdefault(term.term.casefold(), term)
    return [found[key] for key in sorted(found)]


def _every(analysis: Analysis) -> Iterator[Term]:
    for said in analysis.steering.values():
        yield from said.glossary
    documents = [file for file in analysis.with_role("doc") if file.lines < _MOST_LINES]
    documents.sort(key=lambda f: (not _is_glossary(f), f.path.count("/"), f.path))
    chosen = documents[:_MOST_DOCUMENTS]
    for file in chosen:
        yield from _explained(file, analysis.sections(file))
    for file in chosen:
        for section in analysis.sections(file):
            yield from _spelt_out(file, section.blocks)


def _is_glossary(file: SurveyFile) -> bool:
    return bool(_GLOSSARY.match(file.stem))


def _explained(file: SurveyFile, sections: Iterable[Section]) -> Iterator[Term]:
    """Yield what a glossary explains, as items or as headings with text."""
    whole = _is_glossary(file)
    for section in sections:
        title = section.title.strip()
        is_glossary = whole or bool(_GLOSSARY.match(title))
        if not is_glossary and not _CONCEPTS.match(title):
            continue
        texts = [block for block in section.blocks if block.kind == "text"]
        if whole and section.level > 1 and len(section.title) <= _LONGEST_TERM:
            yield from (_term(file, section.title, b.text, b) for b in texts[:1])
        for block in section.blocks:
            match = _ITEM.match(block.text) if block.kind == "item" else None
            if match is None or len(match["term"]) > _LONGEST_TERM:
                continue
            if is_glossary or _is_explained(match["meaning"]):
                yield _term(file, match["term"], match["meaning"], block)


def _is_explained(meaning: str) -> bool:
    return count_words(meaning) >= _LEAST_MEANING and not is_leading(meaning)


def _term(file: SurveyFile, term: str, meaning: str, block: DocumentBlock) -> Term:
    return Term(term.strip(), meaning, file.id, block.start_line, block.end_line)


def _spelt_out(file: SurveyFile, blocks: Iterable[DocumentBlock]) -> Iterator[Term]:
    """Yield `Reciprocal Rank Fusion (RRF)`: words whose initials are the letters.

    source: Schwartz & Hearst 2003, with one word a letter.
    """
    for block in blocks:
        for match in (
            _SPELT.finditer(block.text) if block.kind not in _SET_APART else ()
        ):
            words = re.split(r"[\s-]+", match.group(1))[-len(match.group(2)) :]
            if "".join(word[0] for word in words).upper() == match.group(2):
                yield _term(file, match.group(2), " ".join(words), block)
