"""The catalogues of the interface are complete and compiled."""

from __future__ import annotations

import importlib.util

import pytest
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
    folder = messages.LOCALE / "ja" / "LC_MESSAGES"
    said = messages.read_po(folder / "django.po")
    written = messages.write_po(messages.collect(), said)
    assert written == (folder / "django.po").read_text(encoding="utf-8")
