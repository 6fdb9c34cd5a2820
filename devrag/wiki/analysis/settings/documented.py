"""What documents say of settings: rows of tables, items of lists, help that is shown.

A row or item counts whose first words are a setting in backticks; a sentence counts
where it names an environment variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.docstrings import parameters_of
from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.product_form import form_of
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.analysis.settings.types import Lines, Setting, SettingGroup
from devrag.wiki.analysis.topics.documents import explaining_documents

_NAME = r"(?:--[\w-]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z_][\w.-]*)"
_CELL = re.compile(rf"^\**`+(?:-\w,?\s*(?:/\s*)?)?({_NAME})[^`]*`+")
_ITEM = re.compile(
    rf"^\**`+(?:-\w,?\s*(?:/\s*)?)?({_NAME})[^`]*`+\**\s*(?:\([^)]*\)\s*)?[:–—-]+\s*(.+)$"
)
_VARIABLE = re.compile(
    r"`+\$?((?:<[A-Za-z]\w*>_)?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`+"
)
_IS_VARIABLE = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_PLACEHOLDER = re.compile(r"^<\w+>_")
_ABOUT = re.compile(
    r"option|setting|config|environment|variable|parameter|argument|flag|property"
    r"|設定|環境変数|オプション|引数",
    re.IGNORECASE,
)
_DEFAULT_HEAD = re.compile(r"default|既定|デフォルト|初期値", re.IGNORECASE)
_MEANING_HEAD = re.compile(
    r"descri|meaning|purpose|explan|what it|説明|意味|内容|用途", re.IGNORECASE
)
_HELP = re.compile(
    r"^[\s\"']{0,20}(?:(-\w)(?:[ =]\S+)?,?\s+)?(--[A-Za-z][\w-]*)"
    r"((?:[ =]\S+){0,2}?)(?:\s{2,}|\s*$)(.*)$"
)
_QUOTES = re.compile(r"(\\n|\\t)?[\"',;)]*\s*$")
_ENDS_LITERAL = re.compile(r"\\n[\"']?[,;)]*\s*$")
_GIVEN = re.compile(r"\s*\(default:? \"?([^\"`,()]+)\"?\)\.?$")
_IN_CODE = re.compile(
    r"(?P<before>[\"'`](?:--)?|\.)?(?<!\w)(?P<name>\w+(?:-\w+){0,9})"
    r"(?=(?P<quoted>[\"'`= ])?)(?=(?P<set>\s*[:=(\[])?)"
)
_SEPARATORS = re.compile(r"[-_]")
_TELLING_WORD = re.compile(
    r"\b(?!(?:by|the|an?|with|via|through|using|use|from|in|or|and|set|environment"
    r"|variables?|settings?|options?)\b)[^\W\d_]+|[\u3040-\u9fff]",
    re.IGNORECASE,
)
_MEANING_WORDS = 3
_HELP_LINES = 4


@dataclass(frozen=True, slots=True)
class _Place:
    """A block in its section of a document."""

    file: int
    section: Section
    block: DocumentBlock

    @property
    def lines(self) -> Lines:
        return Lines(self.file, self.block.start_line, self.block.end_line)


@cached_by_analysis
def described_names(analysis: Analysis) -> dict[str, Setting]:
    """Return name → the setting as documents describe it."""
    found: dict[str, Setting] = {}
    for find in (_rows, _items, _shown_help, _sentences):
        for _, setting in find(analysis):
            found.setdefault(setting.name, setting)
    return found


def in_documents(analysis: Analysis) -> list[SettingGroup]:
    """Return the settings that sections about settings list, by their heading."""
    groups: dict[str, dict[str, Setting]] = {}
    for find in (_rows, _items, _shown_help):
        for place, setting in find(analysis):
            is_about = _ABOUT.search(place.section.title)
            is_own = is_about or setting.name.startswith("--")
            is_known = _is_in_code(analysis, setting.name)
            if is_own and is_known and not _is_argument(analysis, setting.name):
                title = place.section.title
                groups.setdefault(title, {}).setdefault(setting.name, setting)
    return [SettingGroup("", t, tuple(own.values())) for t, own in groups.items()]


def _is_argument(analysis: Analysis, name: str) -> bool:
    """Return whether a name is that of a parameter, of a library that is called."""
    form = form_of(analysis)
    is_plain = name.isidentifier() and not _IS_VARIABLE.match(name)
    is_called = form.is_library and not form.is_application
    return is_plain and is_called and name in _parameters(analysis)


@cached_by_analysis
def _parameters(analysis: Analysis) -> frozenset[str]:
    """Return the names of parameters of all functions and methods of the code."""
    return frozenset(
        name
        for symbol in analysis.survey.symbols
        if symbol.kind in {"function", "method"}
        and analysis.roles[symbol.file] == "code"
        for name in parameters_of(symbol.signature)
    )


def _is_in_code(analysis: Analysis, name: str) -> bool:
    """Return whether code names a setting; another tool's is none of the product.

    Variables of the environment that no code reads are told apart. Where there is no
    code the documents are all that tells of a setting.
    """
    if _IS_VARIABLE.match(name):
        return True
    is_code = bool(analysis.with_role("code"))
    last = name.lstrip("-").rpartition(".")[2]
    return not is_code or _joined(last) in _names_in_code(analysis)


@cached_by_analysis
def _names_in_code(analysis: Analysis) -> frozenset[str]:
    """Return what stands in code as names of settings do: quoted, set, or a member.

    A part of a name with hyphens is one too: `--no-color` names `color`.
    """
    found: set[str] = set()
    for file in analysis.with_role("code", "config"):
        for match in _IN_CODE.finditer(analysis.texts.text(file.id)):
            before = match["before"]
            is_quoted = before and match["quoted"] is not None
            if before == "." or is_quoted or match["set"] is not None:
                parts = match["name"].split("-")
                found.update("".join(parts[at:]) for at in range(len(parts)))
                found.add(parts[0])
    return frozenset(map(_joined, found))


def _joined(name: str) -> str:
    """Return a name as all its spellings are: `max-size`, `max_size`, `maxSize`."""
    return _SEPARATORS.sub("", name).lower()


def with_placeholder(analysis: Analysis) -> list[Setting]:
    """Return the variables named by a pattern, `<PROGRAM>_HELP`, whose end code has."""
    found: dict[str, Setting] = {}
    for _, setting in _sentences(analysis):
        ending = _PLACEHOLDER.sub("", setting.name)
        if ending == setting.name or setting.name in found:
            continue
        place = _quoted_in_code(analysis, ending)
        if place is not None:
            found[setting.name] = replace(
                setting, place=place, meaning_at=setting.place
            )
    return list(found.values())


def _quoted_in_code(analysis: Analysis, text: str) -> Lines | None:
    """Return the first line of code in which a text stands as a string."""
    form = re.compile(rf"[\"'`]_?{re.escape(text)}[\"'`]")
    for file in analysis.with_role("code"):
        if text in analysis.texts.text(file.id):
            for number, line in enumerate(analysis.lines.of(file.id), 1):
                if form.search(line):
                    return Lines(file.id, number, number)
    return None


def _places(analysis: Analysis, kind: str) -> Iterator[_Place]:
    for file in explaining_documents(analysis.with_role("doc")):
        for section in analysis.sections(file):
            for block in section.blocks:
                if block.kind == kind:
                    yield _Place(file.id, section, block)


def _rows(analysis: Analysis) -> Iterator[tuple[_Place, Setting]]:
    """Yield the rows of tables about settings; the row before tells the columns."""
    head: list[str] = []
    before = (0, 0)
    for place in _places(analysis, "row"):
        cells = place.block.text.split("\t")
        if (place.file, place.block.start_line - 1) != before and not _CELL.match(
            cells[0]
        ):
            head = cells
        before = place.file, place.block.start_line
        # The rule below the head is no row, so the second row is two lines on.
        if cells is head:
            before = place.file, place.block.start_line + 1
        match = _CELL.match(cells[0])
        if match is None or not _ABOUT.search(f"{place.section.title} {head}"):
            continue
        at = next((n for n, h in enumerate(head) if _DEFAULT_HEAD.search(h)), -1)
        default = cells[at].strip("` ") if 0 < at < len(cells) else ""
        told = [c for n, c in enumerate(cells) if n not in {0, at}]
        column = next((n for n, h in enumerate(head) if _MEANING_HEAD.search(h)), 0)
        meaning = max(told, key=lambda c: len(c.split()), default="")
        meaning = cells[column] if 0 < column < len(cells) else meaning
        if _is_told(meaning):
            yield place, Setting(match.group(1), place.lines, default, meaning)


def _items(analysis: Analysis) -> Iterator[tuple[_Place, Setting]]:
    for place in _places(analysis, "item"):
        match = _ITEM.match(place.block.text)
        if match is not None and _is_told(match.group(2)):
            yield place, Setting(match.group(1), place.lines, "", match.group(2))


def _is_mention(said: str) -> bool:
    """Return whether a fragment only names a variable: "by the variable `X`"."""
    return not _TELLING_WORD.search(_VARIABLE.sub("", said))


def _is_told(text: str) -> bool:
    is_japanese = any("\u3040" <= c <= "\u9fff" for c in text)
    return is_japanese or len(text.split()) >= _MEANING_WORDS


def _sentences(analysis: Analysis) -> Iterator[tuple[_Place, Setting]]:
    """Yield sentences that name variables, those that begin with the name first."""
    found: list[tuple[int, _Place, Setting]] = []
    for kind in ("text", "item"):
        for place in _places(analysis, kind):
            told = sentences(place.block.text) if "`" in place.block.text else []
            for said in filter(_is_told, told):
                for match in _VARIABLE.finditer(said):
                    if _is_mention(said):
                        continue
                    setting = Setting(match.group(1), place.lines, "", said)
                    found.append((match.start(), place, setting))
    for _, place, setting in sorted(found, key=lambda each: each[0]):
        yield place, setting


def _shown_help(analysis: Analysis) -> Iterator[tuple[_Place, Setting]]:
    """Yield the options of help that is shown; of a library it is another program's."""
    if not form_of(analysis).is_application:
        return
    for place in _places(analysis, "code"):
        first = place.block.start_line + (1 if place.block.language else 0)
        lines = place.block.text.split("\n")
        for setting in options_in_help(place.file, lines, first):
            yield place, setting


def options_in_help(file: int, lines: list[str], first: int) -> Iterator[Setting]:
    """Yield the options that a help text explains: `-n, --name VALUE  meaning`.

    first: number of the first line in its file. Quotes of a string literal around a
    line are no part of it.
    """
    for number, line in enumerate(lines):
        match = _HELP.match(_unquoted(line))
        if match is None:
            continue
        said = [match.group(4)]
        end = number
        for below in lines[number + 1 : number + 1 + _HELP_LINES]:
            bare = _unquoted(below).lstrip(" \"'")
            is_more = bool(bare) and not bare.startswith("-")
            if not is_more or not re.match(r"^[\s\"']{12,}", below):
                break
            said.append(bare)
            end += 1
        meaning = " ".join(" ".join(said).split()).rstrip(";, ")
        given = _GIVEN.search(meaning)
        meaning = _GIVEN.sub("", meaning)
        if _is_told(meaning):
            place = Lines(file, first + number, first + end)
            yield Setting(match.group(2), place, given[1] if given else "", meaning)


def _unquoted(line: str) -> str:
    """Return a line of help without the quotes of a string literal around it."""
    is_literal = line.lstrip()[:1] in {'"', "'"} or _ENDS_LITERAL.search(line)
    return _QUOTES.sub("", line) if is_literal else line.rstrip()
