"""Turns docstrings and README text into clean sentences of Markdown.

Markup of reST, Markdown, Google and NumPy docstrings becomes plain text with code
spans; whole sentences are taken, never cut ones. What comes from a repository is data:
links, HTML and citation markers in it lose their effect.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from devrag.core.identifiers import words_of
from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.names import Names, escape

# A role of reST, or of MyST: `:func:`echo``, `{func}`echo``.
_ROLE = re.compile(
    r"(?::(?P<rst>[a-zA-Z][a-zA-Z:+-]*):|\{(?P<myst>[a-zA-Z][a-zA-Z:+-]*)\})"
    r"`[~!]?\.?(?P<title>[^`<]*?)(?:\s*<(?P<target>[^`>]*)>)?`"
)
_PLURAL = re.compile(r"(?<=`)\\+ ?s\b")  # `:class:`Option`\\s`
# Roles whose text is no name in code, with what stands before it.
_WORD_ROLES = {
    **dict.fromkeys(("ref", "doc", "term", "numref", "std:ref", "std:doc", "abbr"), ""),
    **dict.fromkeys(("guilabel", "menuselection", "kbd"), ""),
    "pep": "PEP ",
    "rfc": "RFC ",
    "cve": "CVE-",
    "issue": "#",
    "pull": "#",
}
_RST_LINK = re.compile(r"`([^`<]+?)\s*<[^`>]+>`__?")
_INLINE_TAG = re.compile(r"\{@(?:code|link|linkplain|literal|value)\s+([^{}]*)\}")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]")
_LINK = re.compile(
    r"\[([^\]]+)\](?:\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])"
)
_SHORTCUT = re.compile(
    r"(?<![A-Za-z0-9_\]`!])\[([A-Z\u3040-\u9fff][^\[\]`]*)\](?![\[(:])"
)
_RST_REFERENCE = re.compile(r"(?<![\w`-])([A-Z]\w*)_(?![\w`])")
# A link to a target, `Like this`_; a footnote; what is inserted; no space.
_RST_TARGET = re.compile(r"(?<![\w`:])`([^`<>\n]+)`__?(?![\w`])")
_RST_NOTE = re.compile(r"\s?\[(?:\d+|#[\w-]*|\*)\]_(?!\w)")
_RST_SUBSTITUTION = re.compile(r"(?<![\w|`])\|([A-Za-z][\w .-]*)\|(?:__?)?(?![\w|])")
_RST_ESCAPE = re.compile(r"\\ ")
_TAGS = (
    "a|abbr|b|br|c|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li"
    "|ol|p|para|param|paramref|picture|pre|remarks|s|samp|script|see|seealso|small|source"
    "|span|strong|style|sub|summary|sup|table|tbody|td|th|thead|tr|tt|typeparamref|u|ul"
    "|value|var|video"
)
_TAG = re.compile(rf"</?(?:{_TAGS})\b[^>\n]*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# Emphasis around code spans: `*(optional, with ``x``)*`.
_AROUND_CODE = re.compile(
    r"(?<![\w*`\\])(\*{1,2})(?=[^\s*`])((?:`[^`\n]+`|[^*`\n])+?)(?<=[^\s\\])\1(?![\w*])"
)
# "**`default_map` entry** matching": the emphasis begins with a code span.
_STRONG_WITH_CODE = re.compile(
    r"(?<!\S)\*\*((?=`)(?:`[^`\n]+`|[^*`\n])+?)(?<=\S)\*\*(?!\w)"
)
_AUTO_LINK = re.compile(r"<(https?://[^>\s]+)>")
# As in Markdown a run of backticks is ended by one of its own length.
_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_STRONG_CODE = re.compile(r"(?<!\w)(\*{1,3}|__)(?=`)(`+[^`\s][^`\n]*`+)\1(?!\w)")
# Japanese has no blanks around it.
_EMPHASIS = re.compile(
    r"(?<![A-Za-z0-9_*\\])(\*{1,3})(?=\S)([^*\n]+?)(?<=[^\s\\])\1(?![A-Za-z0-9_*])"
)
_LINKS_AND_EMPHASIS = (
    (_IMAGE, ""),
    (_AUTO_LINK, r"\1"),
    (_LINK, r"\1"),
    (_SHORTCUT, r"\1"),
    (_STRONG_WITH_CODE, r"\1"),
    (_RST_REFERENCE, r"\1"),
    (_AROUND_CODE, r"\2"),
)
_ESCAPED = re.compile(r"\\([_*`\[\]<>])")  # as Markdown writes what is no markup
_ITALIC = re.compile(r"(?<!\w)_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_(?!\w)")
_UNDERLINED = re.compile(r"(?<!\w)(__?)(?=[^\s_])([^_\n]+?)(?<=[^\s_])\1(?!\w)")
_END = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[`*_]*[A-Z0-9\u3040-\u9fff`])|(?<=[。！？])\s*"
)
_ABBREVIATION = re.compile(
    r"\b(e\.g|i\.e|etc|cf|vs|a\.k\.a|w\.r\.t|resp|approx|Dr|Mr|Ms|St|No|Fig|al)\.$"
)
_FIELD = re.compile(
    r"^\s*(:\w[^:`]*:(?!`)|@\w+|\.\. |>>>|(Args|Arguments|Parameters|Returns|Return"
    r"|Raises|Yields|Examples?|Usage|Notes?|Attributes|See Also|Todo)\s*:?\s*$)"
)
_PRAGMA = re.compile(r"^\s*((es|ox|ts|js|style)(lint|hint)-|rubocop:|noqa\b|@ts-)")
_RULE = re.compile(r"^\s*([=\-~^#*_\"'`+])\1{2,}\s*$")
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = ("a", "an", "the", "this", "that", "is", "of", "for")
_KINDS = ("class", "interface", "trait", "enum", "struct", "type", "object")
_KIND_OF = re.compile(rf"^({'|'.join(_KINDS)}) [`\w]+\.?$", re.IGNORECASE)
# "Details are [here](…)": without its link it leads nowhere.
_POINTER = re.compile(
    r"\[\s*(?:here|this|こちら|ここ)\s*\](?:\([^)\s]*\)|\[[^\]]*\])", re.I
)
_PROPER = {
    *("Python", "Java", "Ruby", "Rust", "Go", "Unicode", "Windows", "Linux", "Git"),
    *("Django", "Docker", "Markdown", "English", "Japanese"),
}
_ENDING = 16  # characters that show a sentence's language
_LOST = "\x00"
_REMARK = re.compile(
    r"^\W*(XXX|FIXME|TODO|HACK|NOTE TO SELF)\b|^(?i:please|copied from|all of)\b"
    r"|^https?://\S+$|^@\w+"
)
_AGAIN = re.compile(r" ?(\[\[E\d+\]\])(?=.*\1)")  # a marker that stands there again
_ENDS_WITH_ADDRESS = re.compile(r"https?://[\w./?#=&%~+:@-]*[\w/]$", re.ASCII)
_LAST_BRACKETS = re.compile(r"[（(][^（）()]*[）)]$")
# "A value is missing if:" says nothing without the list below it.
_LEADS_TO_LIST = re.compile(
    r"(?:\b(?:if|when|where|unless|because|is|are|be|as|by|with|and|or|that|to|of|in|for"
    r"|from|either|than)|\b(?:the following|as follows)\b[^.]*)\s*:\s*$",
    re.IGNORECASE,
)
_WORDLESS = re.compile(r"^[\W\d_]*$")
# Fewer say nothing: neither a page nor what a document tells of itself.
LEAST_WORDS = 8


def lead_paragraph(docstring: str) -> str:
    """Return the docstring's first paragraph of prose as one line, '' if none."""
    lines: list[str] = []
    for line in docstring.strip().splitlines():
        if _PRAGMA.match(line):
            continue
        if _FIELD.match(line) or (not line.strip() and lines):
            break
        if _RULE.match(line):
            if len(lines) == 1 and len(lines[0]) < 60:  # an underlined title
                lines.clear()
            continue
        if line.strip():
            lines.append(line.strip())
    return " ".join(lines)


def plain_sentence(docstring: str) -> str:
    """Return the first sentence of a docstring's prose without markup, '' if none.

    It is text, not Markdown.
    """
    return next(iter(sentences(plain_text(lead_paragraph(docstring)))), "")


def plain_text(text: str) -> str:
    """Return reST, Markdown or a documentation comment as one line without markup."""
    text = _RST_ESCAPE.sub("", _RST_NOTE.sub("", _RST_TARGET.sub(r"\1", text)))
    text = _RST_SUBSTITUTION.sub(r"\1", _without_links(text))
    text = _CODE.sub(lambda code: code[2].strip(), text)
    text = _EMPHASIS.sub(r"\2", _TAG.sub("", text))
    return " ".join(_ITALIC.sub(r"\1", text).split())


def clean(text: str, names: Names) -> str:
    """Return text as safe Markdown prose; code spans only for what exists."""
    text = _without_links(text)
    pieces, at = [], 0
    for match in _CODE.finditer(text):
        pieces.append(_plain(text[at : match.start()]))
        pieces.append(names.code(match.group(2).strip()))
        at = match.end()
    pieces.append(_plain(text[at:]))
    return " ".join("".join(pieces).split())


def _without_links(text: str) -> str:
    """Return text whose roles, links and images are names, code or plain words."""
    text = _RST_LINK.sub(r"\1", _INLINE_TAG.sub(_tag_text, text))
    text = _PLURAL.sub("s", text)
    text = _ROLE.sub(_role_text, _replaced(_STRONG_CODE, r"\2", text))
    for pattern, replacement in _LINKS_AND_EMPHASIS:
        text = _replaced(pattern, replacement, text)
    return text


def _replaced(pattern: re.Pattern[str], replacement: str, text: str) -> str:
    """Replace what matches outside of code spans; what they hold stays as it is."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    ends = {match.start() + 1: match.end() for match in _CODE.finditer(text)}
    starts = sorted(ends)
    pieces, at = [], 0
    for match in found:
        before = bisect_right(starts, match.start()) - 1
        is_inside = before >= 0 and match.start() < ends[starts[before]]
        told = match[0] if is_inside else match.expand(replacement)
        pieces += [text[at : match.start()], told]
        at = match.end()
    return "".join([*pieces, text[at:]])


def _tag_text(match: re.Match[str]) -> str:
    """`{@link Gson#fromJson(String) parsing}` shows its label, else the name."""
    target, _, title = match.group(1).strip().partition(" ")
    if title and "(" not in target:
        return title
    return (
        f"``{match.group(1).strip().partition('(')[0].replace('#', '.').lstrip('.')}``"
    )


def _role_text(match: re.Match[str]) -> str:
    """`:meth:`title <target>`` shows its title, `:meth:`~a.b`` the name."""
    title = match["title"]
    if match["target"]:
        return title
    before = _WORD_ROLES.get(match["rst"] or match["myst"])
    return f"``{title}``" if before is None else before + title.lstrip("/")


def _plain(text: str) -> str:
    text = _EMPHASIS.sub(r"\2", _TAG.sub("", _BREAK.sub(" ", text)))
    return escape(_ESCAPED.sub(r"\1", _UNDERLINED.sub(r"\2", text)))


def sentences(text: str) -> list[str]:
    """Split prose into sentences (English and Japanese), code spans kept whole."""
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.start()] + match.group().rstrip()
        is_inside = text[: match.start()].count("`") % 2 or _is_open(piece)
        if is_inside or _ABBREVIATION.search(piece):
            continue
        found.append(piece.strip())
        start = match.end()
    found.append(text[start:].strip())
    return [piece for piece in found if piece]


def _is_open(piece: str) -> bool:
    """Return whether a Japanese bracket or quote is still open."""
    return sum(map(piece.count, "（「『")) > sum(map(piece.count, "）」』"))


def join_sentences(found: Iterable[str]) -> str:
    """Put sentences behind each other; Japanese ones have no blank between them.

    A code span or a Latin word that follows a Japanese sentence has one before it.
    """
    text = ""
    for sentence in found:
        is_close = text.endswith(("。", "！", "？")) and not sentence[:1].isascii()
        text += ("" if not text or is_close else " ") + sentence
    return text


def first_sentence(docstring: str, names: Names, *, limit: int = 320) -> str:
    """Return the first whole sentence of a docstring as Markdown, '' if unusable."""
    found = told_sentences(lead_paragraph(docstring), names)
    if not found or _WORDLESS.match(found[0]) or len(found[0]) > limit:
        return ""
    if _REMARK.match(found[0]) or _LEADS_TO_LIST.search(found[0]):
        return ""
    return full_stop(found[0])


def opening(docstring: str, names: Names, *, limit: int = 600) -> list[str]:
    """Return the whole sentences of a docstring's first paragraph, within a limit."""
    taken: list[str] = []
    size = 0
    for sentence in told_sentences(lead_paragraph(docstring), names):
        size += len(sentence)
        is_told = not (_WORDLESS.match(sentence) or _LEADS_TO_LIST.search(sentence))
        if size > limit or not is_told:
            break
        taken.append(sentence)
    return [*taken[:-1], full_stop(taken[-1])] if taken else []


def told_sentences(text: str, names: Names) -> list[str]:
    """Return a text's sentences, cleaned, that tell something without their links."""
    cleaned = clean(_POINTER.sub(_LOST, text), names)
    return [said for said in sentences(cleaned) if _LOST not in said]


def only_names(sentence: str, name: str) -> bool:
    """Return whether a sentence holds nothing but the words of a name: `Task model.`"""
    if _KIND_OF.match(sentence):
        return True
    words = [word.lower() for word in _WORD.findall(sentence)]
    own = {word.lower() for word in words_of(name)} | {name.lower()}
    own |= {f"{word}s" for word in own}
    return bool(words) and all(word in {*own, *_ARTICLES, *_KINDS} for word in words)


def full_stop(sentence: str) -> str:
    """End a sentence properly: a colon or nothing becomes a full stop.

    An address stays as it is: a stop would be taken for a part of it.
    """
    sentence = sentence.rstrip().rstrip(":：;,").rstrip()
    if _ENDS_WITH_ADDRESS.search(sentence):
        return sentence
    is_aside = sentence[:1] in {"(", "（"} and sentence[-1:] in {")", "）"}
    if is_aside and count_cjk(sentence):
        return sentence  # its own stop is inside, as Japanese has it
    if not sentence or sentence.rstrip("）)」』 ")[-1:] in set(".!?。！？…"):
        return sentence
    ending = _LAST_BRACKETS.sub("", sentence)[-_ENDING:] + sentence[-_ENDING:]
    is_japanese = any("\u3040" <= c <= "\u9fff" for c in ending)
    return sentence + ("。" if is_japanese else ".")


def cited(sentence: str, markers: str) -> str:
    """Put evidence markers, each once, before the sentence's final stop."""
    markers = _AGAIN.sub("", markers)
    if sentence[-1:] in {".", "!", "?", ":", "。", "！", "？", "："}:
        return sentence[:-1] + markers + sentence[-1]
    return sentence + markers


def join_names(items: list[str], *, last: str = "and") -> str:
    """Join phrases for a sentence: `a`, `a and b`, `a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return `1 file`, `2 files`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def upper_first(sentence: str) -> str:
    """Return a sentence that begins with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def lower_first(sentence: str) -> str:
    """Lower the first letter for use inside a sentence; names and acronyms stay."""
    head = sentence.split(" ", 1)[0]
    keeps = len(head) > 1 and not head[1:].islower() and head[1:].isalpha()
    keeps = keeps or head.rstrip(",") in _PROPER
    return sentence if keeps or not head.isalpha() else head[0].lower() + sentence[1:]


def count_words(text: str) -> int:
    """Count words; Japanese has no spaces, two characters are about one."""
    return max(len(text.split()), count_cjk(text) // 2)
