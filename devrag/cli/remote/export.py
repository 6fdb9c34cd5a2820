"""`wiki export`, answered by another devrag: its archive, unpacked here.

What comes may be hostile: only what a wiki consists of is written, below the folder of
the export, and no more than a wiki takes.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from pathlib import Path
from urllib.parse import urlencode

from devrag.cli.interfaces import Document, WikiExport, WikiName
from devrag.cli.remote.connection import Connection
from devrag.core.errors import InvalidInput, NotFound, ServiceError
from devrag.wiki.publishing.folder import write_file, write_folder

_MOST_BYTES = 256 * 2**20
_MOST_FILES = 20_000
_NAME = re.compile(
    r"(?:llms\.txt|style\.css"
    r"|(?:[^./\\:\x00-\x1f][^/\\:\x00-\x1f]*/)*"  # nothing hidden, no way up
    r"[^./\\:\x00-\x1f][^/\\:\x00-\x1f]*\.(?:md|html))"
)
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, RuntimeError, ValueError),  # cut short, encrypted, no UTF-8
)


def export(
    server: Connection, path: str, wiki: WikiName, wanted: WikiExport
) -> Document:
    """Write a version to this machine. path: the wiki's on the server."""
    if wanted.format == "html" and wanted.output is None:
        raise InvalidInput("--output FOLDER is required for HTML.")
    language = {"language": wiki.language or ""}
    number = wanted.version
    if number is None:
        number = _shown(server, f"{path}/versions?{urlencode(language)}")
    query = urlencode({**language, "format": wanted.format, "version": number})
    data = server.get_bytes(f"{path}/export?{query}")
    name = f"{wiki.product}-wiki"
    if wanted.format == "zip":
        unpack(data, server.url)  # refuses what is no wiki
        target = wanted.output or Path(f"{name}-{number}.zip")
        write_file(target, data)
    else:
        target = wanted.output or Path(name)
        write_folder(target, unpack(data, server.url))
    return {"version": number, "output": str(target)}


def _shown(server: Connection, versions: str) -> int:
    shown = (row["version"] for row in server.get_all(versions) if row["isCurrent"])
    number = next(shown, None)
    if number is None:
        raise NotFound(
            "This wiki has no published version yet. Choose one with --version."
        )
    if type(number) is not int:  # it becomes part of a file's name
        raise ServiceError(f"{server.url} sent an invalid version number.")
    return number


def unpack(data: bytes, sender: str) -> dict[str, str]:
    """Return an archive's files: path below its one folder → text.

    ServiceError when it holds what is no part of a wiki, or more than one has.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            _check(entries, sender)
            return {_path(entry): _text(archive, entry) for entry in entries}
    except _DAMAGED as error:
        raise ServiceError(f"{sender} sent an archive that cannot be read.") from error


def _check(entries: list[zipfile.ZipInfo], sender: str) -> None:
    size = sum(entry.file_size for entry in entries)
    if len(entries) > _MOST_FILES or size > _MOST_BYTES:
        raise ServiceError(
            f"{sender} sent {len(entries):,} files with {size:,} bytes, which is more "
            "than a wiki can have. Nothing was written."
        )
    for entry in entries:
        if not _NAME.fullmatch(_path(entry)) or entry.compress_type not in _PACKED:
            raise ServiceError(
                f"{sender} sent a file that is not part of a wiki: {entry.filename!r}. "
                "Nothing was written."
            )


def _path(entry: zipfile.ZipInfo) -> str:
    return entry.filename.partition("/")[2]


def _text(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    with archive.open(entry) as file:  # not read(), which unpacks more than is stated
        return file.read(entry.file_size).decode()
