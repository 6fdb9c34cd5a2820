"""Terms that documents define in a sentence: `X is a …`, `Xとは…`, `X（以下「Y」）`.

A sentence defines the title or heading above it, or words in bold that it begins with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.lead_ins import is_leading
from devrag.wiki.analysis.prose import plain_text, sentences
from devrag.wiki.analysis.steering.types import Term
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.assignment import words_of

_LONGEST_TERM, _MOST_WORDS = 60, 6
_LEAST_MEANING = 20  # characters
_BLOCKS = 2  # below a heading, in which it is defined
_DEFINES = re.compile(
    r"^(?:an?|the)?\s*(?P<term>[^.;:。]{2,80}?)\s+(?:is|are|means|refers? to"
    r"|stands? for|denotes?|describes?)\s+"
    r"(?:(?:simply|basically|essentially|usually|typically)\s+)?"
    r"(?:an?|the|any|one|when|how|where|what|something|software|code|data|tools?"
    r"|practices?|that|systems?|methods?|ways?|services?"
    r"|[\w-]+ (that|which|who|used|designed|of))\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*[(（][^)）]*[)）]|,[^,]*,?\s*$")
_BOLD = re.compile(
    r"^(?:(?:an?|the)\s+)?(?:\*\*|__)(?P<term>[^*_]{2,60})(?:\*\*|__)", re.I
)
_IS = re.compile(
    r"^(?:\s*[(（][^)）]*[)）])?,?\s*(?:is|are|means|refers? to|stands? for)\s"
    r"|^(?:\s*[(（][^)）]*[)）])?(?:とは|は、)",
    re.IGNORECASE,
)
_TOWA = re.compile(
    r"^(?:【[^】]*】)?「?(?P<term>[^\s「」【】、。()（）]{2,30}?)」?"
    r"(?:[（(][^)）]*[)）])?\s?とは、?\s?(?!いえ|言え|言っても|いっても|別|異な|違|限ら|思|"
    r"考え|なら|言い|ほぼ|無関係|関係)"
)
_HA = re.compile(r"^「?(?P<term>[^\s「」、。]{2,30}?)」?(?:[（(][^)）]*[)）])?は、?")
# How a sentence ends that says what something is, and how one that does not.
_ENDS_AS_NOUN = re.compile(
    r"(もの|こと|[一ひ]とつ|一つ|[\u30a0-\u30ff\u4e00-\u9fffA-Za-z0-9)）」])(です|である|だ|をいう|を指す|を指します"
    r"|をいいます|の?総称です|を意味します|を意味する)?。$"
)
_NO_NOUN = re.compile(
    r"(的|可能|必要|重要|有用|便利|簡単|同様|不要|同じ|大切)(です|である|だ)?。$"
)
_VERBAL = re.compile(
    r"[をがはへ]|こ$|[うくすつぬぶむるいの]$|(?<=[\u4e00-\u9fff])で|というこ"
)
_CALLED = re.compile(
    r"(?P<meaning>[^\s（）。、「」]{2,40})（以下[、,]?\s?「?(?P<term>[^」）]{1,24}?)」?"
    r"(?:という|と呼ぶ|とする|と略す|と表記する|と記載する)?）"
)
_SPELT = re.compile(r"(?P<meaning>[ァ-ヴー・]{6,40})（(?P<term>[A-Z]{2,6})）")
_POINTING = re.compile(
    r"^(これ|それ|ここ|そこ|あれ|どれ|この|その|あの|以上|以下|次|何)"
)
_POINTING_ENGLISH = re.compile(
    r"^(this|that|it|there|here|these|those|what|which|who|one|some|all|both|each|other"
    r"|another|everything|nothing|you|we|they|i|he|she|if|when|where|why|how|as|in|on"
    r"|for|to|with|by|at|of|from|and|but|or|so)\b",
    re.IGNORECASE,
)


def defined_terms(
    file: SurveyFile, title: str, sections: Sequence[Section]
) -> Iterator[Term]:
    """Yield what a document defines, its title first.

    title: what the document is called; '' where it names no thing.
    """
    for number, section in enumerate(sections):
        names = [section.title, *([title] if number == 0 else [])]
        texts = [block for block in section.blocks if block.kind == "text"]
        for block in texts[:_BLOCKS]:
            yield from _of_heading(file, names, block)
        for block in section.blocks:
            if block.kind in {"text", "item"}:
                yield from _of_block(file, block)


def _of_heading(
    file: SurveyFile, names: Iterable[str], block: DocumentBlock
) -> Iterator[Term]:
    """Yield the heading whose words the first sentences define."""
    wanted = [plain_text(name) for name in names if name]
    for sentence in sentences(plain_text(block.text))[:2]:
        match = _DEFINES.match(sentence) or _defined(_HA, sentence)
        if match is None or is_leading(sentence):
            continue
        told = {_ASIDE.sub("", match["term"]).strip(), match["term"].strip()}
        for name in wanted:
            bare = _ASIDE.sub("", name).strip()
            same = any(_is_same(bare, each) for each in told)
            if same and _is_term(bare) and len(sentence) >= _LEAST_MEANING:
                yield _term(file, bare, sentence, block)
                return


def _of_block(file: SurveyFile, block: DocumentBlock) -> Iterator[Term]:
    if bold := _BOLD.match(block.text):
        term = plain_text(bold["term"]).strip(" :：")
        first = next(iter(sentences(plain_text(block.text))), "")
        is_said = _IS.match(block.text[bold.end() :]) and not is_leading(first)
        if is_said and _is_term(term) and len(first) >= _LEAST_MEANING:
            yield _term(file, term, first, block)
    for sentence in sentences(plain_text(block.text)):
        match = _defined(_TOWA, sentence)
        if match and _is_term(match["term"]):
            yield _term(file, match["term"], sentence, block)
    for pattern in (_CALLED, _SPELT):
        for match in pattern.finditer(block.text):
            if _is_term(match["term"]):
                yield _term(file, match["term"], match["meaning"], block)


def _defined(form: re.Pattern[str], sentence: str) -> re.Match[str] | None:
    """Return the match where a Japanese sentence says what something is."""
    match = form.match(sentence)
    is_said = _ENDS_AS_NOUN.search(sentence) and not _NO_NOUN.search(sentence)
    if match is None or not is_said or len(sentence) < _LEAST_MEANING:
        return None
    return None if _VERBAL.search(match["term"]) else match


def _is_same(one: str, other: str) -> bool:
    """Return whether two names are the same, endings and articles apart."""
    return one.casefold() == other.casefold() or (
        bool(words_of(one)) and words_of(one) == words_of(other)
    )


def _is_term(name: str) -> bool:
    is_short = len(name) <= _LONGEST_TERM and len(name.split()) <= _MOST_WORDS
    is_pointing = _POINTING.match(name) or _POINTING_ENGLISH.match(name)
    return is_short and len(name) > 1 and not is_pointing and "`" not in name


def _term(file: SurveyFile, term: str, meaning: str, block: DocumentBlock) -> Term:
    return Term(term.strip(), meaning, file.id, block.start_line, block.end_line)
