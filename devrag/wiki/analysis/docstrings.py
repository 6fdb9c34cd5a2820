"""Reads docstrings into what they tell in prose and what they say of each parameter.

Knows the forms of Google, NumPy and reST in Python, of Javadoc, JSDoc and Doxygen, and
the plain `name: text` lines that remain of XML comments.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from devrag.wiki.analysis.documents import DocumentBlock, read_sections

_SECTION = re.compile(
    r"^\s*(?:\*\*)?(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments"
    r"|Other Parameters|Attributes|Fields|Returns?|Yields?|Raises|Throws|Warns"
    r"|Examples?|Usage|Notes?|See Also|References|Todo|Warnings?|Methods|引数"
    r"|パラメータ|属性|戻り値|返り値|例外)(?:\*\*)?(?:\s*[:：])?(?:\*\*)?\s*$",
    re.IGNORECASE,
)
_KINDS = {
    "parameter": "args arguments parameters params keyword other 引数 パラメータ",
    "attribute": "attributes fields 属性",
    "returns": "return returns yield yields 戻り値 返り値",
    "raises": "raises throws warns 例外",
    "prose": "note notes warning warnings",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_RULE = re.compile(r"^\s*-{3,}\s*$")
_ENTRY = re.compile(
    r"^\*{0,2}`{0,2}(?P<name>\*{0,2}[\w.\[\]]+)`{0,2}\*{0,2}"
    r"(?:\s*\((?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\))?"
    r"\s*(?::|：|--|–|(?<=[*`]) -(?= ))\s*"
    r"(?P<said>.*)$"
)
_NUMPY_ENTRY = re.compile(r"^(?P<name>\*{0,2}[\w.]+(?:, ?[\w.]+)*)\s*(?::\s*.*)?$")
_TAG = re.compile(
    r"^\s*[@:\\](?P<tag>param|parameter|arg|argument|tparam|prop|property|returns?|raises?"
    r"|throws|exception|ivar|cvar|var|type|rtype|see|since|author|version|deprecated"
    r"|example|default|template|private|public|internal|module|link|typeparam|name"
    r"|ingroup|brief|note|todo|license|api\w*|suppress\w*|hidden|inheritDoc|static)\b"
    r"(?P<rest>.*)$"
)
_TAGGED = {
    "param": "parameter",
    "parameter": "parameter",
    "arg": "parameter",
    "argument": "parameter",
    "prop": "attribute",
    "property": "attribute",
    "ivar": "attribute",
    "cvar": "attribute",
    "var": "attribute",
    "return": "returns",
    "returns": "returns",
    "raise": "raises",
    "raises": "raises",
    "throws": "raises",
    "exception": "raises",
}
_TAG_NAME = re.compile(  # `@param {string} [name=1] - text`, `@throws Error text`
    r"^\s*(?:\{.*?\}(?=\s|$)\s*)?\[?(?P<name>[\w.$*]+)(?:=[^\]]*)?\]?"
    r"\s*(?:[:\-–]\s*|\s+|$)(?P<said>.*)$"
)
_FIELD_NAME = re.compile(  # `:param int name: text`
    r"^(?:[\w\[\]|., ]+\s)?(?P<name>[\w.*]+)\s*:\s*(?P<said>.*)$"
)
_BRACES = re.compile(r"^\s*\{(\w+)\}")
_HTML_BREAK = re.compile(r"</?(?:p|div|dl|dd|dt|ul|ol|h\d)\b[^>]*>", re.IGNORECASE)
_HTML_ITEM = re.compile(r"(?<!\s)\s*<li>\s*", re.IGNORECASE)
_HTML_END = re.compile(r"</li>|<br\s*/?>|<hr\s*/?>", re.IGNORECASE)
_HTML_CODE = re.compile(
    r"<pre\b[^>]*>(?:\s*\{@code)?(.*?)\}?\s*</pre>", re.IGNORECASE | re.DOTALL
)
_PROMPT = re.compile(r"^\s*(>>>|\.\.\.)( |$)")
_DEFAULT = re.compile(r"=[^,]*")
_OPTIONAL = re.compile(r"^\*?\(optional\)\*?\s*", re.IGNORECASE)
_CODE = re.compile(
    r"^(>>> |```|[\w.]+ = \S|[\w.]+\([^)]*\)\s*(\n|$)|(from|import) \w+)"
)
_SAMPLE = "\0sample"
_ALIGNED = re.compile(
    r"^[ \t]*[-*] `[^`\n]+` {2,}\S|^[ \t]*(?:Options|Properties):[ \t]*$",
    re.MULTILINE,
)
_NAMED_ITEM = re.compile(r"^([ \t]*[-*] `[^`\n]+`) +(?=\w)", re.MULTILINE)
_BULLETS = ("* ", "- ")
# A lone word behind a name is a value in a sample, unless it ends as a sentence.
_WORDS = re.compile(r"\S\s+\S|[.。]$|[\u3040-\u9fff]")


@dataclass(frozen=True, slots=True)
class DocumentedName:
    """What is said of one name. kind: parameter, attribute, returns, raises."""

    kind: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Docstring:
    """The prose of a docstring, and the names that it explains."""

    body: str
    names: tuple[DocumentedName, ...] = ()

    @property
    def blocks(self) -> list[DocumentBlock]:
        """The prose as blocks; their lines count within the body."""
        return [b for section in read_sections(self.body) for b in section.blocks]

    def of_kind(self, *kinds: str) -> list[DocumentedName]:
        """Return the names of these kinds."""
        return [name for name in self.names if name.kind in kinds]


def read_docstring(text: str, parameters: Iterable[str] = ()) -> Docstring:
    """Read a docstring; parameters: what the signature names, for plain lines."""
    reader = _Reader(frozenset(parameters))
    for line in _plain_markup(text).split("\n"):
        reader.take(line)
    return reader.result()


def parameters_of(signature: str) -> list[str]:
    """Return what may be names of parameters in a signature, defaults left out."""
    inside = re.split(r"[(<]", signature, maxsplit=1)[1:]
    bare = _DEFAULT.sub("", "".join(inside))
    return list(dict.fromkeys(re.findall(r"[A-Za-z_$][\w$]*", bare)))


def descriptions_of(text: str, names: Collection[str]) -> dict[str, str]:
    """Return name → what a docstring says of it, for parameters and attributes."""
    found: dict[str, str] = {}
    for each in read_docstring(text, names).of_kind("parameter", "attribute"):
        name = each.name.lstrip("*")
        if name in names:
            found.setdefault(name, each.text)
    return found


def is_code(text: str) -> bool:
    """Return whether a docstring begins with an example instead of a sentence."""
    return bool(_CODE.match(text.strip()))


class _Reader:
    """Sorts the lines of a docstring into prose and explained names."""

    def __init__(self, parameters: frozenset[str]) -> None:
        self._parameters = parameters
        self._body: list[str] = []
        self._names: list[tuple[str, str, list[str]]] = []
        self._kind = ""  # of the section that is read; prose, or skipped
        self._indent = 0
        self._entry_indent = -1
        self._is_tag = False
        self._is_example = False
        self._is_item = False  # the line before is an item of a list, on a name

    def take(self, line: str) -> None:
        if _RULE.match(line) and self._kind:
            self._is_tag = False
            return
        if self._is_example and not _TAG.match(line):
            self._body.append(line)
            return
        is_item, self._is_item = self._is_item, False
        if tag := _TAG.match(line):
            is_field = line.lstrip().startswith(":")
            self._tag(tag.group("tag"), tag.group("rest"), is_field=is_field)
        elif self._opens_section(line):
            return
        elif self._is_tag:
            self._continue_tag(line)
        elif is_item and _goes_on(line):
            self._names[-1][2].append(line.strip())
            self._is_item = True
        elif self._kind and self._is_inside(line):
            self._inside(line)
        else:
            self._kind = ""
            self._prose(line)

    def result(self) -> Docstring:
        self._close_example()
        names = [
            DocumentedName(kind, name, _OPTIONAL.sub("", _joined(said)))
            for kind, name, said in self._names
            if kind != "skipped"
        ]
        body = "\n".join(_with_fences(self._body)).strip("\n")
        return Docstring(body, tuple(each for each in names if each.text))

    def _opens_section(self, line: str) -> bool:
        match = _SECTION.match(line)
        if not match:
            return False
        word = match.group(1).lower().split()[0]
        self._kind = _KIND_OF.get(word, "skipped")
        self._indent = len(line) - len(line.lstrip())
        self._entry_indent = -1
        self._is_tag = False
        return True

    def _is_inside(self, line: str) -> bool:
        """Sections end where a line stands further left, but for those of NumPy."""
        if not line.strip():
            return True
        depth = len(line) - len(line.lstrip())
        if self._entry_indent < 0:
            self._entry_indent = depth
            return True
        return depth >= self._entry_indent and (
            depth > self._indent
            or bool(_NUMPY_ENTRY.match(line.strip()))
            or line.lstrip()[:1] in "-*"
        )

    def _inside(self, line: str) -> None:
        depth = len(line) - len(line.lstrip())
        text = line.strip()
        if self._kind == "prose":
            self._body.append(text)
            return
        if self._kind == "skipped" or not text:
            return
        before = len(self._names)
        self._explained(text.removeprefix("- ").removeprefix("* "), depth)
        self._is_item = text.startswith(_BULLETS) and len(self._names) > before

    def _explained(self, text: str, depth: int) -> None:
        """Take a line on a name: one that begins an entry, or one that goes on."""
        is_entry = depth <= self._entry_indent
        match = _ENTRY.match(text) if is_entry else None
        numpy = _NUMPY_ENTRY.match(text) if is_entry else None
        is_numpy = depth == self._indent and numpy is not None
        if match and match["said"] and not is_numpy:
            self._names.append((self._kind, match["name"], [match["said"]]))
        elif self._kind == "returns":
            if not self._names or self._names[-1][0] != "returns":
                self._names.append(("returns", "", []))
            self._names[-1][2].append(text)
        elif numpy:
            self._names.append((self._kind, numpy["name"], []))
        elif self._names:
            self._names[-1][2].append(text)

    def _tag(self, tag: str, rest: str, *, is_field: bool) -> None:
        kind = _TAGGED.get(tag, "")
        self._close_example()
        if tag == "example":
            self._is_example = True
            self._body.append(f"\n{_SAMPLE}")
            return
        self._is_tag, self._kind = True, ""
        if tag in {"brief", "note"}:
            self._is_tag = False
            self._body.append(rest.strip())
            return
        if kind == "returns":
            said = re.sub(r"^\s*\{.*?\}|^\s*:", "", rest).strip(" -")
            self._names.append(("returns", "", [said]))
            return
        if kind == "raises":
            rest = _BRACES.sub(r"\1 ", rest)
        match = (_FIELD_NAME if is_field else _TAG_NAME).match(rest.lstrip())
        if kind and match:
            self._names.append((kind, match["name"], [match["said"]]))
        else:
            self._names.append(("skipped", "", []))

    def _close_example(self) -> None:
        """End a sample: one that brings fences of its own needs no others."""
        if not self._is_example:
            return
        self._is_example = False
        start = next(n for n, line in enumerate(self._body) if line.endswith(_SAMPLE))
        inside = "\n".join(self._body[start + 1 :]).strip("\n")
        fence = "" if "```" in inside else "```\n"
        self._body[start:] = ["", f"{fence}{inside}\n{fence}".rstrip("\n")]

    def _continue_tag(self, line: str) -> None:
        if not line.strip():
            self._is_tag = False
            return
        self._names[-1][2].append(line.strip())

    def _prose(self, line: str) -> None:
        bare = line.strip().removeprefix("* ").removeprefix("- ")
        match = _ENTRY.match(bare)
        is_named = match is not None and match["name"] in self._parameters
        if match and is_named and _WORDS.search(match["said"]):
            self._names.append(("parameter", match["name"], [match["said"]]))
            self._body.append("")
            self._is_item = line.lstrip().startswith(_BULLETS)
            return
        if bare.endswith(":") and bare[:-1] in self._parameters:
            self._body.append("")  # named without words
            return
        self._body.append(line)


def _goes_on(line: str) -> bool:
    """Return whether a line below an item of a list belongs to it."""
    return bool(line.strip()) and not line.lstrip().startswith(_BULLETS)


def _joined(lines: Iterable[str]) -> str:
    return " ".join(" ".join(lines).split())


def _plain_markup(text: str) -> str:
    """Return a docstring with HTML as Markdown, and without a common indent."""
    first, _, rest = text.strip("\n").expandtabs(4).partition("\n")
    text = f"{first.strip()}\n{textwrap.dedent(rest)}".rstrip()
    if _ALIGNED.search(text):  # a list of names with what each is
        text = _NAMED_ITEM.sub(r"\1: ", text)
    if "<" not in text and "&" not in text:
        return text
    text = _HTML_CODE.sub(lambda m: _fence(m.group(1)), text)
    text = _HTML_END.sub("", _HTML_ITEM.sub("\n- ", text))
    return html.unescape(_HTML_BREAK.sub("\n\n", text))


def _fence(code: str) -> str:
    return f"\n```\n{textwrap.dedent(code).strip(chr(10))}\n```\n"


def _with_fences(lines: Iterable[str]) -> Iterator[str]:
    """Put sessions of an interpreter between fences."""
    is_open = False
    for line in lines:
        is_session = bool(_PROMPT.match(line)) or (is_open and bool(line.strip()))
        if is_session != is_open:
            yield "```python" if is_session else "```"
            is_open = is_session
        yield line
    if is_open:
        yield "```"
