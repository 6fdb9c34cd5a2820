"""What zip and tar archives hold, one member after the other.

Members are opened while they are looked at, in the order of the archive: that of a tar
file cannot be opened later.
"""

from __future__ import annotations

import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import IO, Any, BinaryIO

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.sources.uploads.limits import UploadLimits
from devrag.sources.uploads.names import decode_tar_name, decode_zip_names
from devrag.sources.uploads.streams import (
    BLOCK_BYTES,
    DECOMPRESSORS,
    BoundedReads,
    Decompressed,
    ForwardStream,
    broken_archive,
)

# A tar file has heads and padding beside what is stored of it.
_HEADS_PER_BYTE = 2
_HEAD_BYTES = 4096
_ENCRYPTED = 0x1
_UTF8 = 0x800
_TAR_ENDINGS = {
    ".tar": "",
    **{f".tar.{kind}": kind for kind in DECOMPRESSORS},
    ".tgz": "gz",
    ".tbz2": "bz2",
    ".tbz": "bz2",
    ".txz": "xz",
    ".tzst": "zst",
}
_DAMAGE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, tarfile.TarError, EOFError),
    *(ValueError, KeyError, IndexError, OverflowError, NotImplementedError),
    *(zlib.error, lzma.LZMAError, struct.error, RecursionError),
)
_OTHER_ENDINGS = (".7z", ".rar", ".gz", ".bz2", ".xz", ".zst", ".lzh", ".cab", ".z")


@dataclass(frozen=True, slots=True)
class Member:
    """Something in an archive. left_out: why it is not stored, '' for files."""

    name: str
    open: Callable[[], AbstractContextManager[IO[bytes]]] | None = None
    left_out: str = ""


Members = Iterator[Member]


def archive_kind(name: str) -> str:
    """Return zip, tar or a tar's compression by a file's name, '' for no archive.

    Raises InvalidInput for archives that are not unpacked.
    """
    lowered = name.lower()
    if lowered.endswith(".zip"):
        return "zip"
    for ending, kind in _TAR_ENDINGS.items():
        if lowered.endswith(ending):
            return kind or "tar"
    if lowered.endswith(_OTHER_ENDINGS):
        raise InvalidInput(
            gettext(
                "%(name)s is an archive type that is not supported. Upload a zip, "
                ".tar, .tar.gz, .tar.bz2 or .tar.xz file."
            )
            % {"name": name}
        )
    return ""


def stem(name: str) -> str:
    """Return a file's name without the ending of an archive or document."""
    lowered = name.lower()
    for ending in sorted([".zip", *_TAR_ENDINGS], key=len, reverse=True):
        if lowered.endswith(ending):
            return name[: -len(ending)]
    head, dot, _ = name.rpartition(".")
    return head if dot and head else name


def read_archive(file: BinaryIO, kind: str, limits: UploadLimits) -> Members:
    """Yield the files of an archive, and what of it is left out.

    To be used within `explaining_damage`.
    """
    file.seek(0)
    return _zip(file, limits) if kind == "zip" else _tar(file, kind, limits)


@contextmanager
def explaining_damage() -> Iterator[None]:
    """Turn what reading a damaged archive raises into InvalidInput."""
    try:
        yield
    except _DAMAGE as error:
        raise broken_archive() from error


def _zip(file: BinaryIO, limits: UploadLimits) -> Members:
    bounded: Any = BoundedReads(file, limits.max_files)
    with zipfile.ZipFile(bounded) as packed:
        infos = packed.infolist()
        names = decode_zip_names(
            [(each.orig_filename, bool(each.flag_bits & _UTF8)) for each in infos]
        )
        for info, name in zip(infos, names, strict=True):
            if not (info.is_dir() or name.endswith("/")):
                yield _zip_member(packed, info, name)


def _zip_member(packed: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Member:
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        return Member(name, left_out="symlink in an archive")
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        return Member(name, left_out="not a regular file")
    if info.flag_bits & _ENCRYPTED:
        raise InvalidInput(
            gettext("The zip file is encrypted. Upload it without a password.")
        )
    # The others unpack without bound in one step.
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise InvalidInput(
            gettext(
                "The zip file uses an unsupported compression method. Create it again "
                "with the default one (Deflate)."
            )
        )
    return Member(name, lambda: packed.open(info))


def _tar(file: BinaryIO, kind: str, limits: UploadLimits) -> Members:
    packed_in = file if kind == "tar" else Decompressed(file, DECOMPRESSORS[kind])
    most = _HEADS_PER_BYTE * limits.max_unpacked_bytes + _HEAD_BYTES * limits.max_files
    stream: Any = ForwardStream(packed_in.read, most)
    with tarfile.open(
        fileobj=stream, mode="r:", encoding="utf-8", errors="surrogateescape"
    ) as packed:
        while info := packed.next():
            packed.members.clear()  # type: ignore[attr-defined]  # it keeps all
            if not info.isdir():
                yield _tar_member(packed, info, decode_tar_name(info.name))
    if stream.last.strip(b"\0"):  # it takes a broken head for the end
        raise broken_archive()
    while stream.read(BLOCK_BYTES):  # the checksum of all comes last
        pass


def _tar_member(packed: tarfile.TarFile, info: tarfile.TarInfo, name: str) -> Member:
    if info.issym() or info.islnk():
        reason = "symlink in an archive" if info.issym() else "hard link in an archive"
        return Member(name, left_out=reason)
    if not info.isreg():
        return Member(name, left_out="not a regular file")

    def opened() -> IO[bytes]:
        found = packed.extractfile(info)
        if found is None:
            raise broken_archive()
        return found

    return Member(name, opened)
