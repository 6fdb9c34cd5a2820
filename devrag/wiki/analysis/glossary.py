"""The product's own words: of steering files, glossaries, spelt-out abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.defined_terms import defined_terms
from devrag.wiki.analysis.document_facts import title_of
from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.lead_ins import is_leading
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
_LEAST_CONCEPT = 4  # words that explain a concept
_LEAST_MEANING, _LEAST_JAPANESE = 3, 8  # words; characters
_UNWRITTEN = re.compile(r"^\W*(TODO|FIXME|XXX|TBD|WIP|N/A)\b")
# They define words for themselves, not for the product.
_FORMAL = re.compile(
    r"(^|[/_.-])(licen[cs]es?|copying|eula|notice|code[_-]of[_-]conduct"
    r"|(issue|pull_request)_template)([/_.-]|$)",
    re.IGNORECASE,
)
_LINKING_WORDS = {"a", "an", "and", "by", "for", "in", "of", "on", "or", "the", "to"}
_ITEM = re.compile(
    r"^(?:\*\*|__|`)?(?P<term>[^:*`_|—–][^:*`|—–]*?)(?:\*\*|__|`)?\s*"
    r"(?::(?:\*\*|__)?|：|—|–|\s-)\s*(?P<meaning>\S.*)$",
    re.DOTALL,
)
_SPELT = re.compile(r"((?:[A-Za-z][\w-]*\s+){1,7}[A-Za-z][\w-]*)\s+\(([A-Z]{2,8})s?\)")


@cached_by_analysis
def terms_of(analysis: Analysis) -> list[Term]:
    """Return each term once, people's own explanations first, by alphabet."""
    found: dict[str, Term] = {}
    for term in _every(analysis):
        found.setdefault(term.term.casefold(), term)
    return [found[key] for key in sorted(found)]


def _every(analysis: Analysis) -> Iterator[Term]:
    for said in analysis.steering.values():
        yield from said.glossary
    documents = [file for file in analysis.with_role("doc") if _may_define(file)]
    if analysis.is_of_documents:  # translations would define each word again
        told = {f.id for f in (*analysis.topic_documents, *analysis.overview_documents)}
        documents = [file for file in documents if file.id in told]
    documents.sort(key=lambda f: (not _is_glossary(f), f.path.count("/"), f.path))
    chosen = documents[:_MOST_DOCUMENTS]
    for file in chosen:
        yield from _explained(file, analysis.sections(file))
    for file in documents if analysis.is_of_documents else ():
        title, _ = title_of(analysis, file)
        yield from defined_terms(file, title, analysis.sections(file))
    for file in chosen:
        for section in analysis.sections(file):
            yield from _spelt_out(file, section.blocks)


def _may_define(file: SurveyFile) -> bool:
    return file.lines < _MOST_LINES and not _FORMAL.search(file.path)


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
            defining = (block for block in texts[:1] if _is_meaning(block.text))
            yield from (_term(file, section.title, b.text, b) for b in defining)
        for block in section.blocks:
            match = _ITEM.match(block.text) if block.kind == "item" else None
            if match is None or len(match["term"]) > _LONGEST_TERM:
                continue
            meaning = match["meaning"]
            if _is_meaning(meaning) and (is_glossary or _is_explained(meaning)):
                yield _term(file, match["term"], meaning, block)


def _is_meaning(text: str) -> bool:
    """Return whether a text says something: words enough, and no note to write it."""
    is_long = len(text.split()) >= _LEAST_MEANING or count_cjk(text) >= _LEAST_JAPANESE
    return is_long and not _UNWRITTEN.match(text)


def _is_explained(meaning: str) -> bool:
    return count_words(meaning) >= _LEAST_CONCEPT and not is_leading(meaning)


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
            initials = "".join(word[0] for word in words if word).upper()
            is_whole = words[0].lower() not in _LINKING_WORDS
            if is_whole and initials == match.group(2):
                yield _term(file, match.group(2), " ".join(words), block)
