"""A zip archive from a stranger: what is unpacked is counted, nothing is written."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO

from devrag.parsing.office.errors import ENCRYPTED, TOO_LARGE, Unusable, broken

MAX_ENTRIES = 10_000
# All parts that are read, together. One that becomes a tree takes ten times its size.
MAX_BYTES = 400_000_000
MAX_TREE_BYTES = 60_000_000
# XML of documents shrinks to a tenth, of dull tables to a fiftieth.
MAX_RATIO = 250
_RATIO_FROM_BYTES = 5_000_000
_PIECE_BYTES = 256 * 1024
_ENCRYPTED_FLAG = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_OLE2 = bytes.fromhex("d0cf11e0a1b11ae1")


class Archive:
    """The parts of a document by name; letter case does not count, as in OPC."""

    def __init__(self, data: bytes) -> None:
        # What Office encrypts is no zip archive, but lies in one of another kind.
        if data.startswith(_OLE2):
            raise Unusable(ENCRYPTED)
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            raise broken("not a zip archive") from error
        entries = self._zip.infolist()
        if len(entries) > MAX_ENTRIES:
            raise broken(f"more than {MAX_ENTRIES:,} parts")
        self._entries = {_key(each.filename): each for each in entries}
        self._left = MAX_BYTES

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._entries

    def names(self) -> list[str]:
        """Return the names of all parts, in lower case."""
        return list(self._entries)

    def read(self, name: str) -> bytes:
        """Return a part. Raises Unusable for one that is missing or too large."""
        if self._entry(name).file_size > MAX_TREE_BYTES:
            raise broken(TOO_LARGE)
        return b"".join(self.pieces(name))

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a part piece by piece, as it is unpacked."""
        entry = self._entry(name)
        try:
            with self._zip.open(entry) as part:
                while piece := part.read(_PIECE_BYTES):
                    self._left -= len(piece)
                    if self._left < 0:
                        raise broken(TOO_LARGE)
                    yield piece
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError) as error:
            raise broken(f"damaged part {entry.filename[:60]}") from error
        except (NotImplementedError, RuntimeError) as error:
            raise Unusable(ENCRYPTED) from error

    def _entry(self, name: str) -> zipfile.ZipInfo:
        entry = self._entries.get(_key(name))
        if entry is None:
            raise broken(f"part {name[:60]} is missing")
        if entry.flag_bits & _ENCRYPTED_FLAG:
            raise Unusable(ENCRYPTED)
        if entry.compress_type not in _METHODS:
            raise broken("unknown compression")
        packed = max(entry.compress_size, 1)
        if entry.file_size > max(_RATIO_FROM_BYTES, MAX_RATIO * packed):
            raise broken(TOO_LARGE)
        return entry


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()
