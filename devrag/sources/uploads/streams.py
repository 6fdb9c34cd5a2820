"""Reading archives within bounds: no read is large, no stream goes on for ever.

Archives state sizes of their own tables, and the modules that read them believe it.
"""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, Protocol

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput

BLOCK_BYTES = 1 << 20
# An entry's name and what belongs to it take less than this in the list of a zip file.
_BYTES_PER_ENTRY = 400
_LEAST_READ = 4 << 20
_LZMA_MEMORY_BYTES = 256 << 20
_PACKED_BYTES = 64 << 10


class Decompressor(Protocol):
    """What bz2, lzma and zstd have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = ...) -> bytes: ...


class BoundedReads(io.RawIOBase):
    """A seekable file of which no single read may be large."""

    def __init__(self, file: BinaryIO, max_files: int) -> None:
        self._file = file
        self._most = max(_LEAST_READ, max_files * _BYTES_PER_ENTRY)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def read(self, size: int | None = -1) -> bytes:
        """Read as asked for; raises InvalidInput where that is too much."""
        if size is None or size < 0 or size > self._most:
            position = self._file.tell()
            left = self._file.seek(0, io.SEEK_END) - position
            self._file.seek(position)
            if left > self._most:
                raise broken_archive()
        return self._file.read(-1 if size is None else size)


class ForwardStream(io.RawIOBase):
    """What a compressed file holds, forward only. most: bytes until it is refused.

    last: what was read last.
    """

    def __init__(self, source: Callable[[int], bytes], most: int) -> None:
        self._source = source
        self._position = 0
        self._most = most
        self.last = b""

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go forward; raises InvalidInput for anything else."""
        if whence != io.SEEK_SET or offset < self._position:
            raise broken_archive()
        while self._position < offset:
            if not self.read(min(BLOCK_BYTES, offset - self._position)):
                break
        return self._position

    def read(self, size: int | None = -1) -> bytes:
        """Return so many bytes, fewer at the end only."""
        if size is None or size < 0 or size > _LEAST_READ:
            raise broken_archive()
        blocks, left = [], size
        while left and (block := self._source(left)):
            blocks.append(block)
            left -= len(block)
            self._position += len(block)
            if self._position > self._most:
                raise broken_archive()
        self.last = b"".join(blocks)
        return self.last


class Decompressed:
    """Reads what the compressed streams in a file hold, one after the other."""

    def __init__(self, file: BinaryIO, make: Callable[[], Decompressor]) -> None:
        self._file = file
        self._make = make
        self._decompressor = make()
        self._is_started = False

    def read(self, size: int) -> bytes:
        """Return up to so many bytes, none at the end."""
        while (packed := self._next()) is not None:
            self._is_started = True
            try:
                data = self._decompressor.decompress(packed, size)
            except (OSError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise broken_archive() from error
            if data:
                return data
        return b""

    def _next(self) -> bytes | None:
        """Return what to decompress next, b'' for what is held; None at the end."""
        if self._decompressor.eof:
            # Zeros may fill up a tape; what follows them is another stream.
            rest = self._decompressor.unused_data.lstrip(b"\0")
            rest = rest or self._file.read(_PACKED_BYTES)
            if not rest.strip(b"\0"):
                return None
            self._decompressor = self._make()
            return rest
        if not self._decompressor.needs_input:
            return b""
        if rest := self._file.read(_PACKED_BYTES):
            return rest
        if self._is_started:
            raise broken_archive()
        return None


class _Gzip:
    """zlib's decompressor of gzip streams, with the methods of the others."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.eof and not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = 0) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


def make_lzma() -> Decompressor:
    """Return a decompressor of xz that refuses dictionaries of gigabytes."""
    return lzma.LZMADecompressor(memlimit=_LZMA_MEMORY_BYTES)


def make_zstd() -> Decompressor:
    """Return a decompressor of zstd; raises InvalidInput before Python 3.14."""
    try:
        from compression import zstd  # type: ignore  # noqa: PLC0415
    except ImportError as error:
        raise InvalidInput(
            gettext(
                "This server cannot unpack .zst files. Upload a zip, .tar.gz or"
                " .tar.xz file."
            )
        ) from error
    made: Decompressor = zstd.ZstdDecompressor()
    return made


DECOMPRESSORS: dict[str, Callable[[], Any]] = {
    "gz": _Gzip,
    "bz2": bz2.BZ2Decompressor,
    "xz": make_lzma,
    "zst": make_zstd,
}


def broken_archive() -> InvalidInput:
    """Return the error of an archive that cannot be read to its end."""
    return InvalidInput(
        gettext(
            "The archive is damaged or incomplete. Create it again and retry the "
            "upload."
        )
    )
