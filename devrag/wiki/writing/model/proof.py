"""Whether the lines that a sentence cites can bear it, and the id that it lacks."""

from __future__ import annotations

import re
from dataclasses import replace

from devrag.wiki.analysis.prose import cited as with_markers
from devrag.wiki.analysis.prose import join_sentences
from devrag.wiki.checking.shown_names import is_shown, missing_names
from devrag.wiki.checking.support import SupportClaim, bears_words, judge_claim
from devrag.wiki.checking.validators import Gates
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks, plain, split_blocks
from devrag.wiki.evidence.noise import is_import_only

_OF_IMPORTS = re.compile(
    r"\b(?:import|includ|depend|requir|re-?export|modul|packag|librar|namespace)"
    r"|インポート|読み込|取り込|依存|モジュール|パッケージ|ライブラリ",
    re.IGNORECASE,
)
_OF_USE = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|calls?|invok|instantiat|creat|send|runs?|starts?|wrap"
    r"|delegat|handl|stor|reads?|writes?|return|rais)|使|呼び出|利用|実行|生成|送信",
    re.IGNORECASE,
)


def with_proof(markdown: str, gates: Gates) -> str:
    """Return Markdown in which sentences cite the evidence that shows their names.

    One id is added at most, to evidence that shows all that is missing.
    """
    blocks = split_blocks(markdown)
    if not any(block.is_prose for block in blocks):
        return markdown
    return join_blocks([_proven(b, gates) if b.is_prose else b for b in blocks])


def _proven(block: MarkdownBlock, gates: Gates) -> MarkdownBlock:
    sentences = block.sentences()
    proven = [_with_id(sentence, block.text, gates) for sentence in sentences]
    if proven == sentences:
        return block
    return replace(block, text=join_sentences(proven))


def _with_id(sentence: str, block: str, gates: Gates) -> str:
    cited = gates.cited(sentence, block)
    knows = gates.names.knows
    missing = missing_names(sentence, cited, is_indexed=knows) if cited else []
    if not missing:
        return sentence
    for key in gates.items:
        text = gates.text_of(key)
        shows_all = all(is_shown(name, text, sentence, knows) for name in missing)
        if key in gates.broken_items or not shows_all:
            continue
        claim = SupportClaim(0, plain(sentence), (*cited, text))
        is_borne = bears_words(sentence, text)
        if is_borne and judge_claim(claim).support != "unsupported":
            return with_markers(sentence, f" [[{key}]]")
    return sentence


def problem_of_proof(
    sentence: str, cited: list[str], gates: Gates, facts: str
) -> tuple[str, str] | None:
    """Return what the cited lines, as they were shown, do not show or contradict.

    facts: what the index told the writer, whose numbers need no lines.
    """
    if not cited:
        return None
    if missing := missing_names(sentence, cited, gates.has, gates.names.knows):
        return "support", f"`{missing[0]}` is not in the cited lines"
    lines = [text.split("\n", 2)[-1] for text in cited]
    says_use = _OF_USE.search(sentence) and not _OF_IMPORTS.search(sentence)
    if says_use and all(map(is_import_only, lines)):
        return "support", "the cited lines only import; they show no use"
    verdict = judge_claim(SupportClaim(0, plain(sentence), tuple(cited), facts))
    if verdict.support == "unsupported":
        return "support", verdict.reason
    return None
