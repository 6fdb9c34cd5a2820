"""Finds the files of a folder without ever leaving it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from devrag.core.errors import InvalidInput, SourceError
from devrag.core.texts import gettext
from devrag.sources.confined_files import Beneath, FolderEntry, Refused
from devrag.sources.connectors.types import Unlisted
from devrag.sources.paths import TOO_LONG, is_too_long, is_unicode, storable

_COUNTING_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class RegularFile:
    """A regular file. path: its name; target: where its bytes are. Below the root."""

    path: str
    target: str


def walk(
    folder: Beneath, max_files: int, checkpoint: Callable[[], None]
) -> Iterator[RegularFile | Unlisted]:
    """Yield every file below a folder by path; `.git` folders are passed over.

    Symlinks to files inside the root count as files. Those to folders do not: what
    they show is listed at its own place, and following them could go round for ever.
    Raises InvalidInput past max_files, with the count.
    """
    check_count(folder, max_files, checkpoint)
    yield from walk_uncounted(folder, checkpoint)


def walk_uncounted(
    folder: Beneath, checkpoint: Callable[[], None]
) -> Iterator[RegularFile | Unlisted]:
    """Yield every file as `walk` does, however many there are."""
    open_folders = [_root_children(folder)]
    while open_folders:
        checkpoint()
        path, child = next(open_folders[-1], ("", None))
        if child is None:
            open_folders.pop()
        elif child.kind != "folder":
            yield _look(folder, path, child)
        elif is_too_long(path):
            yield Unlisted(storable(path), TOO_LONG)
        elif child.name != ".git":
            try:
                open_folders.append(_children(folder, path))
            except OSError as error:
                yield unreadable(storable(path), error)


def check_count(
    folder: Beneath, max_files: int, checkpoint: Callable[[], None]
) -> None:
    """Raise InvalidInput, with the count, for a folder of too many files.

    Before any of them is read or kept; counting goes on for a while past the limit.
    """
    deadline = time.monotonic() + _COUNTING_SECONDS
    pending, count = [""], 0
    while pending and not (count > max_files and time.monotonic() > deadline):
        checkpoint()
        path = pending.pop()
        with contextlib.suppress(OSError):
            for child in folder.children(path):
                if child.kind != "folder":
                    count += 1
                elif child.name != ".git" and not is_too_long(path):
                    pending.append(f"{path}/{child.name}" if path else child.name)
    if count > max_files:
        raise InvalidInput(
            gettext(
                "The folder %(root)s contains %(count)s files; the limit is "
                "%(max_files)s. Add subfolders one by one, or raise MAX_FILES."
            )
            % {
                "root": folder.root,
                "count": f"{count:,}{'+' if pending else ''}",
                "max_files": f"{max_files:,}",
            }
        )


_Children = Iterator[tuple[str, FolderEntry]]


def _children(folder: Beneath, directory: str) -> _Children:
    """Return what a folder holds in the order of the paths in it."""
    # As `a-b` < `a/x` < `a0`: a folder sorts as its name with the slash.
    children = sorted(
        folder.children(directory),
        key=lambda child: f"{child.name}/" if child.kind == "folder" else child.name,
    )
    prefix = f"{directory}/" if directory else ""
    return ((prefix + child.name, child) for child in children)


def _root_children(folder: Beneath) -> _Children:
    try:
        return _children(folder, "")
    except OSError as error:
        # An empty listing would say that every file was removed.
        raise unreadable_root(folder.root, error) from error


def unreadable_root(root: Path, error: OSError) -> SourceError:
    """Return the error of a folder that is gone or closed to us."""
    return SourceError(
        gettext("Cannot read the folder %(root)s: %(strerror)s.")
        % {"root": root, "strerror": error.strerror},
        permanent=False,
    )


def unreadable(path: str, error: OSError) -> Unlisted:
    """Say why something that is there cannot be read."""
    return Unlisted(path, f"unreadable: {error.strerror}")


def _look(folder: Beneath, path: str, child: FolderEntry) -> RegularFile | Unlisted:
    if not is_unicode(path):
        return Unlisted(storable(path), "name is not valid UTF-8")
    if is_too_long(path):
        return Unlisted(storable(path), TOO_LONG)
    if child.kind == "file":
        return RegularFile(path, path)
    if child.kind == "other":
        return Unlisted(path, "not a regular file")
    try:
        return _follow(folder, path)
    except Refused as refused:
        return Unlisted(path, str(refused))
    except (FileNotFoundError, NotADirectoryError):
        return Unlisted(path, "broken symlink")
    except OSError as error:
        return unreadable(path, error)


def _follow(folder: Beneath, path: str) -> RegularFile | Unlisted:
    target = folder.target(path)
    kind = folder.kind(target) if target else "folder"
    if kind == "folder":
        return Unlisted(path, "symlink to a folder")
    # A symlink behind a symlink is a loop.
    return (
        RegularFile(path, target)
        if kind == "file"
        else Unlisted(path, "broken symlink")
    )
