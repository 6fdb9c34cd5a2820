"""The few sentences that say best what a topic is, and where they stand."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.centrality import (
    choose_central,
    is_definition,
    subject_of_definition,
)
from devrag.wiki.analysis.circular import is_circular
from devrag.wiki.analysis.directory_descriptions import description_of
from devrag.wiki.analysis.docstrings import is_code, parameters_of, read_docstring
from devrag.wiki.analysis.hierarchies import subtypes_of
from devrag.wiki.analysis.lead_subjects import names_head, tells_of_product
from devrag.wiki.analysis.names import QuotedNames
from devrag.wiki.analysis.passages import passages_of, stands_alone
from devrag.wiki.analysis.prose import full_stop, only_names, told_sentences
from devrag.wiki.analysis.script_exports import is_object_member
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.assignment import words_of
from devrag.wiki.analysis.topics.types import DocumentSection, Topic
from devrag.wiki.analysis.visibility import is_exposed

_SENTENCES = 3
_TITLE_WEIGHT = 6
_NAMES = 12
_PASSAGES = 3  # of a section of documents
_FILES = 8
_LONGEST = 420
_PARAGRAPH_SENTENCES = 3
_LEAST_OF_CODE, _LEAST_OF_DOCUMENTS = 3, 5  # words of a sentence
LEAST_OF_FRONT = 0.5  # what a package or the documents say of all of it
_CENTRAL = 0.35
_NAMESAKE = 0.5
_FUNCTION_SHARE = 0.4  # what a function says of itself is seldom what a topic is
_TALKING = re.compile(
    r"^\W*(let'?s|let us|say|suppose|imagine|consider|assume|first|second|last|we|i"
    r"|you|yes|no|thanks?|welcome|please|make sure|remember|don't|do not|symptom"
    r"|reason|solution)\b",
    re.IGNORECASE,
)
# Subjects come first in what opens a page.
_CONDITIONAL = re.compile(
    r"^\W*(when|whenever|if|for|to|in|on|at|by|once|unlike|while|as|since|with|without"
    r"|after|before|using|all of|some|copied from|based on|due to|depending"
    r"|because|although|until|unless)\b|^[^,.]{0,60}\balso\b",
    re.IGNORECASE,
)
_COMPARING = re.compile(
    r"compatib|compar(e|ing|ison)|migrat|upgrad|change ?log|\bvs\b|alternatives"
    r"|differences|what'?s new|release notes|互換|比較|移行|変更履歴",
    re.IGNORECASE,
)
_POINTING = re.compile(r"https?://|\b(see|has no|below|above)\b", re.IGNORECASE)
_CODE_SPAN, _BEGINNING = re.compile("`[^`]*`"), 50  # characters: the subject
_ABOUT = 0.4
FRONT_FILES = {"__init__.py", "mod.rs", "lib.rs", "index.ts", "index.js", "doc.go"}
FRONT_FILES |= {"package-info.java", "mod.ts"}
_OWNERS = {"class", "interface", "enum", "type"}


@dataclass(frozen=True, slots=True)
class LeadSentence:
    """A sentence that can open a page. symbol: the definition whose words it is.

    number: its place among the sentences that its text begins with, from 0.
    """

    text: str
    file: int
    start_line: int
    end_line: int
    symbol: int | None = None
    bonus: float = 0.0
    order: int = 0
    number: int = 0


@cached_by_analysis
def lead_of(analysis: Analysis, index: int) -> tuple[LeadSentence, ...]:
    """Return the two or three sentences that open the page of a topic."""
    topic = analysis.topics[index]
    found = _distinct(_candidates(analysis, index))
    if not found:
        return ()
    subject = subject_of(analysis, topic)
    texts, bonus = [f.text for f in found], [f.bonus for f in found]
    chosen = [found[n] for n in choose_central(texts, subject, _SENTENCES, bonus)]
    first = _opener(analysis, topic, chosen) or _opener(
        analysis, topic, sorted(found, key=lambda s: (-s.bonus, s.order))
    )
    if first is None:
        return ()
    after = [s for s in found if s is not first and _goes_on(analysis, topic, first, s)]
    texts, bonus = [s.text for s in after], [s.bonus for s in after]
    rest = [after[n] for n in choose_central(texts, subject, _SENTENCES - 1, bonus)]
    return (first, *sorted(rest, key=lambda s: s.order))


def _goes_on(
    analysis: Analysis, topic: Topic, first: LeadSentence, other: LeadSentence
) -> bool:
    """Return whether a sentence stands behind another one, or is a package's own.

    What is said elsewhere is about one thing in the topic more often than not.
    """
    if (first.file, first.start_line) == (other.file, other.start_line):
        return other.order > first.order
    if _is_on_directory(analysis, topic, other):
        return True
    is_front = other.symbol is None and analysis.files[other.file].name in FRONT_FILES
    return is_front and not other.text.lower().startswith("package ")


def _opener(
    analysis: Analysis, topic: Topic, found: Sequence[LeadSentence]
) -> LeadSentence | None:
    """Return the sentence that says what the topic is, else one that may come first."""
    fit = [
        sentence
        for sentence in found
        if _may_open(analysis, topic, sentence) and _is_about(analysis, topic, sentence)
    ]
    title = words_of(topic.title)
    about = (s for s in fit if _defines(title, s.text) or _is_own(analysis, topic, s))
    stated = (s for s in fit if is_definition(s.text) or s.bonus >= LEAST_OF_FRONT)
    return next(about, None) or next(stated, None) or next(iter(fit), None)


def _is_about(analysis: Analysis, topic: Topic, sentence: LeadSentence) -> bool:
    """Return whether a sentence is on all of a topic, not on one thing in it."""
    symbol = analysis.symbols.get(sentence.symbol or 0)
    if symbol is not None:
        is_own = symbol.kind in _OWNERS and is_namesake(analysis, topic, symbol)
        title = words_of(symbol.name)
        return is_own and (not sentence.number or _defines(title, sentence.text))
    if analysis.roles[sentence.file] == "code":
        return _speaks_for_all(analysis, topic, analysis.files[sentence.file])
    title = words_of(topic.title)
    subject = words_of(subject_of_definition(sentence.text)).keys() & title.keys()
    if _is_on_directory(analysis, topic, sentence):
        return True
    is_whole = 3 * len(subject) > 2 * len(title)
    is_near = is_whole or sentence.bonus >= LEAST_OF_FRONT
    product = words_of(analysis.survey.product).keys()
    own = title.keys() - product or title.keys()
    if is_near and subject & own and names_head(topic.title, sentence.text):
        return is_definition(sentence.text)
    is_of_document = sentence.bonus >= _NAMESAKE
    return is_of_document and tells_of_product(product, title, sentence.text)


def _is_on_directory(analysis: Analysis, topic: Topic, sentence: LeadSentence) -> bool:
    """Return whether a document says a sentence of the topic's directory."""
    home = home_of(analysis, topic)
    said = description_of(analysis, home) if home else None
    place = (sentence.file, sentence.start_line)
    return said is not None and (said.file, said.start_line) == place


def _speaks_for_all(analysis: Analysis, topic: Topic, file: SurveyFile) -> bool:
    """Return whether a file is the front of a topic's home, or holds most of it."""
    lines = sum(each.lines for each in topic.files)
    is_most = 2 * file.lines > lines and not file.name.startswith("_")
    is_front = file.name in FRONT_FILES and file.directory == home_of(analysis, topic)
    return is_front or is_most


def is_conditional(sentence: str) -> bool:
    """Return whether a sentence begins with when or where it holds, not with what."""
    return bool(_CONDITIONAL.match(sentence))


def _is_own(analysis: Analysis, topic: Topic, sentence: LeadSentence) -> bool:
    """Return whether the topic's namesake begins with a sentence."""
    symbol = analysis.symbols.get(sentence.symbol or 0)
    return (
        symbol is not None
        and symbol.kind in _OWNERS
        and is_namesake(analysis, topic, symbol)
        and sentence.bonus >= 2 * _NAMESAKE
    )


def _may_open(analysis: Analysis, topic: Topic, sentence: LeadSentence) -> bool:
    """Conditions and instructions open no page, nor documents that go elsewhere."""
    if is_conditional(sentence.text):
        return False
    if analysis.roles[sentence.file] == "code" or sentence.bonus >= LEAST_OF_FRONT:
        return True
    is_pointer = bool(_POINTING.search(sentence.text))
    beginning = _CODE_SPAN.sub(" ", sentence.text)[:_BEGINNING]
    shared = words_of(beginning).keys() & words_of(topic.title).keys()
    return bool(shared) and not is_pointer


def _defines(title: Counter[str], sentence: str) -> bool:
    """Return whether a sentence says what that is which the title names."""
    words = words_of(subject_of_definition(sentence)).keys()
    return bool(words) and words <= title.keys()


def is_namesake(analysis: Analysis, topic: Topic, symbol: SurveySymbol) -> bool:
    """Return whether a definition bears the topic's name."""
    return set(words_of(topic.title)) == set(words_of(symbol.name))


def speaks_for(topic: Topic, file: SurveyFile) -> bool:
    """Return whether a file bears one of the names in the topic's title."""
    return bool(words_of(file.stem).keys() & words_of(topic.title).keys())


def subject_of(analysis: Analysis, topic: Topic) -> Counter[str]:
    """Return the words of a topic: its title's, then those of its central names."""
    words: Counter[str] = Counter()
    for word, count in words_of(topic.title).items():
        words[word] += _TITLE_WEIGHT * count
    for symbol in central_symbols(analysis, topic)[:_NAMES]:
        words += words_of(symbol.name)
    for file in topic.files[:_NAMES]:
        words += words_of(file.stem)
    return words


def weight_of(analysis: Analysis, symbol: SurveySymbol) -> float:
    """Return how much a symbol matters: how used it is, and how much it holds."""
    lines = symbol.end_line - symbol.start_line + 2
    return analysis.symbol_rank[symbol.id] * math.log2(lines)


def central_symbols(analysis: Analysis, topic: Topic) -> list[SurveySymbol]:
    """Return the topic's public types and functions, the weightiest first.

    The functions of an object that a module of JavaScript exports are among them.
    """
    kinds = {*_OWNERS, "function"}
    found = [
        symbol
        for file in topic.files
        if analysis.roles[file.id] == "code"
        for symbol in analysis.symbols_of.get(file.id, [])
        if symbol.kind in kinds or is_object_member(analysis, symbol)
        if symbol.is_public
    ]
    return sorted(found, key=lambda s: (-weight_of(analysis, s), s.id))


def _distinct(found: Iterable[LeadSentence]) -> list[LeadSentence]:
    known: dict[str, LeadSentence] = {}
    for order, each in enumerate(found):
        if each.text not in known or each.bonus > known[each.text].bonus:
            known[each.text] = replace(each, order=order)
    return list(known.values())


def _candidates(analysis: Analysis, index: int) -> Iterator[LeadSentence]:
    topic = analysis.topics[index]
    title = words_of(topic.title)
    yield from _of_directory(analysis, topic)
    yield from _of_code(analysis, topic, title)
    if title == words_of(analysis.survey.product):
        return  # documents that begin with this name are about the product
    for section in topic.sections:
        if not _compares(analysis, section):
            yield from _of_section(analysis, section, title)
    yield from _of_front_documents(analysis, topic, title)


def _of_front_documents(
    analysis: Analysis, topic: Topic, title: Counter[str]
) -> Iterator[LeadSentence]:
    """Yield what a README says of the topic under a heading that is its title."""
    if not topic.files:
        return
    for file in analysis.with_role("doc"):
        if file.directory or file.stem.lower() != "readme":
            continue
        for number, section in enumerate(analysis.sections(file)):
            if words_of(section.title) == title:
                place = (section.line, section.line)
                found = DocumentSection(
                    file.id, number, number, section.title, (), *place, words=0
                )
                yield from _of_section(analysis, found, title)


def _compares(analysis: Analysis, section: DocumentSection) -> bool:
    """Return whether a document is on other products or on changes of this one."""
    file = analysis.files[section.file]
    titles = (file.stem, file.title, section.title, *section.above)
    return any(map(_COMPARING.search, titles))


def _of_directory(analysis: Analysis, topic: Topic) -> Iterator[LeadSentence]:
    """Yield the sentence in which a document describes the topic's directory."""
    home = home_of(analysis, topic)
    said = description_of(analysis, home) if home else None
    if said and said.is_sentence:
        yield LeadSentence(
            full_stop(said.said),
            said.file,
            said.start_line,
            said.end_line,
            bonus=LEAST_OF_FRONT,
        )


def _of_code(
    analysis: Analysis, topic: Topic, title: Counter[str]
) -> Iterator[LeadSentence]:
    for place, file in enumerate(_speaking_files(analysis, topic)):
        bonus = _CENTRAL / (2 + place) + _namesake(title, file.stem)
        if file.name in FRONT_FILES:
            folder = file.directory.rpartition("/")[2]
            bonus = LEAST_OF_FRONT + 3 * _namesake(title, folder)
        for number, sentence in enumerate(_of_file(analysis, file)):
            yield replace(sentence, bonus=bonus / (1 + number))
    for place, symbol in enumerate(_speaking_symbols(analysis, topic)):
        bonus = _CENTRAL / (1 + place) + 2 * _namesake(title, symbol.name)
        bonus *= 1.0 if symbol.kind in _OWNERS else _FUNCTION_SHARE
        for number, sentence in enumerate(_of_symbol(symbol)):
            if is_circular(sentence.text, symbol.name):
                continue
            yield replace(sentence, bonus=bonus / (1 + number))


def _of_section(
    analysis: Analysis, section: DocumentSection, title: Counter[str]
) -> Iterator[LeadSentence]:
    inside = analysis.sections(analysis.files[section.file])
    passages = [
        passage
        for number in range(section.first, section.last + 1)
        for passage in passages_of(number, inside[number].blocks)
        if passage.text is not None
    ]
    for place, passage in enumerate(passages[:_PASSAGES]):
        block = passage.blocks[0]
        bonus = _namesake(title, section.title) if place == 0 else 0.0
        lines = (section.file, block.start_line, block.end_line)
        for sentence in _sentences(block.text, lines)[:1]:
            more = _ABOUT if _defines(title, sentence.text) else 0.0
            yield replace(sentence, bonus=bonus + more)


def _namesake(title: Counter[str], name: str) -> float:
    """Return a bonus for what bears the topic's name, whole or in part."""
    words = words_of(name)
    if not words or not title:
        return 0.0
    shared = len(set(words) & set(title))
    return _NAMESAKE * shared * shared / (len(words) * len(title))


def _speaking_files(analysis: Analysis, topic: Topic) -> list[SurveyFile]:
    """Return the topic's files that may speak for it, most used first."""
    rank = analysis.file_rank
    code = [f for f in topic.files if analysis.roles[f.id] == "code"]
    code += _front_outside(analysis, topic)
    return sorted(code, key=lambda f: (-rank[f.id] * math.log2(f.lines + 2), f.path))[
        :_FILES
    ]


def _front_outside(analysis: Analysis, topic: Topic) -> list[SurveyFile]:
    """Return the file that only marks the package that is the topic's home."""
    home = home_of(analysis, topic)
    return [
        file
        for file in _beside(analysis, topic, home)
        if home and file.name in FRONT_FILES and file.id not in analysis.topic_of
    ]


def home_of(analysis: Analysis, topic: Topic) -> str:
    """Return the directory that is the topic's own, '' where there is none.

    It holds most of the topic's lines, and most code directly in it is the topic's.
    """
    lines = Counter[str]()
    for file in topic.files:
        if file.source == topic.source:
            lines[file.directory] += file.lines
    common = topic.directory
    most = [name for name, count in lines.most_common() if 2 * count >= topic.lines]
    for directory in (common, *most):
        if directory and _holds_most(analysis, topic, directory):
            return directory
    return ""


def _holds_most(analysis: Analysis, topic: Topic, directory: str) -> bool:
    """Return whether most of what stands directly in a directory is the topic's."""
    beside = _beside(analysis, topic, directory)
    held = [f for f in beside if f.id in analysis.topic_of]
    own = {file.id for file in topic.files}
    return 2 * sum(file.id in own for file in held) > len(held)


def _beside(analysis: Analysis, topic: Topic, directory: str) -> list[SurveyFile]:
    """Return the code that stands directly in a directory of the topic's source."""
    return [
        file
        for file in analysis.with_role("code")
        if file.source == topic.source and file.directory == directory
    ]


def _of_file(analysis: Analysis, file: SurveyFile) -> Iterator[LeadSentence]:
    purpose = analysis.purpose(file)
    if purpose is None:
        return
    place = (file.id, purpose.start_line, purpose.end_line)
    for sentence in _sentences(
        _first_paragraph(purpose.text), place, None, _LEAST_OF_CODE
    ):
        if not only_names(sentence.text, file.stem):
            yield sentence


def _speaking_symbols(analysis: Analysis, topic: Topic) -> list[SurveySymbol]:
    """Return the topic's types that may speak for it; errors only where all are."""
    said = [
        s
        for s in central_symbols(analysis, topic)
        if s.docstring and is_exposed(analysis, s)
    ]
    own = [s for s in said if s.id not in analysis.exceptions] or said
    heirs = {
        heir.symbol
        for each in subtypes_of(analysis).values()
        for heir in each
        if not heir.is_possible
    }
    return [s for s in own[:_NAMES] if _may_speak(topic, s, is_heir=s.id in heirs)]


def _may_speak(topic: Topic, symbol: SurveySymbol, *, is_heir: bool) -> bool:
    """Variants speak for a topic that bears their name, functions for one like it."""
    title = words_of(topic.title)
    if is_heir:
        return words_of(symbol.name).keys() == title.keys()
    return symbol.kind in _OWNERS or _namesake(title, symbol.name) > 0


def _of_symbol(symbol: SurveySymbol) -> Iterator[LeadSentence]:
    place = (symbol.file, symbol.start_line, symbol.end_line)
    text = _first_paragraph(symbol.docstring, parameters_of(symbol.signature))
    for sentence in _sentences(text, place, symbol.id, _LEAST_OF_CODE):
        if not only_names(sentence.text, symbol.name):
            yield sentence


def _first_paragraph(docstring: str, parameters: Iterable[str] = ()) -> str:
    if is_code(docstring):
        return ""
    blocks = read_docstring(docstring, parameters).blocks
    return blocks[0].text if blocks and blocks[0].kind == "text" else ""


def _sentences(
    text: str,
    place: tuple[int, int, int],
    symbol: int | None = None,
    least: int = _LEAST_OF_DOCUMENTS,
) -> list[LeadSentence]:
    """Return the first sentences of a paragraph that can open a page."""
    found = []
    told = told_sentences(text, QuotedNames())[:_PARAGRAPH_SENTENCES]
    for number, sentence in enumerate(told):
        is_fit = stands_alone(sentence, least) and not _TALKING.match(sentence)
        if is_fit and len(sentence) <= _LONGEST:
            said = full_stop(sentence)
            found.append(LeadSentence(said, *place, symbol, number=number))
    return found
