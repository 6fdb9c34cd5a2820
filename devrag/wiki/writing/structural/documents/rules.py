"""What a document asks for: its rules, each with how strictly it is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.lead_ins import is_leading, points_on
from devrag.wiki.analysis.passages import is_noise, is_telling, stands_alone
from devrag.wiki.analysis.prose import (
    cited,
    full_stop,
    join_sentences,
    told_sentences,
)
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.quoted_names import names_of_lines

STRICT, STRONG, PLAIN = 3, 2, 1
_STRICT = re.compile(
    r"必須|禁止|推奨(する|します|しています|とする)|必ず|(して|使っては)(は)?(なら|いけ)ない"
    r"|\bmust\b|\bnever\b|\bshall\b|\brecommend(s|ed)?\b|\b(is|are) required\b",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"(し|わ|か|け|い|れ|め|え|さ)ない(こと|ように(する|します))?[。」）]*$|避ける|べき|原則"
    r"|\bshould\b|\bavoid\b|\bdo not\b|\bdon['’]t\b|\balways\b|\bprefer\b",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"(すること|こと|にする|とする|使用する|利用する|用いる)[。」）]*$")
# It lifts a rule, or says when there is one.
_LIFTED = re.compile(
    r"(必須|禁止)で(は)?(ない|ありません|あれば)|禁止することは|必要は(ない|ありません)"
    r"|ても(よい|良い|いい)|\bneed not\b|\bnot required\b|\bno longer\b"
    r"|\bdon['’]t (have|need) to\b|\bif you must\b|\bcan always\b"
    r"|\bdon['’]t (worry|get|be|panic|hesitate|forget)\b"
    r"|\bshould be (enough|able|fine)\b",
    re.IGNORECASE,
)
# A list below such a sentence tells what is wrong, why, or for example.
_TURNS = re.compile(
    r"ない|禁止|避け|悪い|誤|NG|非推奨|理由|例|場合|目的|背景|原因"
    r"|\bnot\b|n['’]t\b|\bnever\b|\bavoid|\bbad\b|\bwrong\b|\breasons?\b|\bbecause\b"
    r"|\bwhy\b|\bexamples?\b|\bif\b|\bwhen\b|\bproblems?\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"上記|前述|後述|下記|以下の|次の|この(よう|場合|とき)|\b(above|below)\b"
)
_SPAN = re.compile(r"`[^`]*`")
_ASIDE = re.compile(r"（[^（）]*）| ?\([^()]*\)")
_LONGEST, _LONGEST_JAPANESE = 240, 130  # characters
_SHORT, _SHORT_JAPANESE = 20, 24  # of a sentence that says too little alone


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence that can be read alone, without its citation. strength: 0 to 3.

    context: the sentence of its list item or paragraph that it is about, '' if none.
    """

    text: str
    strength: int
    block: DocumentBlock
    context: str = ""

    @property
    def whole(self) -> str:
        """Return the rule behind what it is about."""
        own = [self.context, self.text] if self.context else [self.text]
        return join_sentences(map(full_stop, own))

    def cited(self, ctx: PageContext, file: SurveyFile) -> str:
        """Return the rule as a cited sentence."""
        lines = self.block.start_line, self.block.end_line
        return cited(self.whole, ctx.book.cite(file.id, *lines))


def strength_of(sentence: str) -> int:
    """Return how strictly a sentence asks for something, 0 if it does not."""
    patterns = ((_STRICT, STRICT), (_STRONG, STRONG), (_PLAIN, PLAIN))
    bare = _SPAN.sub("", sentence)
    if _LIFTED.search(bare):
        return 0
    return next((each for pattern, each in patterns if pattern.search(bare)), 0)


def rules_of(
    ctx: PageContext, file: SurveyFile, blocks: Sequence[DocumentBlock]
) -> Iterator[Rule]:
    """Yield the sentences of a section that can be read alone, with their strength."""
    is_turned = False  # the list that is open is of what is wrong, or why
    for block in blocks:
        if block.kind in {"text", "quote"}:
            is_turned = bool(_TURNS.search(block.text)) and points_on(block.text)
        is_open = block.kind in {"text", "quote"} or (
            block.kind == "item" and not is_turned and block.indent == 0
        )
        if not is_open or is_noise(block.text):
            continue
        lines = ctx.book.lines(file.id)[block.start_line - 1 : block.end_line]
        told = told_sentences(block.text, names_of_lines(ctx, block.text, lines))
        short = [_without_asides(sentence) for sentence in told]
        for place, sentence in enumerate(short):
            if _can_stand(sentence):
                context = _context(block, short, place)
                yield Rule(sentence, strength_of(sentence), block, context)


def _without_asides(sentence: str) -> str:
    """Return a sentence, a long one without what stands in brackets."""
    longest = _LONGEST_JAPANESE if count_cjk(sentence) else _LONGEST
    if len(sentence) <= longest:
        return sentence
    return _ASIDE.sub("", sentence)


def _context(block: DocumentBlock, told: Sequence[str], place: int) -> str:
    """Return what a sentence is about: the head of its item, or the one before it.

    In a paragraph only a short sentence needs one.
    """
    if not place:
        return ""
    sentence = told[place]
    is_short = len(sentence) < (_SHORT_JAPANESE if count_cjk(sentence) else _SHORT)
    if block.kind != "item" and not is_short:
        return ""
    head = told[0] if block.kind == "item" else told[place - 1]
    longest = _LONGEST_JAPANESE if count_cjk(head) else _LONGEST
    is_fit = len(head) <= longest and not points_on(head) and is_telling(head, 1)
    return head if is_fit else ""


def _can_stand(sentence: str) -> bool:
    longest = _LONGEST_JAPANESE if count_cjk(sentence) else _LONGEST
    return (
        len(sentence) <= longest
        and stands_alone(sentence)
        and not is_leading(sentence)
        and not points_on(sentence)
        and not _POINTS.search(sentence)
    )


def summary_of(
    ctx: PageContext, file: SurveyFile, blocks: Sequence[DocumentBlock]
) -> str:
    """Return a section's first rule, else its first sentence, cited; '' if none."""
    found = list(rules_of(ctx, file, blocks))
    rule = next((r for r in found if r.strength), None) or next(iter(found), None)
    return rule.cited(ctx, file) if rule else ""
