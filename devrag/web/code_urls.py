"""Addresses of the code view: files, folders, and what is loaded beside them."""

from __future__ import annotations

from django.urls import URLPattern, path, register_converter

from devrag.web.converters import FilePathConverter, VersionConverter
from devrag.web.views import code, files, history, symbols

register_converter(FilePathConverter, "file_path")
register_converter(VersionConverter, "version")

_SOURCE = "p/<str:name>/s/<str:source>/{}/<version:version>/"
_SYMBOL = _SOURCE.format("symbol") + "<uuid:uuid>/"


def _of_file(part: str) -> str:
    return _SOURCE.format(part) + "<file_path:path>"


urlpatterns: list[URLPattern] = [
    path(_SOURCE.format("-"), files.file, name="folder"),
    path(_of_file("-"), files.file, name="file"),
    path(_of_file("preview"), files.preview, name="preview"),
    path(_of_file("raw"), files.raw, name="raw"),
    path(_SOURCE.format("tree"), code.tree, name="tree"),
    path(_of_file("tree"), code.tree, name="tree"),
    path(_of_file("uses"), code.uses, name="uses"),
    path(_of_file("find"), code.find, name="find"),
    path(_of_file("blame"), history.blame, name="blame"),
    path(_of_file("history"), history.history, name="history"),
    path(_SOURCE.format("changes"), history.folder_changes, name="folder_changes"),
    path(_of_file("changes"), history.folder_changes, name="folder_changes"),
    path(
        _SOURCE.format("commit") + "<str:commit>/<file_path:path>",
        history.commit,
        name="commit",
    ),
    path(_SYMBOL, symbols.symbol, name="symbol"),
    path(_SYMBOL + "card/", symbols.card, name="symbol_card"),
    path(_SYMBOL + "references/", symbols.references, name="references"),
    path(_SYMBOL + "related/", symbols.related, name="related"),
]
