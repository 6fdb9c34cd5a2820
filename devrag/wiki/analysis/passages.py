"""Groups what a document says into passages, and leaves out those that tell nothing.

A passage is what can be read alone: a paragraph with the list, table or sample of code
that it leads to. Sentences that lean on text which is not there are no passage.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile

from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.lead_ins import ends_with_colon, is_leading, points_on
from devrag.wiki.analysis.prose import count_words, join_sentences, sentences

_LEAST_WORDS = 5
_LEAST_JAPANESE = 3
_LEAST_LEAD = 3
_LONGEST_CODE = 24  # lines
_MOST_ITEMS = 14
_LEAST_LETTERS = 0.6
_BRACKETS = "「」『』（）【】、。"  # as letters: Japanese quotes what it names
# Without its label a bad example would be read as a rule.
_LABEL = re.compile(
    r"^\W*(良い|悪い|よい|わるい|正しい|誤った|望ましい|望ましくない)(例|書き方|コード)\W*$"
    r"|^\W*(OK|NG|推奨|非推奨|適切|不適切)(な?例)?\W*$"
    r"|^\W*(good|bad|right|wrong|correct|incorrect|do|don't|preferred|avoid)"
    r"( examples?)?\s*:\W*$"
    r"|^(options|parameters|arguments|flags|properties|fields)\s*[:：]\s*$",
    re.IGNORECASE,
)
_SPAN = re.compile(r"`[^`]*`")
_CODE_MARKS = re.compile(r"[()=\[\]{};#<>]|->|::")
_MOST_MARKS = 0.35  # per word
_DANGLING = re.compile(
    r"^\W*(this(?! (guide|document|page|tutorial|section|chapter|project|library"
    r"|package|repository|tool|framework|application|service)\b)|these|that|those|above|below|it|its|they|them|their|he|she|such"
    r"|however|therefore|thus|hence|also|additionally|furthermore|moreover|likewise"
    r"|similarly|instead|otherwise|then|so|but|and|or|here|there|because of this"
    r"|in both|in the (above|following|latter|former)"
    r"|the (above|following|same|latter|former|previous|next|example)|as (above|before"
    r"|mentioned|you can see|shown|noted)|again|now|next|finally|note|see|another|both"
    r"|(to|by|when|if|before|after) (do|doing|you do) (this|that|so|it)"
    r"|on the (other|one) hand|in (addition|contrast|that case|other words|fact)"
    r"|alternatively|following|likewise|besides|for (example|instance)|[ei]\.[eg](?=\.)"
    r"|the (first|second|third|last|other) (one|reason|is)"
    r"|(if|when|whenever|since|because|once|while|using|with|for|in|on|by|to|from|after"
    r"|before|unlike|like|as|at|of) (this|these|that|those|it|its|they|them))\b",
    re.IGNORECASE,
)
_DANGLING_JAPANESE = re.compile(
    r"^\W*(これ|それ|この(?!リポジトリ|プロジェクト|ソフト|アプリ)|その|上記|前述|以上"
    r"|以下|下記|次の|こちら|ここ|そこ|あれ|また[、は]|しかし|ただし|なお[、]?|さらに"
    r"|そして|つまり|従って|よって|そこで|なぜなら|このように|すなわち|同様に|逆に|一方|例えば|たとえば|したがって|そのため|このため)"
    r"|^.{1,40}[`」』）)]\s*も"
)
# What a writer thinks is no fact of the product.
_FIRST_PERSON = re.compile(
    r"(?:^|[\s(])(?:I'd|I’d|I (?:also |really |strongly |personally |would |do )*"
    r"(?:think|believe|recommend|wrote|decided|prefer))\b"
)
_POINTS_BACK = re.compile(
    r"\b(?:example|snippet|code|listing|output|table|figure)s? above\b"
    r"|\bthe (?:above|previous|preceding) (?:example|snippet|code|listing|output)\b"
    r"|\bas (?:shown|seen) above\b",
    re.IGNORECASE,
)
# It dangles, unless what it points at stands with it.
_BEGINS_WITH_LIST = re.compile(r"^\W*(以下|下記|次の|(the )?following\b)", re.I)
_FIRST = re.compile(
    r"^\W*((the )?first( one| is| reason| thing| step)?\b(?! of all)|firstly\b"
    r"|(1|１|一)つ目|第一[にの]|まず)",
    re.IGNORECASE,
)
# What stands below them is about the rule above.
_REASONS = re.compile(r"^\W*(その)?理由\W*$|^\W*(reasons?|rationale|why)\W*$", re.I)
_NOISE = re.compile(
    r"\b(licen[sc]ed under|copyright|all rights reserved|sponsor(ed|s|ship)?"
    r"|welcom\w+ (?:all |any |your )?(?:\w+ )?contributions?"
    r"|donat(e|ion)|star us|follow us|pull requests? (are|is) welcome|code of conduct"
    r"|badge|shields\.io|(new|added|changed|deprecated) in (version )?v?\d"
    r"|table of contents|\w+ at \w+ dot \w+|©)\b"
    r"|目次|ライセンスの下|著作権(は|表示|情報)|一切の(責務|責任)|予告なく変更|ご了承(ください|下さい)",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"^\s*(:::|!!!|\?\?\?|===|\{%|\{\{|import .* from |export |<\w|@\w+ "
    r"|\.\. |\+build "
    r"|:\w+:\s*$|\[TOC\]|#if|--8<--|%\w)",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|`[^`<]*<[^>]*>`_+|<?https?://\S+>?"
    r"|:\w+:`[^`]*`"
)
# An item of a list of people: a name on a host of code that links to its own page.
_PERSON = re.compile(
    r"\W*(?:\[@?(?P<name>[\w.-]+)\]\(https?://[\w.]+/@?(?P=name)/?\)|@[\w-]+)(?!\w)",
    re.IGNORECASE,
)
_ARTISTIC = re.compile(r"[-+|=*_/\\~^<>]{4,}|[─-╿▀-▟]")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_FOLLOWING = {"item", "row", "code"}


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph with what it leads to. section: place in the document's sections."""

    section: int
    text: DocumentBlock | None
    followers: tuple[DocumentBlock, ...] = ()

    @property
    def blocks(self) -> tuple[DocumentBlock, ...]:
        """All blocks in order."""
        return (*((self.text,) if self.text else ()), *self.followers)

    @property
    def words(self) -> int:
        """How many words of prose, code left aside."""
        return sum(count_words(b.text) for b in self.blocks if b.kind != "code")

    @property
    def prose(self) -> str:
        """The text without samples of code."""
        return " ".join(b.text for b in self.blocks if b.kind != "code")


def passages_of(
    section: int, blocks: Sequence[DocumentBlock], *, has_subject: bool = False
) -> list[Passage]:
    """Return the passages of a section that tell something.

    has_subject: the heading names what is spoken of, so that "this class" is clear.
    """
    found: list[Passage] = []
    at = 0
    is_joined = has_subject  # or the paragraph before was told
    is_lost = False  # what it is about was not told
    while at < len(blocks):
        block = blocks[at]
        is_prose = block.kind in {"text", "quote"}
        end = _end_of_followers(blocks, at + 1 if is_prose else at)
        followers = tuple(blocks[at + 1 if is_prose else at : end])
        passage = Passage(section, block if is_prose else None, followers)
        is_open = not followers and not ends_with_colon(block.text)
        is_near = (is_open and _is_told_near(blocks, end)) or (
            not followers and _is_counted_next(blocks, end)
        )
        told = _told(
            passage if is_near else _without_lead_ins(passage),
            is_joined=is_joined,
            is_first=not found and at == 0,
            is_near=is_near,
        )
        is_lost = (is_lost or _loses_its_matter(passage, told)) and not (
            told and told.followers
        )
        told = None if is_lost else told
        is_joined = told is not None
        found += [told] if told else []
        at = max(end, at + 1)
    return found


def _loses_its_matter(passage: Passage, told: Passage | None) -> bool:
    """Return whether a paragraph is left out that leads to what is not told.

    What follows it is about that; a colon without anything below it leads nowhere.
    """
    block = passage.text
    if told is not None or block is None or _told_followers(passage.followers):
        return False
    is_led_on = points_on(sentences(block.text)[0]) and is_telling(block.text)
    return is_led_on and (bool(passage.followers) or not ends_with_colon(block.text))


def _is_told_near(blocks: Sequence[DocumentBlock], at: int) -> bool:
    """Return whether a list, table or sample that is told stands here or next."""
    ends = ((n, _end_of_followers(blocks, n)) for n in range(at, at + 2))
    return any(_told_followers(blocks[begin:end]) for begin, end in ends)


def _is_counted_next(blocks: Sequence[DocumentBlock], at: int) -> bool:
    """Return whether the next paragraph is the first of what this one announces."""
    block = blocks[at] if at < len(blocks) else None
    return block is not None and bool(_FIRST.match(block.text))


def _without_lead_ins(passage: Passage) -> Passage:
    """Return a passage without the sentences that lead to what is not told.

    What follows them stays where it can be read without them.
    """
    block = passage.text
    followers = _told_followers(passage.followers)
    if block is None or followers or is_label(block.text):
        return passage
    said = sentences(block.text)
    kept = list(takewhile(lambda sentence: not points_on(sentence), said))
    if len(kept) == len(said) or not kept:
        return passage
    rest = list(dropwhile(points_on, said[len(kept) :]))
    if rest and not is_dangling(rest[0]) and not any(map(points_on, rest)):
        kept += rest
    return replace(passage, text=replace(block, text=join_sentences(kept)))


def _end_of_followers(blocks: Sequence[DocumentBlock], at: int) -> int:
    """Return the place behind one list, table or sample of code."""
    if at >= len(blocks) or blocks[at].kind not in _FOLLOWING:
        return at
    kind = blocks[at].kind
    end = at + 1
    while kind != "code" and end < len(blocks) and blocks[end].kind == kind:
        end += 1
    return end


def _told(
    passage: Passage, *, is_joined: bool, is_first: bool, is_near: bool
) -> Passage | None:
    """Return a passage without what tells nothing; None when nothing is left.

    is_joined: it follows one that is told. is_first: it stands right below a heading.
    is_near: a list, table or sample stands behind the next paragraph.
    """
    followers = _told_followers(passage.followers)
    block = passage.text
    if block is None:
        is_introduced = is_joined or is_first
        return (
            Passage(passage.section, None, followers)
            if (followers and is_introduced)
            else None
        )
    leads_on = is_leading(block.text)
    if is_label(block.text):
        return Passage(passage.section, block, followers) if followers else None
    if _REASONS.match(block.text):
        is_told = is_joined and bool(followers)
        return Passage(passage.section, block, followers) if is_told else None
    if leads_on and followers and _words(block.text) < _LEAST_LEAD:
        return Passage(passage.section, None, followers)
    if not is_telling(block.text) and not (leads_on and followers):
        is_table = bool(followers) and followers[0].kind == "row"
        return Passage(passage.section, None, followers) if is_table else None
    is_whole = bool(followers and _BEGINS_WITH_LIST.match(block.text))
    if is_dangling(block.text) and not is_joined and not is_whole:
        return None
    is_led_on = leads_on or points_on(sentences(block.text)[0])
    if not followers and not is_near and is_led_on:
        return None
    return Passage(passage.section, block, followers)


def _told_followers(blocks: Sequence[DocumentBlock]) -> tuple[DocumentBlock, ...]:
    if not blocks:
        return ()
    if blocks[0].kind == "code":
        return tuple(b for b in blocks if is_sample(b.text))
    if blocks[0].kind == "row":
        linked = sum("://" in block.text for block in blocks)
        is_told = 2 * linked < len(blocks) and 2 < len(blocks) <= _MOST_ITEMS + 2
        return tuple(blocks) if is_told else ()
    told = [b for b in blocks if _is_item(b.text)]
    if len(told) * 2 < len(blocks):
        return ()  # navigation
    # Of numbered rules none is left out: one may be a link to what explains it.
    whole = [b for b in blocks if _is_item(b.text) or (b.mark and _is_clean(b.text))]
    return tuple(whole[:_MOST_ITEMS])


def _is_item(text: str) -> bool:
    return _words(_LINK.sub("", text)) >= 1 and _is_clean(text)


def _is_clean(text: str) -> bool:
    """Return whether an item is no person, notice or markup."""
    return not (_PERSON.match(text) or _NOISE.search(text) or _MARKUP.match(text))


def is_telling(text: str, least: int = _LEAST_WORDS) -> bool:
    """Return whether a paragraph of some words is prose about the product.

    Licences, badges, sponsors, navigation, drawings and leftover markup are not.
    """
    outside = _SPAN.sub("", text)
    if _MARKUP.match(text) or _NOISE.search(text) or _ARTISTIC.search(outside):
        return False
    if _FIRST_PERSON.search(text):
        return False
    bare = _LINK.sub("", text)
    words = _words(bare)
    least = min(least, _LEAST_JAPANESE) if _JAPANESE.search(bare) else least
    is_link_bar = not any(map(str.isalnum, bare))
    if words < least or is_link_bar or _is_code(bare, words):
        return False
    is_long = _words(_LINK.sub("", outside)) >= least
    return _has_letters(text) or (is_long and _has_letters(outside))


def _has_letters(text: str) -> bool:
    letters = sum(c.isalpha() or c.isspace() or c in _BRACKETS for c in text)
    return letters >= _LEAST_LETTERS * len(text)


def _is_code(text: str, words: int) -> bool:
    """Return whether a text outside of spans is statements rather than sentences."""
    outside = _SPAN.sub("", text)
    return len(_CODE_MARKS.findall(outside)) > _MOST_MARKS * words


def is_sample(code: str) -> bool:
    """Return whether a block of code is short enough to be read beside its text."""
    lines = code.split("\n")
    return len(lines) <= _LONGEST_CODE and not _ARTISTIC.search(code)


def is_noise(text: str) -> bool:
    """Return whether a paragraph is a licence, a disclaimer or a call to follow."""
    return bool(_NOISE.search(text))


def is_label(text: str) -> bool:
    """Return whether a text is no more than the title of what stands below it.

    Whether a sample is good or bad, or that a list is of options.
    """
    return bool(_LABEL.match(text))


def points_back(text: str) -> bool:
    """Return whether a text speaks of an example or table above it."""
    return bool(_POINTS_BACK.search(text))


def is_dangling(text: str) -> bool:
    """Return whether a text begins by pointing at something outside of it."""
    return bool(_DANGLING.match(text) or _DANGLING_JAPANESE.match(text))


def stands_alone(sentence: str, least: int = _LEAST_WORDS) -> bool:
    """Return whether a sentence can be read without those around it."""
    is_open = is_leading(sentence)
    return is_telling(sentence, least) and not is_dangling(sentence) and not is_open


def _words(text: str) -> int:
    return len(text.split()) if not _JAPANESE.search(text) else count_words(text)
