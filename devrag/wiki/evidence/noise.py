"""Which lines of a file state anything: no braces, imports, badges, licences: pure.

What states nothing is never evidence. An import states that something is imported, and
nothing of what it is used for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LICENCE = re.compile(
    r"""(?ix) \bcopyright\b | \ball\ rights\ reserved\b | \bSPDX-License
    | \blicen[sc]ed\ under | \bpermission\ is\ hereby\ granted | \bmerchantability\b
    | \bredistribution\ and\ use\b | \bwithout\ warranty | \bAS\ IS"?\ basis
    | \bGNU\ (?:Lesser\ |Affero\ )?General\ Public | \bcopy\ of\ the\ license
    | \bgovern(?:ing|ed\ by)\ permissions | \bin\ compliance\ with\ the\ license
    | \blicensor\b"""
)
_COMMENT = re.compile(
    r"^\s*(?:#(?!\s*(?:define|if|elif)\b)|//|/\*|\*|--|;;|<!--|\"\"\"|%)"
)
_QUOTED = r"""['"][^'"]+['"]"""
_IMPORTS = tuple(
    re.compile(rf"^\s*{pattern}", re.MULTILINE)
    for pattern in (
        r"from\s+[\w.]+\s+import\s*\([^)]*\)",
        r"from\s+[\w.]+\s+import\s(?:.*\\\n)*.*$",
        r"import\s*\([^)'\"]*(?:\"[^\"]*\"[^)\"]*)*\)",
        rf"import\s(?:type\s+)?[^;'\"()\n]*\{{[^{{}}'\"]*\}}\s*from\s*{_QUOTED};?",
        r"import\s[^\n(]*$",
        r"#\s*(?:include|import)\b.*$",
        r"(?:global\s+)?using\s+(?:static\s+|namespace\s+)?[\w.:]+;.*$",
        r"(?:global\s+)?using\s+\w+\s*=\s*[\w.<>,:\[\]? ]+;.*$",
        r"use\s+[\w:\\]+(?:::\{[^;]*\}|\\\{[^;]*\})?(?:::\*)?(?:\s+as\s+\w+)?;",
        r"(?:extern\s+crate|alias|require|require_relative)\s+[\w.:'\"/-]+;?\s*$",
        rf"(?:require|include)(?:_once)?\s*\(?{_QUOTED}\)?;?\s*$",
        rf"(?:const|let|var|local)\s[\w{{}},:\s]+=\s*require\s*\(?{_QUOTED}\)?;?\s*$",
        r"@import\b.*$",
    )
)
_HEADS = re.compile(
    r"""(?mx) ^\s*(?: package\s+[\w.]+;? | namespace\s+[\w.:\\]+\s*[;{]?
      | (?:pub\s+)?mod\s+\w+; | module\s+[\w.]+(?:\s+where)?
      | declare\s+module\s+\S+\s*\{? | extern\s+"C"\s*\{? | \#\s*pragma\b.*
      | \#\s*(?:ifndef|define)\s+\w+_H\w* | \#\s*(?:endif|else)\b.* | \#!.*
      | \#\s*-\*-.* | ['"]use\ strict['"];? | <\?php | <\?xml[^>]*\?>
      | __author__\s*=.* )\s*$"""
)
_EMPTY_LINES = re.compile(
    r"^(?:\W|_)*(?:(?:end|else|try|do|begin|fi|done|esac|pass|then|finally|return|break)\b)?\W*$"
)
_ART = re.compile(r"[\u2500-\u257f\u2580-\u25ff]|[-=+_~*#/\\<>^]{3,}|\+--|\|\s{3,}\|")
_WITHOUT_IMPORTS = {"json", "yaml", "toml", "ini", "csv", "xml", "html", "markdown"}
_LEAST_WORDS, _LEAST_CHARACTERS = 3, 6
_WORD = re.compile(r"[^\W\d_]{2,}")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")

_FENCE = re.compile(r"^(```+|~~~+)")
_IMAGE = r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])"
_LINK = r"\[(?:[^\[\]]|\[[^\]]*\])*\](?:\([^)]*\)|\[[^\]]*\])"
_BADGE = re.compile(rf"\[?{_IMAGE}(?:\]\([^)]*\)|\]\[[^\]]*\])?")
_ANY_LINK = re.compile(rf"{_LINK}|`[^`<]+<[^`>]+>`__?|<https?://[^>]+>|https?://\S+")
_TAG = re.compile(r"</?[a-zA-Z][^>]*>|<!--.*?-->|<!--|-->|</?[a-zA-Z][^>]*$")
_NO_PROSE = re.compile(
    r"""(?ix) ^\s*(?: \[[^\]]+\]:\s*\S+.* | \.\.\s+_[^:]+:.* | \.\.\s*\|[^|]+\|\s.*
      | \.\.\s+(?:toctree|image|figure|include|contents|raw|highlight|currentmodule
          |automodule|autoclass|module)::.*
      | :(?:maxdepth|caption|target|alt|width|height|hidden|local|depth|members|glob
          |show-inheritance|undoc-members|scale|align):?.*
      | \.\.\s+(?:note|tip|hint|warning|caution|danger|attention|important|seealso
          |deprecated|versionadded|versionchanged|code-block|code|sourcecode|admonition)
          ::\s*[\w.+-]*
      | :::+\s*\w*(?:[ \t{[].*)? | (?:!!!|\?\?\?\+?)\s+\w+.* | >\s*\[!\w+\]
      | \{%.*%\} | import\s.+\sfrom\s+['"].* | import\s+['"].*
      | export\s+(?:const|default|function)\b.*
      | \#{1,6}\s.* | ={3,}|~{3,}|\^{3,}|"{3,}|\*{3,}|-{3,} )\s*$"""
)
# A line of code outside of a fence, as parts of documents have it.
_CODE_LINE = re.compile(
    r"""^(?:[ ]{2,}|\t)\s*[\w"'$@.<{] | [\w)\]"'][ ]*(?::=|=>|->|=(?!=))[ ]*\S
    | ;\s*$ | \w\( | ^\s*\$[ ]""",
    re.VERBOSE,
)
_SHORT_DOCSTRING = re.compile(r'^\s*"""[^"]*"""\s*$')
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)")
_TOCTREE = re.compile(r"^\.\. toctree::.*\n(?:[ \t]+.*\n?|[ \t]*\n)*", re.MULTILINE)
_NAME = re.compile(r"`[^`]*\w[^`]*`(?!_)|\b[A-Za-z]\w*(?:[a-z][A-Z]|\w_)\w+\b")
_SETEXT = re.compile(r"^\s*([=~^\"'*+#-])\1{2,}\s*$")
_OF_PEOPLE = re.compile(
    r"(?i)all-contributors|opencollective\.com|\bsponsors?\b|\bbackers?\b|contrib\.rocks"
)


def is_statement(text: str, *, language: str, kind: str) -> bool:
    """Return whether lines state anything. kind: code, doc, config, data."""
    if not text.strip() or _is_licence(text):
        return False
    if kind == "doc":
        return _has_prose(text)
    if kind == "data" and _is_numbers(text):
        return False
    return bool(_code_left(text, language))


def is_import_only(text: str) -> bool:
    """Return whether code lines hold imports and otherwise state nothing."""
    without = _without_imports(text)
    return without != text and not _stating(_without_comments(without))


def stating_lines(lines: Sequence[str], language: str) -> range:
    """Return which lines of code are left without what states nothing around them.

    That are licences, comments, imports, and a docstring of one line as modules have.
    """
    text = "\n".join(lines)
    bare = text if language in _WITHOUT_IMPORTS else _blanked(text)
    found = [n for n, line in enumerate(bare.split("\n")) if not _is_aside(line)]
    return range(found[0], found[-1] + 1) if found else range(0)


def _is_aside(line: str) -> bool:
    if line.lstrip().startswith('"""'):
        return _SHORT_DOCSTRING.match(line) is not None
    return bool(_COMMENT.match(line) or _EMPTY_LINES.match(line))


def _blanked(text: str) -> str:
    """Return code with its imports and heads blank; line numbers stay."""

    def lines_of(match: re.Match[str]) -> str:
        return "\n" * match.group().count("\n")

    for pattern in (*_IMPORTS, _HEADS):
        text = pattern.sub(lines_of, text)
    return text


def _is_licence(text: str) -> bool:
    """Return whether most paragraphs, or all comment lines of code, are a licence."""
    paragraphs = [p for p in re.split(r"\n\W*\n", text) if _WORD.search(p)]
    legal = sum(bool(_LICENCE.search(p)) for p in paragraphs)
    return bool(legal) and legal * 2 > len(paragraphs) and not _has_code(text)


def _has_code(text: str) -> bool:
    """Return whether lines that are no comments call or assign something."""
    lines = (line for line in text.split("\n") if not _COMMENT.match(line))
    return any(re.search(r"[=;{}]|\w\(", line) for line in lines)


def _code_left(text: str, language: str) -> list[str]:
    """Return the lines that state something."""
    has_imports = language not in _WITHOUT_IMPORTS
    bare = _HEADS.sub("", _without_imports(text)) if has_imports else text
    comments = "\n".join(line for line in bare.split("\n") if _COMMENT.match(line))
    if comments and (_LICENCE.search(comments) or _is_art(comments.split("\n"))):
        bare = _without_comments(bare)
    return _stating(bare)


def _without_imports(text: str) -> str:
    for pattern in _IMPORTS:
        text = pattern.sub("", text)
    return text


def _without_comments(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line for line in lines if not _COMMENT.match(line))


def _stating(text: str) -> list[str]:
    return [line for line in text.split("\n") if not _EMPTY_LINES.match(line)]


def _is_art(lines: list[str]) -> bool:
    """Return whether most lines are drawn with characters."""
    filled = [line for line in lines if line.strip()]
    drawn = sum(len(_ART.findall(line)) > 1 or _is_drawn(line) for line in filled)
    return len(filled) > 1 and drawn * 2 > len(filled)


def _is_drawn(line: str) -> bool:
    signs = sum(not c.isalnum() and not c.isspace() for c in line)
    letters = sum(map(str.isalnum, line))
    return bool(_ART.search(line)) and signs > letters


def _is_numbers(text: str) -> bool:
    """Return whether a table holds hardly anything but numbers."""
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    return text.count("\n") > 4 and digits > 3 * letters


def _has_prose(text: str) -> bool:
    """Return whether a document's lines hold a sentence, an entry or code."""
    prose, fences = _split_fences(_TOCTREE.sub("", _FRONT_MATTER.sub("", text)))
    if any(_stating(_without_imports("\n".join(f))) and not _is_art(f) for f in fences):
        return True
    if _OF_PEOPLE.search(text) and len(_ANY_LINK.findall(text)) > 2:
        prose = [line for line in prose if not _ANY_LINK.search(line)]
    if _is_art(prose):
        return False
    return any(_is_told(_told(line)) for line in _without_titles(prose))


def _split_fences(text: str) -> tuple[list[str], list[list[str]]]:
    prose: list[str] = []
    fences: list[list[str]] = []
    mark = ""
    for line in text.split("\n"):
        fence = _FENCE.match(line.strip())
        if fence and (not mark or line.strip() == mark):
            fences += [] if mark else [[]]
            mark = "" if mark else fence.group(1)
        elif mark:
            fences[-1].append(line)
        else:
            prose.append(line)
    return prose, fences


def _without_titles(lines: list[str]) -> list[str]:
    """Return lines without headings, underlined ones too, and directives."""
    kept: list[str] = []
    for line in lines:
        if _SETEXT.match(line):
            if kept:
                kept.pop()
        elif not _NO_PROSE.match(line):
            kept.append(line)
    return kept


def _told(line: str) -> str:
    """Return what a line says beside its badges, links and tags."""
    bare = _TAG.sub(" ", _BADGE.sub(" ", line))
    # A link within a sentence is a part of it; one that stands alone leads elsewhere.
    return _ANY_LINK.sub(" ", bare)


def _is_told(line: str) -> bool:
    """Return whether there are words enough, a name or code."""
    if _NAME.search(line) or _CODE_LINE.search(line):
        return True
    if len(_WIDE.findall(line)) >= _LEAST_CHARACTERS:
        return True
    return len(_WORD.findall(line)) >= _LEAST_WORDS
