"""Texts of Redmine, Textile or Markdown, as Markdown of ours. Pure.

Code is put aside first, then macros and links that both formats share are written, and
what is left is converted where it is Textile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from devrag.sources.connectors.pages.markdown import inline_code, link
from devrag.sources.connectors.redmine.aside import Aside
from devrag.sources.connectors.redmine.links import TextLinks
from devrag.sources.connectors.redmine.macros import write_macros
from devrag.sources.connectors.redmine.textile import TextileWriter

Format = Literal["textile", "markdown"]
_PRE = re.compile(r"<pre(?:\s[^>\n]{0,200})?>(.*?)(?:</pre>|\Z)", re.DOTALL | re.I)
_CODE = re.compile(
    r"\s{0,100}<code(?:\s+class=\"([\w+#.-]{1,40})[^\"\n]{0,100}\")?\s{0,10}>(.*)",
    re.DOTALL | re.I,
)
_FENCED = re.compile(
    r"^ {0,3}(`{3,}|~{3,})([^\n`]*)\n(.*?)(?:^ {0,3}(\1[`~]*)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_HTML_CODE = re.compile(r"<code(?:\s[^>\n]{0,200})?>([^\n]{0,1000}?)</code>", re.I)
_AT_CODE = re.compile(r"(?<![\w@])@(?:\|[\w-]{1,20}\|)?([^@\n]+)@(?!\w)")
_BACKTICKS = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]+)\1(?!`)")
_PLAIN = re.compile(r"<notextile>(.*?)(?:</notextile>|\Z)", re.DOTALL | re.I)
_WIKI_LINK = re.compile(
    r"(!?)\[\[(?:([^\]\n|:#]{1,100}):)?([^\]\n|#]{0,300})(?:#([^\]\n|]{0,300}))?"
    r"(?:\|([^\]\n]{0,500}))?\]\]"
)
_ISSUE = re.compile(r"(?<![\w&#/!\[.=-])(##?)(\d{1,9})((?:#note)?-\d{1,6})?(?!\w)")
_FILE = re.compile(
    r"(?<![\w!])attachment:(?:\"([^\"\n]{1,255})\"|([^\s\"<>|,;)]{1,255}))"
)
_BLANK_LINES = re.compile(r"\n{3,}")
_OF_TEXTILE = re.compile(
    r'^h[1-6]\. |^(?:bq|p[<>=]?)\. |^\|_\.|"[^"\n]{1,200}":(?:https?:|/)'
    r"|^#+ [^\n]+\n[#*]+ \S|^\*{2,} \S|<pre>|(?<!\S)@[^@\n]{1,200}@(?!\w)",
    re.MULTILINE,
)
_OF_MARKDOWN = re.compile(
    r"(?:\A|\n[ \t]*\n)#{1,6} [^\n]+(?=\n[ \t]*(?:\n|\Z)|\Z)"
    r"|^(?:```|~~~)|\]\(\S{1,300}\)|\*\*\S|^\|[ :|-]{3,200}\|$"
    r"|^(?:\d{1,3}\.|-) \S|(?<!`)`[^`\n]{1,200}`",
    re.MULTILINE,
)
_LOOKED_AT = 20_000


def to_markdown(text: str, links: TextLinks, usual: Format) -> str:
    """Return a text as Markdown. usual: the format of a text that does not tell."""
    text, aside = Aside.clean(text), Aside()
    is_textile = format_of([text], usual) == "textile"
    text = _put_code_aside(text, aside, is_textile)
    text = write_macros(text, links, aside)
    text = _WIKI_LINK.sub(lambda found: _wiki_link(found, links, aside), text)
    text = _FILE.sub(lambda found: _file(found, links, aside), text)
    text = _ISSUE.sub(lambda found: _issue(found, links, aside), text)
    if is_textile:
        text = TextileWriter(aside, links.file).write(text)
    return _BLANK_LINES.sub("\n\n", aside.restore(text)).lstrip("\n").rstrip()


def format_of(texts: Iterable[str], usual: Format) -> Format:
    """Return the format that more marks in some texts speak for.

    `# word` is an item in the one and a heading in the other: one that stands alone
    speaks for Markdown, two in a row for Textile.
    """
    balance = 0
    for text in texts:
        part = text[:_LOOKED_AT]
        balance += len(_OF_TEXTILE.findall(part)) - len(_OF_MARKDOWN.findall(part))
    return usual if balance == 0 else "textile" if balance > 0 else "markdown"


def _put_code_aside(text: str, aside: Aside, is_textile: bool) -> str:
    text = _FENCED.sub(lambda found: _fenced(found, aside, is_textile), text)
    text = _PRE.sub(lambda found: _pre(found[1], aside), text)
    text = _BACKTICKS.sub(lambda found: aside.put(found[0]), text)
    if not is_textile:
        return text
    text = _PLAIN.sub(lambda found: aside.put(found[1]), text)
    text = _HTML_CODE.sub(lambda found: aside.put(inline_code(found[1])), text)
    return _AT_CODE.sub(lambda found: aside.put(inline_code(found[1])), text)


def _fenced(found: re.Match[str], aside: Aside, is_textile: bool) -> str:
    if found[4] and not is_textile:
        return aside.put(found[0])
    return _block(found[3], found[2].strip(), aside)


def _pre(inside: str, aside: Aside) -> str:
    found = _CODE.fullmatch(inside)
    if found is None:
        return _block(inside, "", aside)
    code = found[2].rstrip()
    return _block(code.removesuffix("</code>"), found[1] or "", aside)


def _block(code: str, language: str, aside: Aside) -> str:
    code = aside.restore(code).strip("\n")
    if not code.strip():
        return "\n\n"
    longest = max(map(len, re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    piece = aside.put(f"{fence}{language}\n{code}\n{fence}")
    return f"\n\n{piece}\n\n"


def _wiki_link(found: re.Match[str], links: TextLinks, aside: Aside) -> str:
    escaped, project, page, anchor, words = found.groups()
    if escaped:
        return aside.put(found[0][1:])
    page, anchor = page.strip(), (anchor or "").strip()
    shown = (words or page or anchor or project or "").strip()
    address = links.page(page, (project or "").strip(), anchor)
    return aside.put(link(shown, address)) if shown else found[0]


def _issue(found: re.Match[str], links: TextLinks, aside: Aside) -> str:
    note = found[3] or ""
    anchor = f"#note{note[note.index('-') :]}" if note else ""
    shown = f"#{found[2]}{note}"
    return aside.put(link(shown, links.address.issue(found[2]) + anchor))


def _file(found: re.Match[str], links: TextLinks, aside: Aside) -> str:
    name = found[1] or found[2].rstrip(".:!?")
    rest = "" if found[1] else found[2][len(name) :]
    return aside.put(link(name, links.file(name))) + rest
