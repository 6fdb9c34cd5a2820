"""The fields of a type and the values of an enumeration, with what is said of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.declarations import declaration_of
from devrag.wiki.analysis.docstrings import read_docstring
from devrag.wiki.analysis.inner_comments import is_remark
from devrag.wiki.analysis.survey import SurveySymbol

_MOST_LINES = 400
_LONGEST_FIELD = 14  # lines
_LONGEST_DEFAULT = 40
_FIELD = re.compile(
    r"^\s+(?:(?:pub(?:\([^)]*\))?|public|private|protected|readonly|static|final|var|val"
    r"|let|const|export|internal|required|mutable)\s+)*"
    r"(?P<name>[A-Za-z_]\w*)\??!?\s*"
    r"(?::\s*(?P<type>[^=;]+?))?\s*(?:=\s*(?P<value>.+?))?\s*[;,]?\s*$"
)
_GO_FIELD = re.compile(
    r"^\t(?P<name>[A-Z]\w*)\s+"
    r"(?P<type>[\w.*\[\]{}()]+|[*\[\]]*(?:func\(|map\[|chan\s)[^`]*?)(?:\s+`.*`)?\s*$"
)
_C_FIELD = re.compile(
    r"^\s+(?:(?:const|unsigned|struct|enum|static)\s+)*(?P<type>[A-Za-z_]\w*[\s*]+)"
    r"(?P<name>[A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:=\s*(?P<value>[^;]+?))?\s*;\s*$"
)
_VALUE = re.compile(
    r"^\s+(?P<name>[A-Za-z_]\w*)\s*(?:=\s*(?P<value>[^,;(]+?|\(.*))?\s*[,;]?\s*$"
)
_BLANKS = re.compile(r"(?<=\S)[ \t]{2,}")
_COMMENT = re.compile(
    r"^\s*(?:///?!?|#:?|\*(?!/)|/\*\*?|--|(?=\*/))\s?(?P<text>.*?)\s*(?:\*/)?\s*$"
)
# Attributes, and what is said to tools.
_NO_WORDS = re.compile(r"@|/|\[|eslint|ts-|biome|prettier|-{3,}")
_TRAILING = re.compile(
    r"^(?P<code>.*?\S)\s+(?:#:?|///?<?|/\*\*?<?)\s(?P<text>[^#]{6,}?)(?:\*/)?\s*$"
)
_SUBJECT = re.compile(
    r"(?P<quote>`{0,2})(?:[A-Z]\w*|self|this)\.(?P<name>\w+)(?P=quote)\s+(?:is|was|has)\b"
)
_STRING = re.compile(r'^\s+[rf]?"""(?P<text>.*?)(?:"""\s*)?$')
_DOCSTRING = re.compile(r"^\s*[rRuU]?(\"\"\"|''')")
_DESCRIPTION = re.compile(
    r"\b(?:description|help|help_text|doc|title|metavar_help)\s*=\s*\(?\s*"
    r"(?P<text>(?:[rf]?(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')\s*)+)"
)
_LITERAL = re.compile(r"f?(r?(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'))")
_DEFAULT = re.compile(
    r"\b(?:default\s*=\s*|Field\(\s*)(?P<value>[^,()=\s]+(?:\(\))?)\s*[,)]"
)
_RESERVED = {
    "return",
    "yield",
    "raise",
    "pass",
    "import",
    "from",
    "if",
    "else",
    "for",
    "def",
    "break",
    "continue",
    "class",
    "case",
    "default",
    "goto",
}
_LANGUAGES = {"go": _GO_FIELD, "c": _C_FIELD, "cpp": _C_FIELD}


@dataclass(frozen=True, slots=True)
class FieldText:
    """One field or value. text: what is said of it, '' when nothing is."""

    name: str
    type: str
    default: str
    text: str
    start_line: int
    end_line: int


def is_enumeration(symbol: SurveySymbol) -> bool:
    """Return whether a type lists values."""
    return symbol.kind == "enum" or bool(
        symbol.kind == "class"
        and re.search(r"\(.*\b\w*(Enum|Flag|Choices)\b", symbol.signature)
    )


def fields_of(
    analysis: Analysis, symbol: SurveySymbol, lines: Sequence[str]
) -> list[FieldText]:
    """Return what stands in a type besides methods, in order."""
    own = [s for s in analysis.symbols_of.get(symbol.file, []) if s.parent == symbol.id]
    held = [s for s in own if s.kind in {"variable", "constant"}]
    if any(s.docstring for s in held) or (held and symbol.kind == "enum"):
        return [_of_symbol(s, lines) for s in held]
    inner = [(s.start_line, s.end_line) for s in own]
    language = analysis.files[symbol.file].language
    pattern = _VALUE if is_enumeration(symbol) else _LANGUAGES.get(language, _FIELD)
    return _read(symbol, lines, inner, pattern)


def _of_symbol(symbol: SurveySymbol, lines: Sequence[str]) -> FieldText:
    blocks = read_docstring(symbol.docstring).blocks
    text = blocks[0].text if blocks and blocks[0].kind == "text" else ""
    _, _, value = symbol.signature.partition("=")
    default = " ".join(value.split()).rstrip(";,")
    is_short = len(default) <= _LONGEST_DEFAULT
    start, end = declaration_of(symbol, lines).whole
    return FieldText(
        symbol.name,
        "",
        default if is_short else "",
        text,
        start,
        end,
    )


def _read(
    symbol: SurveySymbol,
    lines: Sequence[str],
    inner: Sequence[tuple[int, int]],
    pattern: re.Pattern[str],
) -> list[FieldText]:
    """Read the lines of a type that no method of it covers."""
    found: list[FieldText] = []
    number = symbol.start_line + symbol.signature.count("\n") + 1
    last = min(symbol.end_line, symbol.start_line + _MOST_LINES, len(lines))
    depth = None
    while number <= last:
        skipped = next((end for start, end in inner if start <= number <= end), 0)
        if skipped:
            number = skipped + 1
            continue
        line = lines[number - 1]
        if depth is None and (quote := _DOCSTRING.match(line)):
            number = _closed_at(lines, number, last, quote.group(1)) + 1
            continue
        indent = len(line) - len(line.lstrip())
        if (
            line.strip()
            and depth is None
            and not _COMMENT.match(line)
            and not _STRING.match(line)
        ):
            depth = indent
        end = _statement_end(lines, number, last)
        if indent == depth and (field := _field(lines, number, end, pattern)):
            found.append(field)
        number = end + 1
    return found


def _closed_at(lines: Sequence[str], number: int, last: int, quote: str) -> int:
    """Return the line in which a string that begins here ends."""
    if lines[number - 1].count(quote) > 1:
        return number
    below = range(number + 1, last + 1)
    return next((at for at in below if quote in lines[at - 1]), last)


def _statement_end(lines: Sequence[str], number: int, last: int) -> int:
    """Return the line at which brackets opened in this one are closed."""
    open_ = 0
    for at in range(number, min(last, number + _LONGEST_FIELD) + 1):
        line = lines[at - 1]
        open_ += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if open_ <= 0:
            return at
    return number


def _field(
    lines: Sequence[str], number: int, end: int, pattern: re.Pattern[str]
) -> FieldText | None:
    statement = " ".join(line.strip() for line in lines[number - 1 : end])
    line = lines[number - 1]
    trailing = _TRAILING.match(line) if number == end else None
    code = (
        trailing["code"]
        if trailing
        else line[: len(line) - len(line.lstrip())] + statement
    )
    match = pattern.match(_BLANKS.sub(" ", code))
    if not match or match["name"] in _RESERVED or not _is_declared(match, pattern):
        return None
    described = _DESCRIPTION.search(statement)
    above, start = _above(lines, number)
    below, last = _below(lines, end)
    text = _joined(described["text"]) if described else ""
    text = text or (trailing["text"].strip() if trailing else "") or below or above
    groups = match.groupdict()
    if _is_on_another(text, match["name"]):
        text = ""
    return FieldText(
        match["name"],
        (groups.get("type") or "").strip(),
        _default(groups.get("value") or "", statement),
        text.removeprefix(f"{match['name']}:").strip(),
        start if text and text == above else number,
        last if text and text == below else end,
    )


def _is_on_another(text: str, name: str) -> bool:
    """Return whether a text begins with the name of another field."""
    subject = _SUBJECT.match(text)
    return subject is not None and subject["name"] != name


def _is_declared(match: re.Match[str], pattern: re.Pattern[str]) -> bool:
    groups = match.groupdict()
    return pattern is not _FIELD or bool(groups.get("type") or groups.get("value"))


def _default(value: str, statement: str) -> str:
    if "(" in value:
        match = _DEFAULT.search(statement)
        value = match["value"] if match else ""
    is_told = (
        value not in {"...", "PydanticUndefined"} and len(value) <= _LONGEST_DEFAULT
    )
    return value if is_told else ""


def _joined(strings: str) -> str:
    """Return string literals that stand behind each other as one text."""
    try:
        value = ast.literal_eval("(" + _LITERAL.sub(r"\1", strings) + ")")
    except (SyntaxError, ValueError):
        return ""
    return " ".join(str(value).split())


def _above(lines: Sequence[str], number: int) -> tuple[str, int]:
    start = number - 1
    while start > 0 and _COMMENT.match(lines[start - 1]) and lines[start - 1].strip():
        start -= 1
    texts = [
        m["text"] for n in range(start, number - 1) if (m := _COMMENT.match(lines[n]))
    ]
    told = [text for text in texts if not _NO_WORDS.match(text)]
    said = " ".join(" ".join(told).split())
    return "" if is_remark(said) else said, start + 1


def _below(lines: Sequence[str], end: int) -> tuple[str, int]:
    """Return the string right below a field, as Python documents attributes."""
    match = _STRING.match(lines[end]) if end < len(lines) else None
    if not match:
        return "", end
    texts, at = [match["text"]], end
    while (
        lines[at].count('"""') < (2 if at == end else 1) and at - end < _LONGEST_FIELD
    ):
        at += 1
        if at >= len(lines):
            return "", end
        texts.append(lines[at].replace('"""', "").strip())
    return " ".join(" ".join(texts).split()), at + 1
