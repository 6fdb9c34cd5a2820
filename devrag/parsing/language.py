"""Which language a file is in, by its name and its first line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.parsing.language_table import LANGUAGES
from devrag.parsing.paths import file_name

__all__ = ["LANGUAGES", "Language", "detect_language", "find_language", "language_of"]

_SHEBANG = re.compile(r"^#!\s*(\S+)(.*)")
_VERSION = re.compile(r"[\d.]+$")


@dataclass(frozen=True, slots=True)
class Language:
    """name: lower case, '' when unknown; kind: code, doc, config or data."""

    name: str
    mime: str
    kind: str


# Of endings that two languages share: what tells the other one.
_BY_TEXT = {
    "h": (
        re.compile(
            r"^[^\S\n]*(?:class\s+\w++[^;(){]{0,500}+\{|namespace\s+\w|template\s*<|using\s+\w+|"
            r"(?:public|private|protected)\s*:)",
            re.MULTILINE,
        ),
        "cpp",
    ),
    "m": (re.compile(r"\A(?:\s|%[^\n]*\n)*(?:function\b|classdef\b|%)"), "matlab"),
    "sh": (re.compile(r"\A#![^\n]*\bzsh\b"), "zsh"),
    "cls": (re.compile(r"^[^\S\n]*\\(?:NeedsTeXFormat|ProvidesClass)", re.M), "latex"),
}

UNKNOWN = Language("", "text/plain", "data")


def _by(column: int) -> dict[str, Language]:
    """Map each word of a column of the table to its language; the first one wins."""
    found: dict[str, Language] = {}
    for name, row in LANGUAGES.items():
        for word in row[column].split():
            found.setdefault(word, Language(name, row[1], row[0]))
    return found


_EXTENSIONS, _NAMES, _INTERPRETERS = _by(2), _by(3), _by(4)
_ALIASES = {
    "golang": "go", "shell": "bash", "c#": "csharp", "f#": "fsharp",
    "word": "docx", "powerpoint": "pptx", "excel": "xlsx",
}  # fmt: skip


def find_language(word: str) -> str:
    """Return the language someone means by its name or extension, '' when unknown."""
    word = word.lower()
    if word in LANGUAGES:
        return word
    meant = _EXTENSIONS.get(word)
    return _ALIASES.get(word) or (meant.name if meant else "")


def detect_language(path: str, first_line: str = "") -> Language:
    """Return the language by file name, extension, then shebang line."""
    name = file_name(path)
    if name.startswith("requirements") and name.endswith((".txt", ".in")):
        name = "requirements.txt"
    return (
        _NAMES.get(name)
        or _by_extension(name.lower())
        or _by_stem(name)
        or _by_shebang(first_line)
        or UNKNOWN
    )


def language_of(path: str, text: str) -> Language:
    """Return the language by file name, and by the text where two share an ending."""
    language = detect_language(path, text[:200].partition("\n")[0])
    mark, other = _BY_TEXT.get(path.rpartition(".")[2].lower(), (None, ""))
    if mark and mark.search(text):
        mime, kind = LANGUAGES[other][1], LANGUAGES[other][0]
        return Language(other, mime, kind)
    return language


def _by_extension(name: str) -> Language | None:
    extension = name.rpartition(".")[2] if "." in name.strip(".") else ""
    return _EXTENSIONS.get(extension)


def _by_stem(name: str) -> Language | None:
    """Recognise `Dockerfile.dev` and `LICENSE-MIT` by what stands before the mark."""
    return (
        _NAMES.get(re.split(r"[.\-]", name, maxsplit=1)[0]) if name[:1] != "." else None
    )


def _by_shebang(first_line: str) -> Language | None:
    match = _SHEBANG.match(first_line)
    if not match:
        return None
    words = [match[1].rpartition("/")[2], *match[2].split()]
    if words[0] == "env":
        words = [word for word in words[1:] if word[0] != "-" and "=" not in word]
    interpreter = words[0] if words else ""
    return _INTERPRETERS.get(interpreter) or _INTERPRETERS.get(
        _VERSION.sub("", interpreter)
    )
