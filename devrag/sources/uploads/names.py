"""Names of uploaded files: decoded, and refused where they lead elsewhere. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.sources.paths import TOO_LONG, is_too_long, is_unicode, printable

_MAX_PART_BYTES = 255  # of a name in a folder, on every file system of Linux
_DRIVE = re.compile(r"[A-Za-z]:/")
# What systems leave beside the files, and the history of a repository.
_NOT_CONTENT = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", ".git"})


def checked_path(name: str) -> str:
    """Return a member's path below the upload, '' for the upload itself.

    Raises InvalidInput for a name that leads out of it.
    """
    path = unicodedata.normalize("NFC", name)  # macOS writes が as two characters
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if path.startswith("/") or _DRIVE.match(path) or ".." in parts or "\0" in path:
        raise InvalidInput(
            gettext(
                "The archive contains a file named '%(name)s', which is outside its "
                "folder. Create the archive again with relative paths."
            )
            % {"name": printable(name)[:200]}
        )
    return "/".join(parts)


def is_content(path: str) -> bool:
    """Return whether a path is of the user's own files."""
    return _NOT_CONTENT.isdisjoint(path.split("/"))


def unusable(path: str) -> str:
    """Return why no file can be stored by that path, '' when one can."""
    if not is_unicode(path):
        return "name is not valid UTF-8"
    is_long = any(len(part.encode()) > _MAX_PART_BYTES for part in path.split("/"))
    return TOO_LONG if is_too_long(path) or is_long else ""


def decode_zip_names(names: Sequence[tuple[str, bool]]) -> list[str]:
    """Return the names in a zip archive. names: as zipfile reads them, is UTF-8.

    Older programs wrote names in the encoding of their system and did not say which:
    UTF-8 on macOS, Shift_JIS on Japanese Windows. One archive has one encoding.
    """
    raw = [name.encode("cp437") for name, is_utf8 in names if not is_utf8]
    encoding = _first_that_fits(raw)
    return [
        (name if is_utf8 else name.encode("cp437").decode(encoding)).replace("\\", "/")
        for name, is_utf8 in names
    ]


def decode_tar_name(name: str) -> str:
    """Return a name whose undecodable bytes are surrogates; a Japanese one decoded."""
    if is_unicode(name):
        return name
    raw = name.encode("utf-8", "surrogateescape")
    for encoding in ("cp932", "euc_jp"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name


def _first_that_fits(names: Sequence[bytes]) -> str:
    for encoding in ("utf-8", "cp932"):
        try:
            for name in names:
                name.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "cp437"
