"""What a model's section must pass beyond the gates of every page.

No leak of the prompt, no paragraph without evidence, names in the lines that are cited,
nothing that these lines contradict, the product's words as it writes them, code copied
from evidence, diagrams of names that exist, nothing said twice on a page.

A sentence that fails costs itself alone. Where a name of it stands in other evidence,
one id is added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from devrag.wiki.analysis.prose import join_sentences
from devrag.wiki.analysis.prose import sentences as split_sentences
from devrag.wiki.checking.shown_names import CODE, NameTest, is_shown
from devrag.wiki.checking.validators import (
    Finding,
    Gates,
    check_page,
    dependent_findings,
    finding_on,
)
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    join_blocks,
    links_in,
    plain,
    split_blocks,
    without_empty_headings,
)
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.proof import problem_of_proof, with_proof
from devrag.wiki.writing.model.terms import other_form
from devrag.wiki.writing.prompts import prompt_sentences

_SHOWN = 200
MOST_NODES = 25
_OF_ITSELF = re.compile(
    r"\bas an AI\b|\bI am an AI\b|\bI['’]m an AI\b|\bas a (large )?language model\b"
    r"|\b(ignore|disregard|forget) (all |any |the |your )*"
    r"(previous|prior|above|earlier)\s+(instructions|prompts?)"
    r"|\bmy instructions\b|\bthe instructions (I|above)\b"
    r"|\bthe (provided|given) evidence\b|\b((?-i:DATA-[0-9a-z]{8,})|<<DATA|DATA>>)"
    r"|AIとして|言語モデルとして|AIアシスタントとして"
    r"|(以前|これまで|前)の(指示|命令)(を|は)(すべて)?(無視|忘れ)",
    re.IGNORECASE,
)
_URL = re.compile(r"\b(?:https?|ftp|javascript|data):[^\s<>`)\]]+", re.IGNORECASE)
_LEADS_IN = (":", "：")
_LONGEST_LEAD = 200
_LED_TO = {"item", "fence"}
_LOOSE = "format", "it ends with a colon and no list or code follows"
_UNCITED = (
    "no evidence id; cite the lines that show it, or leave it out. What only leads to "
    "a list or code ends with a colon, what only leads to a page says what is told "
    "there, as “[page](page.md) describes …”"
)
# What only leads to another page: it says what is told there and nothing else.
_TELLS = (
    r"(?:describ|explain|tell|show|list|giv|cover|document|discuss|detail|introduc"
    r"|present|summari[sz]|contain|hold|answer|nam)(?:e?s|e)?\b|(?:has|have|is|are)\b"
)
_TOLD = (
    r"(?:(?:is|are|was|were|be)\s+(?:\w+ly\s+)?(?:described|explained|told|shown|listed"
    r"|given|covered|documented|discussed|detailed|introduced|presented|summari[sz]ed"
    r"|defined|found|named)|stands?|(?:is|are))\s+(?:further\s+|there\s+)?"
    r"(?:in|on|at|by|under|with)|(?:is|are)\s+the\s+(?:subject|topic)s?\s+of"
)
# “…, translations in [page]”: what is left out was said of the page before.
_ELSEWHERE = r"(?:(?:[\w-]+\s+){1,5}(?:in|on|at|by|under)\s+(?=\0))?"
_POINTS = re.compile(
    rf"""^\W*(?:For .{{1,80}},\ )?(?:see|read|more|details|also|next|back)\b
    | ^\W*(?:\0(?:,|\ and|\s|と|、)*)+(?:\W*(?:then|also)\s+)?(?:{_TELLS}|\W*$|[はが])
    | {_TOLD}(?:\ the)?(?:\ pages?)?\W*(?:\0(?:,|\ and|\ or|\s)*{_ELSEWHERE})+\W*$
    | 参照|を見よ|をご覧|はこちら
    | (?:で|に)(?:は|も)?(?:説明|解説|紹介|記載|示|述べ|扱)""",
    re.VERBOSE | re.IGNORECASE,
)
_NODE = re.compile(r"\b([A-Za-z_]\w*)\s*(?:\[|\(|\{|>)")
_LABEL = re.compile(r"\"([^\"]*)\"|\bparticipant\s+\w+\s+as\s+(.+)$", re.MULTILINE)
_CODE_WORD = re.compile(
    r"(?<![\w./-])[\w./-]*(?:\w_\w|[a-z][A-Z]|\w\.\w|\w/\w)[\w./-]*"
)
_TAG = re.compile(r"</?[a-z]\w*[\s/>](?!\w)|<!--", re.IGNORECASE)
_STEERS = re.compile(
    r"(?:^|;)\s*(?:click|style|classDef|linkStyle)\b|%%\{", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Rules:
    """What one section is checked against. said: sentences earlier on the page.

    glossary: word → how the wiki writes it. facts: what the index told the writer.
    unsupported: sentence → why its evidence does not support it.
    """

    gates: Gates
    fence: str = ""
    said: frozenset[str] = field(default=frozenset())
    glossary: Mapping[str, str] = field(default_factory=dict)
    facts: str = ""
    unsupported: Mapping[str, str] = field(default_factory=dict)


def check_section(
    markdown: str, rules: Rules, *, leads_on: bool = False
) -> tuple[str, list[Finding]]:
    """Return the section without what fails, and what failed.

    leads_on: a table, diagram or code that the page shows as it is follows.
    """
    gates = rules.gates
    text, findings = check_page(with_proof(markdown, gates), gates, leads_on=leads_on)
    kept = []
    said: set[str] = set()
    blocks = split_blocks(text)
    for block, following in zip_longest(blocks, blocks[1:]):
        leads = following.kind in _LED_TO if following else leads_on
        checked = _checked(block, rules, said, findings, leads_on=leads)
        if checked is not None:
            kept.append(checked)
    kept = _without_loose_leads(kept, rules, findings, leads_on=leads_on)
    kept = without_empty_headings(kept, leads_on=leads_on)
    return (join_blocks(kept) if kept else ""), list(dict.fromkeys(findings))


def _checked(
    block: MarkdownBlock,
    rules: Rules,
    said: set[str],
    found: list[Finding],
    *,
    leads_on: bool,
) -> MarkdownBlock | None:
    if block.is_prose:
        is_lead = leads_on and block.kind == "paragraph"
        return _prose(block, rules, said, found, is_lead=is_lead)
    problem = _other(block, rules)
    if problem is None:
        return block
    # A fence may be written again as a whole; a table or heading goes.
    again = join_blocks([block]).strip() if block.kind == "fence" else ""
    shown = plain(block.text)[:_SHOWN]
    found.append(Finding(rules.gates.page, *problem, shown, again))
    return None


def _other(block: MarkdownBlock, rules: Rules) -> tuple[str, str] | None:
    """Return what is wrong with a fence, a table or a heading."""
    if block.kind == "table":
        return "format", "tables are not allowed; write a list"
    if leaks(block.text, rules.fence):
        return "leak", "it repeats the prompt or its marks"
    if block.kind == "fence":
        return (
            _diagram(block, rules) if block.lead == "mermaid" else _code(block, rules)
        )
    return None


def _prose(
    block: MarkdownBlock,
    rules: Rules,
    said: set[str],
    found: list[Finding],
    *,
    is_lead: bool,
) -> MarkdownBlock | None:
    """Return what of a paragraph or entry may stay. said: before it, with evidence.

    is_lead: a list, code or what the page shows follows.
    """
    text, problem = block.text, _unpaired(block.text)
    if problem is None:
        text = join_sentences(_sentences_of(block, rules, said, found))
        problem = _bare(text, is_lead=is_lead) if text else None
    if problem is None:
        return replace(block, text=text) if text else None
    shown = plain(text) or text
    found.append(Finding(rules.gates.page, *problem, shown[:_SHOWN], text))
    return None


def _sentences_of(
    block: MarkdownBlock, rules: Rules, said: set[str], found: list[Finding]
) -> list[str]:
    """Return the sentences that pass; of an entry none where its first one does not."""
    kept: list[str] = []
    sentences = block.sentences()
    for number, sentence in enumerate(sentences, 1):
        problem = _sentence(sentence, block, rules, said)
        if number < len(sentences) and _announces(sentence):
            problem = _LOOSE
        if problem is None:
            kept.append(sentence)
            said.add(sentence)
            continue
        found.append(finding_on(rules.gates.page, problem, sentence))
        if block.kind == "item" and not kept:
            found += dependent_findings(rules.gates.page, sentences[number:])
            break
    return kept


def _bare(text: str, *, is_lead: bool) -> tuple[str, str] | None:
    """Return what a text lacks: words, or evidence for them."""
    if not any(character.isalnum() for character in plain(text)):
        return "empty", "nothing is said before its evidence ids"
    if _needs_evidence(text) and not (is_lead and _is_summary(text)):
        return "uncited", _UNCITED
    return None


def _needs_evidence(text: str) -> bool:
    """Only what leads to a list, to code or to another page goes without."""
    if MARKER.search(text):
        return False
    bare = plain(text)
    if len(bare) > _LONGEST_LEAD:
        return True
    return not (bare.endswith(_LEADS_IN) or all(map(leads_away, split_sentences(text))))


def _is_summary(text: str) -> bool:
    """Return whether one short sentence without names sums up what follows it."""
    is_short = len(plain(text)) <= _LONGEST_LEAD and len(split_sentences(text)) == 1
    return is_short and not re.search(r"[`\d]", text)


def leads_away(sentence: str) -> bool:
    """Return whether a sentence has a link and says no more than what is told there."""
    links = links_in(sentence)
    for label, target in links:
        sentence = sentence.replace(f"[{label}]({target})", "\0")
    return bool(links) and _POINTS.search(sentence) is not None


def _without_loose_leads(
    blocks: list[MarkdownBlock], rules: Rules, found: list[Finding], *, leads_on: bool
) -> list[MarkdownBlock]:
    """Drop sentences at a paragraph's end that announce what does not follow."""
    kept = []
    for block, following in zip_longest(blocks, blocks[1:]):
        is_led = following.kind in _LED_TO if following else leads_on
        if block.kind != "paragraph" or is_led or not _announces(block.text):
            kept.append(block)
            continue
        *before, last = block.sentences()
        found.append(Finding(rules.gates.page, *_LOOSE, plain(last)[:_SHOWN]))
        if before:
            kept.append(replace(block, text=join_sentences(before)))
    return kept


def _announces(text: str) -> bool:
    """Return whether a text ends as if more followed, whatever it cites."""
    return plain(text).rstrip(" .。").endswith(_LEADS_IN)


def _unpaired(text: str) -> tuple[str, str] | None:
    """Return which mark of code or emphasis has no other end."""
    if text.count("`") % 2:
        return "format", "a backtick has no other end"
    if CODE.sub("", text).count("**") % 2:
        return "format", "“**” has no other end"
    return None


def _sentence(
    sentence: str, block: MarkdownBlock, rules: Rules, said: set[str]
) -> tuple[str, str] | None:
    if "```" in sentence or "~~~" in sentence:
        return "format", "a code fence must stand on lines of its own"
    if leaks(sentence, rules.fence):
        return "leak", "it repeats the prompt or speaks of the writer"
    if reason := rules.unsupported.get(sentence):
        return "support", reason
    if sentence in said or said_as(sentence) in rules.said:
        return "repeat", "the page already says this"
    if form := other_form(sentence, rules.glossary):
        return "glossary", f"write “{form[1]}” where it says “{form[0]}”"
    cited = rules.gates.cited(sentence, block.text)
    for url in _URL.findall(CODE.sub("", sentence)):
        if not any(url.rstrip(".,;:") in text for text in cited):
            return "link", f"{url[:80]} is not in the cited lines"
    return problem_of_proof(sentence, cited, rules.gates, rules.facts)


def leaks(text: str, fence: str) -> bool:
    """Return whether a text repeats a prompt or its marks, or speaks of the writer."""
    if fence and fence in text:
        return True
    bare = plain(text).casefold()
    known = any(sentence.casefold() in bare for sentence in prompt_sentences())
    return known or _OF_ITSELF.search(text) is not None


def said_as(sentence: str) -> str:
    """Return what makes two sentences the same."""
    return " ".join(plain(sentence).casefold().split())


def _code(block: MarkdownBlock, rules: Rules) -> tuple[str, str] | None:
    """Return which line of a code block stands in no evidence."""
    shown = _evidence_of(rules.gates)
    for line in block.text.split("\n"):
        bare = line.strip().removeprefix("$ ")
        if bare and not re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", shown):
            reason = f"the line “{bare[:80]}” stands in no evidence; copy code as it is"
            return "code", reason
    return None


def _evidence_of(gates: Gates) -> str:
    """Return all evidence of a page as its writer saw it."""
    return "\n".join(map(gates.text_of, gates.items))


def _diagram(block: MarkdownBlock, rules: Rules) -> tuple[str, str] | None:
    knows = rules.gates.names.knows
    reason = problem_of_diagram(block.text, lambda: _evidence_of(rules.gates), knows)
    return ("diagram", reason) if reason else None


def problem_of_diagram(
    text: str, evidence: Callable[[], str], knows: NameTest | None = None
) -> str:
    """Return what a diagram may not have, or a name that no evidence shows.

    evidence: all that may show its names; knows: whether the index has a name.
    """
    if _STEERS.search(text) or _URL.search(text):
        return "styles, clicks and addresses are not allowed in it"
    labels = _labels(text)
    if _TAG.search(labels):
        return "“<…>” in a label is read as HTML; write it without"
    if len(set(_NODE.findall(text))) > MOST_NODES:
        return f"it has more than {MOST_NODES} nodes"
    words = {word.strip("./-") for word in _CODE_WORD.findall(labels)}
    unknown = sorted(word for word in words if not (knows and knows(word)))
    shown = evidence() if unknown else ""
    for word in unknown:
        if word and not is_shown(word, shown, is_indexed=knows):
            return f"{word} is neither in the evidence nor a name of this code"
    return ""


def _labels(text: str) -> str:
    return "\n".join(a or b for a, b in _LABEL.findall(text))
