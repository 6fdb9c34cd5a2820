"""Writes uploaded files into an empty folder, archives unpacked, within limits."""

from __future__ import annotations

import errno
import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, BinaryIO

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, ServiceError
from devrag.parsing.text import BINARY_PROBE_BYTES, decode, is_document
from devrag.sources.connectors.types import Unlisted
from devrag.sources.paths import storable
from devrag.sources.uploads.archives import (
    Member,
    archive_kind,
    explaining_damage,
    read_archive,
    stem,
)
from devrag.sources.uploads.limits import Budget, UploadLimits
from devrag.sources.uploads.names import checked_path, is_content, unusable
from devrag.sources.uploads.store import CONTENT, LEFT_OUT
from devrag.sources.uploads.streams import BLOCK_BYTES

_MOST_LEFT_OUT = 1_000  # are named
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it was sent. file: seekable; size: bytes."""

    name: str
    file: BinaryIO
    size: int


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What was stored: files, bytes, and how many members were left out."""

    files: int
    bytes: int
    left_out: int


def upload_name(files: Sequence[UploadedFile]) -> str:
    """Return a name for what is uploaded together."""
    return files[0].name if len(files) == 1 else f"{files[0].name} + {len(files) - 1}"


def upload_stem(files: Sequence[UploadedFile]) -> str:
    """Return what a source of these files may be called."""
    return stem(files[0].name)


def unpack(
    files: Sequence[UploadedFile], folder: Path, limits: UploadLimits
) -> Unpacked:
    """Store one archive unpacked, or files as they are, below an empty folder.

    Raises InvalidInput for what cannot be used, ServiceError for a full disk.
    """
    kinds = _checked_kinds(files, limits)
    budget = Budget(limits, sum(each.size for each in files))
    writer = _Writer(folder / CONTENT, budget)
    try:
        writer.root.mkdir(0o700)
        for each, kind in zip(files, kinds, strict=True):
            if kind:
                with explaining_damage():
                    for member in read_archive(each.file, kind, limits):
                        writer.add(member)
            else:
                writer.add(_plain(each))
        if not writer.paths:
            raise InvalidInput(
                gettext("The upload contains no files that can be stored.")
            )
        _drop_common_folder(writer)
        listed = [asdict(each) for each in writer.left_out[:_MOST_LEFT_OUT]]
        (folder / LEFT_OUT).write_text(json.dumps(listed), encoding="utf-8")
    except OSError as error:
        raise _storage_error(error) from error
    return Unpacked(len(writer.paths), budget.bytes, len(writer.left_out))


class _Writer:
    """Stores members below a root; what was stored and left out is kept in mind."""

    def __init__(self, root: Path, budget: Budget) -> None:
        self.root = root
        self.paths: set[str] = set()
        self.left_out: list[Unlisted] = []
        self._budget = budget

    def add(self, member: Member) -> None:
        """Store a member; a later one of the same name replaces an earlier one."""
        self._budget.add_file()
        path = checked_path(member.name)
        if not path or not is_content(path):
            return
        reason = member.left_out or unusable(path)
        if reason or member.open is None:
            self.left_out.append(Unlisted(storable(path), reason))
            return
        with member.open() as stream:
            self._write(path, stream)
        self.paths.add(path)

    def _write(self, path: str, stream: IO[bytes]) -> None:
        target = self.root / path
        try:
            target.parent.mkdir(0o700, parents=True, exist_ok=True)
            with target.open("wb") as file:
                while block := stream.read(BLOCK_BYTES):
                    self._budget.add_bytes(len(block))
                    file.write(block)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise InvalidInput(
                gettext(
                    "The archive contains a file and a folder with the same name: "
                    "%(path)s."
                )
                % {"path": path[:200]}
            ) from error


def _checked_kinds(files: Sequence[UploadedFile], limits: UploadLimits) -> list[str]:
    """Return the kind of archive of each file, once all can be used by their names."""
    if not files:
        raise InvalidInput(gettext("Choose a file to upload."))
    if sum(each.size for each in files) > limits.max_bytes:
        raise too_large(limits)
    kinds = [archive_kind(each.name) for each in files]
    if len(files) > 1 and any(kinds):
        raise InvalidInput(
            gettext("Upload either one archive, or files that are not archives.")
        )
    for each, kind in zip(files, kinds, strict=True):
        if not kind:
            _check_plain(each)
    return kinds


def too_large(limits: UploadLimits) -> InvalidInput:
    """Return the error of more bytes than are accepted."""
    return InvalidInput(
        gettext(
            "The upload is larger than %(most)s MB. Upload less, or ask an"
            " administrator to raise MAX_UPLOAD_BYTES."
        )
        % {"most": f"{limits.max_bytes / 1e6:,.0f}"}
    )


def _check_plain(given: UploadedFile) -> None:
    """Raise InvalidInput for a file without text, or with no name to store it by."""
    if "/" in given.name or unusable(given.name) or not checked_path(given.name):
        raise InvalidInput(
            gettext("Cannot store %(name)s. Rename the file.")
            % {"name": given.name[:200]}
        )
    given.file.seek(0)
    head = given.file.read(BINARY_PROBE_BYTES)
    given.file.seek(0)
    if not is_document(given.name) and head and decode(head) is None:
        raise InvalidInput(
            gettext(
                "%(name)s is not text or a supported document. Upload a zip or tar "
                "archive, PDF, Office file, Markdown or other text."
            )
            % {"name": given.name[:200]}
        )


def _plain(given: UploadedFile) -> Member:
    return Member(given.name, lambda: nullcontext(given.file))  # its owner closes it


def _drop_common_folder(writer: _Writer) -> None:
    """Take away the one folder that all files are in, such as `shop-1.2/`.

    Else each file had another path in the next upload.
    """
    first = {path.partition("/")[0] for path in writer.paths}
    is_common = len(first) == 1 and all("/" in path for path in writer.paths)
    if not is_common:
        return
    root, (name,) = writer.root, first
    root.rename(root.with_name("packed"))
    (root.with_name("packed") / name).rename(root)
    root.with_name("packed").rmdir()
    writer.left_out = [
        replace(each, path=each.path.removeprefix(f"{name}/"))
        for each in writer.left_out
    ]


def _storage_error(error: OSError) -> ServiceError:
    if error.errno in _FULL:
        return ServiceError(
            gettext(
                "The server's disk is full. Ask an administrator to free space, then "
                "upload again."
            )
        )
    return ServiceError(
        gettext("Cannot store the upload: %(cause)s. Ask an administrator.")
        % {"cause": error.strerror or type(error).__name__}
    )
