"""Keep the catalogues of the interface: `make messages`.

Collects what templates and code mark for translation, adds it to each .po (new texts
without a translation), drops what is gone, and compiles the .mo, which is committed:
no machine needs GNU gettext. With --check nothing is written; faults are printed.

Babel reads, writes and compiles the catalogues and knows each language's plural rule.
It finds no texts in Django's templates, so that Django and `ast` do.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "devrag" / "locale"
_CONTEXT_FIRST = ("pgettext", "pgettext_lazy", "npgettext")
_WITH_PLURAL = ("ngettext", "ngettext_lazy", "npgettext")
_NAMES = (*_CONTEXT_FIRST, *_WITH_PLURAL, "gettext", "gettext_lazy", "gettext_noop")
# A call in what Django makes of a template to have its texts found.
_CALL = re.compile(
    r"""\b(?:n?p?gettext)\((?:u(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?:, )?)+"""
)
_PLACE = re.compile(r"%\(\w+\)[sd]|%%")


class Text(NamedTuple):
    """A text to translate; context and plural may be empty."""

    context: str
    singular: str
    plural: str

    @property
    def id(self) -> str | tuple[str, str]:
        """Return the message id as Babel has it."""
        return (self.singular, self.plural) if self.plural else self.singular


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


def read_catalogue(path: Path) -> Catalog:
    """Return a catalogue; its folder names the language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def update_catalogue(old: Catalog) -> Catalog:
    """Return a catalogue of all marked texts, in their order, with what is translated.

    The dates stay, so that writing it twice changes nothing.
    """
    new = Catalog(
        locale=old.locale,
        project="devrag",
        version="(every version)",
        msgid_bugs_address="the issues of devrag",
        last_translator="the authors of devrag",
        language_team=str(old.locale),
        creation_date=old.creation_date,
        revision_date=old.creation_date,
        header_comment="# The interface of devrag; `make messages` keeps this file.",
        fuzzy=False,
    )
    for text, places in collect().items():
        known = old.get(text.id, text.context or None)
        said = known.string if known is not None and not known.fuzzy else ""
        if isinstance(text.id, tuple) and isinstance(said, str):
            said = (said,)  # it had no plural before
        locations = [(place, 0) for place in places]
        context = text.context or None
        new.add(text.id, said, locations=locations, context=context)
    return new


def write_catalogue(catalogue: Catalog) -> bytes:
    """Return the text of a .po file."""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=0, include_lineno=False)
    return buffer.getvalue()


def compile_catalogue(catalogue: Catalog) -> bytes:
    """Return the .mo file."""
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def find_faults(folder: Path) -> list[str]:
    """Return what is wrong with the catalogue in a folder."""
    catalogue = read_catalogue(folder / "django.po")
    said = {_text_of(each): each for each in catalogue if each.id}
    found = collect()
    faults = [
        f"untranslated: {text.singular!r}"
        for text in found
        if text not in said or not all(_forms(said[text]))
    ]
    faults += [f"no longer used: {text.singular!r}" for text in said.keys() - found]
    faults += [
        f"other places than the English: {text.singular!r}"
        for text, message in said.items()
        for form in _forms(message)
        if form and not _places(form) <= _places(text.plural or text.singular)
    ]
    if (folder / "django.mo").read_bytes() != compile_catalogue(catalogue):
        faults.append("django.mo is not what django.po says; run `make messages`")
    return faults


def _text_of(message: Message) -> Text:
    ids = message.id if isinstance(message.id, tuple) else (message.id, "")
    return Text(message.context or "", *ids)


def _forms(message: Message) -> Iterable[str]:
    """Return a translation in each of its plural forms; fuzzy ones count as missing."""
    if message.fuzzy:
        return ("",)
    return message.string if isinstance(message.string, tuple) else (message.string,)


def _places(text: str) -> set[str]:
    return set(_PLACE.findall(text))


def main(arguments: list[str]) -> int:
    """Write the catalogues, or with --check print what is wrong with them."""
    for folder in sorted(LOCALE.glob("*/LC_MESSAGES")):
        po = folder / "django.po"
        if "--check" not in arguments:
            po.write_bytes(write_catalogue(update_catalogue(read_catalogue(po))))
            (folder / "django.mo").write_bytes(compile_catalogue(read_catalogue(po)))
        if faults := find_faults(folder):
            sys.stderr.write("\n  ".join([f"{po.relative_to(ROOT)}:", *faults, ""]))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
