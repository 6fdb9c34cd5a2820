"""Keep the catalogues of the interface: `make messages`.

Collects what templates and code mark for translation, adds it to each .po (new texts
without a translation), drops what is gone, and compiles the .mo, which is committed:
no machine needs GNU gettext. With --check nothing is written; what is wrong is told.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "devrag" / "locale"
HEADER = (
    "Content-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\n"
    "Language: ja\n"
    "Plural-Forms: nplurals=1; plural=0;\n"
)
_CONTEXT_FIRST = ("pgettext", "pgettext_lazy", "npgettext")
_WITH_PLURAL = ("ngettext", "ngettext_lazy", "npgettext")
_NAMES = (*_CONTEXT_FIRST, *_WITH_PLURAL, "gettext", "gettext_lazy", "gettext_noop")
# A call in what Django makes of a template to have its texts found.
_CALL = re.compile(
    r"""\b(?:n?p?gettext)\((?:u(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?:, )?)+"""
)
_PLACE = re.compile(r"%\(\w+\)[sd]|%%")
_ENTRY = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[0\])?) ((?:"[^\n]*"\n)+)')


class Text(NamedTuple):
    """A text to translate; context and plural may be empty."""

    context: str
    singular: str
    plural: str

    @property
    def key(self) -> str:
        """Return the name of it in a compiled catalogue."""
        context = f"{self.context}\4" if self.context else ""
        return context + self.singular + (f"\0{self.plural}" if self.plural else "")


def collect() -> dict[Text, list[str]]:
    """Return every marked text with the files that have it."""
    found: dict[Text, list[str]] = {}
    paths = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("devrag/**/*.py")]
    for path in sorted(paths):
        source, name = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
        texts = _of_template(source) if path.suffix == ".html" else _of_code(source)
        for text in texts:
            places = found.setdefault(text, [])
            places += [] if name in places else [name]
    return found


def _of_template(source: str) -> Iterator[Text]:
    for call in _CALL.finditer(templatize(source)):
        yield from _of_code(f"{call.group()})")


def _of_code(source: str) -> Iterator[Text]:
    if "gettext" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        name = getattr(getattr(node, "func", None), "id", "")
        if isinstance(node, ast.Call) and name in _NAMES:
            said = [a.value for a in node.args if isinstance(a, ast.Constant)]
            texts = [value for value in said if isinstance(value, str)]
            context = texts.pop(0) if name in _CONTEXT_FIRST else ""
            # A name instead of a text says what is marked elsewhere.
            if texts:
                plural = texts[1] if name in _WITH_PLURAL else ""
                yield Text(context, texts[0], plural)


def read_po(path: Path) -> dict[Text, str]:
    """Return the translations of a catalogue; fuzzy ones count as missing."""
    found: dict[Text, str] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        fields = {name: _unquote(text) for name, text in _ENTRY.findall(block + "\n")}
        text = Text(
            fields.get("msgctxt", ""),
            fields.get("msgid", ""),
            fields.get("msgid_plural", ""),
        )
        said = fields.get("msgstr[0]" if text.plural else "msgstr", "")
        if text.singular:
            found[text] = "" if "\n#, fuzzy" in f"\n{block}" else said
    return found


def write_po(found: Mapping[Text, list[str]], said: Mapping[Text, str]) -> str:
    """Return a catalogue as text, in the order of places."""
    blocks = [f'msgid ""\nmsgstr ""\n{_quote(HEADER)}']
    for text, places in found.items():
        lines = [f"#: {place}\n" for place in places]
        if text.context:
            lines.append(f"msgctxt {_quote(text.context)}")
        lines.append(f"msgid {_quote(text.singular)}")
        if text.plural:
            lines.append(f"msgid_plural {_quote(text.plural)}")
        name = "msgstr[0]" if text.plural else "msgstr"
        lines.append(f"{name} {_quote(said.get(text, ''))}")
        blocks.append("".join(lines))
    return "\n".join(blocks)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    pieces = [line.replace("\n", "\\n") for line in escaped.splitlines(keepends=True)]
    return "".join(f'"{piece}"\n' for piece in pieces or [""])


def _unquote(lines: str) -> str:
    return "".join(ast.literal_eval(line) for line in lines.splitlines())


def compile_mo(said: Mapping[Text, str]) -> bytes:
    """Return a compiled catalogue, as gettext(3) reads it: sorted, without a hash."""
    texts = {"": HEADER, **{text.key: said[text] for text in said if said[text]}}
    rows = sorted((key.encode(), value.encode()) for key, value in texts.items())
    start = 28 + 16 * len(rows)
    tables: list[bytes] = []
    data = b""
    for column in (0, 1):
        for row in rows:
            tables.append(struct.pack("<2I", len(row[column]), start + len(data)))
            data += row[column] + b"\0"
    header = (0x950412DE, 0, len(rows), 28, 28 + 8 * len(rows), 0, start)
    return struct.pack("<7I", *header) + b"".join(tables) + data


def find_faults(folder: Path) -> list[str]:
    """Return what is wrong with the catalogue in a folder."""
    found, said = collect(), read_po(folder / "django.po")
    faults = [
        f"untranslated: {text.singular!r}" for text in found if not said.get(text)
    ]
    faults += [f"no longer used: {text.singular!r}" for text in said.keys() - found]
    faults += [
        f"other places than the English: {text.singular!r}"
        for text, translated in said.items()
        if translated and not _places(translated) <= _places(text.plural or text[1])
    ]
    if (folder / "django.mo").read_bytes() != compile_mo(said):
        faults.append("django.mo is not what django.po says; run `make messages`")
    return faults


def _places(text: str) -> set[str]:
    return set(_PLACE.findall(text))


def main(arguments: list[str]) -> int:
    """Write the catalogues, or with --check say what is wrong with them."""
    for folder in sorted(LOCALE.glob("*/LC_MESSAGES")):
        po = folder / "django.po"
        if "--check" not in arguments:
            po.write_text(write_po(collect(), read_po(po)), encoding="utf-8")
            (folder / "django.mo").write_bytes(compile_mo(read_po(po)))
        if faults := find_faults(folder):
            sys.stderr.write("\n  ".join([f"{po.relative_to(ROOT)}:", *faults, ""]))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
