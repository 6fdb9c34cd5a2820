"""What a model's section must pass beyond the gates of every page.

No leak of the prompt, no paragraph without evidence, names in the lines that are cited,
nothing that these lines contradict, the product's words as it writes them, code copied
from evidence, diagrams of names that exist, nothing said twice on a page.

A sentence that fails costs itself alone. Where a name of it stands in other evidence,
one id is added.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from devrag.wiki.analysis.prose import join_sentences
from devrag.wiki.checking.shown_names import CODE
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
    r"|\bthe (provided|given) evidence\b|\b(DATA-[0-9a-f]{6,}|<<DATA|DATA>>)"
    r"|AIとして|言語モデルとして|AIアシスタントとして"
    r"|(以前|これまで|前)の(指示|命令)(を|は)(すべて)?(無視|忘れ)",
    re.IGNORECASE,
)
_URL = re.compile(r"\b(?:https?|ftp|javascript|data):[^\s<>`)\]]+", re.IGNORECASE)
_LEADS_IN = (":", "：")
_LONGEST_LEAD = 200
_LOOSE = "format", "it ends with a colon and no list or code follows"
_POINTS = re.compile(
    r"^\W*(?:For .{1,80}, )?(?:see|read|more|details|also|next|back)\b"
    r"|参照|を見よ|はこちら",
    re.IGNORECASE,
)
_NODE = re.compile(r"\b([A-Za-z_]\w*)\s*(?:\[|\(|\{|>)")
_LABEL = re.compile(r"\"([^\"]*)\"|\bparticipant\s+\w+\s+as\s+(.+)$", re.MULTILINE)
_CODE_WORD = re.compile(r"[\w./-]*(?:\w_\w|[a-z][A-Z]|\w\.\w|\w/\w)[\w./-]*")
_STEERS = re.compile(r"^\s*(click|style|classDef|linkStyle|%%\{)", re.MULTILINE)


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


def check_section(markdown: str, rules: Rules) -> tuple[str, list[Finding]]:
    """Return the section without what fails, and what failed."""
    text, findings = check_page(with_proof(markdown, rules.gates), rules.gates)
    kept = []
    said: set[str] = set()
    for block in split_blocks(text):
        checked = _checked(block, rules, said, findings)
        if checked is not None:
            kept.append(checked)
    kept = without_empty_headings(_without_loose_leads(kept, rules, findings))
    return (join_blocks(kept) if kept else ""), list(dict.fromkeys(findings))


def _checked(
    block: MarkdownBlock, rules: Rules, said: set[str], found: list[Finding]
) -> MarkdownBlock | None:
    if block.is_prose:
        return _prose(block, rules, said, found)
    problem = _other(block, rules)
    if problem is None:
        return block
    found.append(Finding(rules.gates.page, *problem, plain(block.text)[:_SHOWN]))
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
    block: MarkdownBlock, rules: Rules, said: set[str], found: list[Finding]
) -> MarkdownBlock | None:
    """Return what of a paragraph or entry may stay. said: before it, with evidence."""
    text, problem = block.text, _unpaired(block.text)
    if problem is None:
        text = join_sentences(_sentences_of(block, rules, said, found))
        problem = _bare(text) if text else None
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


def _bare(text: str) -> tuple[str, str] | None:
    """Return what a text lacks: words, or evidence for them."""
    if not any(character.isalnum() for character in plain(text)):
        return "empty", "nothing is said before its evidence ids"
    if _needs_evidence(text):
        return "uncited", "no evidence id; cite the lines that show it or leave it out"
    return None


def _needs_evidence(text: str) -> bool:
    """Only what leads to a list, to code or to another page goes without."""
    if MARKER.search(text):
        return False
    bare = plain(text)
    if len(bare) > _LONGEST_LEAD:
        return True
    leads = bare.endswith(_LEADS_IN) or (links_in(text) and _POINTS.search(bare))
    return not leads


def _without_loose_leads(
    blocks: list[MarkdownBlock], rules: Rules, found: list[Finding]
) -> list[MarkdownBlock]:
    """Drop sentences at a paragraph's end that announce what does not follow."""
    kept = []
    for block, following in zip_longest(blocks, blocks[1:]):
        leads_on = following is not None and following.kind in {"item", "fence"}
        if block.kind != "paragraph" or leads_on or not _announces(block.text):
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
    return problem_of_proof(sentence, cited, rules.facts)


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
    known = {
        line.strip()
        for item in rules.gates.items.values()
        for line in item.excerpt.split("\n")
    }
    for line in block.text.split("\n"):
        bare = line.strip().removeprefix("$ ")
        if bare and bare not in known and f"$ {bare}" not in known:
            return "code", f"the line “{bare[:80]}” stands in no evidence"
    return None


def _diagram(block: MarkdownBlock, rules: Rules) -> tuple[str, str] | None:
    if _STEERS.search(block.text) or _URL.search(block.text) or "<" in _labels(block):
        return "diagram", "styles, clicks, addresses and HTML are not allowed in it"
    if len(set(_NODE.findall(block.text))) > MOST_NODES:
        return "diagram", f"it has more than {MOST_NODES} nodes"
    for word in _CODE_WORD.findall(_labels(block)):
        bare = word.strip("./-")
        if not rules.gates.names.knows(bare):
            return "diagram", f"{bare} is no name of this code"
    return None


def _labels(block: MarkdownBlock) -> str:
    return "\n".join(a or b for a, b in _LABEL.findall(block.text))
