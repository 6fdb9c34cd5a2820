"""The catalogues of the interface are complete and compiled."""

from __future__ import annotations

import importlib.util
import io
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings

from tests.architecture.modules import ROOT

_spec = importlib.util.spec_from_file_location(
    "messages", ROOT / "scripts" / "messages.py"
)
assert _spec is not None
assert _spec.loader is not None
messages = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(messages)


@pytest.mark.parametrize(
    "language", [code for code, _ in settings.LANGUAGES if code != "en"]
)
def test_every_text_is_translated_and_compiled(language: str) -> None:
    folder = messages.LOCALE / language / "LC_MESSAGES"
    assert messages.find_faults(folder) == []


def test_a_catalogue_is_written_as_it_is_read() -> None:
    path = messages.LOCALE / "ja" / "LC_MESSAGES" / "django.po"
    catalogue = messages.update_catalogue(messages.read_catalogue(path))
    assert messages.write_catalogue(catalogue) == path.read_bytes()


def test_a_language_may_have_any_number_of_plural_forms(tmp_path: Path) -> None:
    # Polish has another form for 2 to 4 than for 5 and more.
    catalogue = Catalog(locale="pl")
    forms = ("%(n)s plik", "%(n)s pliki", "%(n)s plików")
    catalogue.add(("%(n)s file", "%(n)s files"), forms)
    path = tmp_path / "pl" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_bytes(messages.write_catalogue(catalogue))
    compiled = messages.compile_catalogue(messages.read_catalogue(path))
    translations = GNUTranslations(io.BytesIO(compiled))
    said = [translations.ngettext("%(n)s file", "%(n)s files", n) for n in (1, 3, 5)]
    assert said == list(forms)
