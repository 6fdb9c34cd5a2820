"""Folders of the server that a caller may add, to choose from level by level.

Nothing outside the caller's roots is shown, nor any hidden folder. Symlinks are
resolved: one that leads elsewhere is left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.sources.addresses import check_path, is_under
from devrag.sources.models import Source
from devrag.sources.paths import is_unicode, printable
from devrag.sources.server_access import widest_access

MAX_FOLDERS = 500
_MAX_ENTRIES = 20_000  # a folder of more is not read to its end


@dataclass(frozen=True, slots=True)
class ListedFolder:
    """A folder by its name here and its real path. is_added: it is a source already."""

    name: str
    path: str
    is_repository: bool = False
    is_added: bool = False


@dataclass(frozen=True, slots=True)
class FolderListing:
    """path: '' for the list of roots; parent: '' for a root, whose parent they are.

    is_top: nothing is above it, as it is the only root, and nobody chose it yet.
    """

    path: str
    parent: str
    folders: tuple[ListedFolder, ...]
    is_cut: bool = False
    is_top: bool = False


def allowed_roots(principal: Principal) -> tuple[Path, ...]:
    """Return the folders below which a caller may add sources. Queries: 1 at most."""
    return widest_access(principal, is_local_user=False).roots


def list_folders(principal: Principal, path: str = "") -> FolderListing:
    """Return the folders in a folder, by name; of the roots themselves without a path.

    The only root is opened at once, unless it is a repository itself. Queries: 1 at
    most for the roots and 1 for what is added.
    Raises PermissionDenied outside the roots, NotFound for what is not there or hidden,
    InvalidInput for what is no folder or cannot be read.
    """
    access = widest_access(principal, is_local_user=False)
    roots = tuple(root.resolve() for root in access.roots)
    is_top = not path and len(roots) == 1 and not _is_repository(roots[0])
    if is_top:
        path = str(roots[0])
    if not path:
        return FolderListing("", "", _marked(principal, tuple(map(_of_root, roots))))
    folder = check_path(
        path, roots, is_local_user=False, is_administrator=access.is_granted
    )
    if not _is_shown(folder, roots):
        raise NotFound(
            gettext("%(path)s does not exist. Check the path.")
            % {"path": printable(path)}
        )
    folders, is_cut = _read(folder, roots)
    parent = "" if folder in roots else str(folder.parent)
    found = _marked(principal, folders)
    return FolderListing(str(folder), parent, found, is_cut, is_top=is_top)


def _marked(
    principal: Principal, folders: tuple[ListedFolder, ...]
) -> tuple[ListedFolder, ...]:
    """Mark the folders that are sources which the caller may see. Queries: 1."""
    paths = [folder.path for folder in folders]
    sources = Source.objects.visible_to(principal).filter(metadata__path__in=paths)
    added = set(sources.values_list("metadata__path", flat=True))
    return tuple(replace(each, is_added=each.path in added) for each in folders)


def _read(folder: Path, roots: Sequence[Path]) -> tuple[tuple[ListedFolder, ...], bool]:
    """Return at most MAX_FOLDERS, and whether there may be more."""
    try:
        with os.scandir(folder) as entries:
            seen = list(islice(entries, _MAX_ENTRIES + 1))
    except OSError as error:
        raise InvalidInput(
            gettext("Cannot open %(path)s: %(cause)s.")
            % {"path": printable(str(folder)), "cause": error.strerror}
        ) from error
    found = sorted(_listed(seen[:_MAX_ENTRIES], roots), key=lambda each: each.name)
    is_cut = len(found) > MAX_FOLDERS or len(seen) > _MAX_ENTRIES
    return tuple(found[:MAX_FOLDERS]), is_cut


def _listed(
    entries: Sequence[os.DirEntry[str]], roots: Sequence[Path]
) -> Iterator[ListedFolder]:
    for entry in entries:
        if entry.name.startswith(".") or not is_unicode(entry.path):
            continue
        real = Path(os.path.realpath(entry.path))
        if _is_shown(real, roots) and _is_folder(entry):
            yield ListedFolder(entry.name, str(real), _is_repository(real))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a loop of symlinks
        return False


def _is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")  # False where it cannot be looked into


def _is_shown(folder: Path, roots: Sequence[Path]) -> bool:
    """Return whether a real folder lies in a root, with no hidden one in between."""
    inner = (folder.relative_to(root) for root in roots if is_under(folder, (root,)))
    return any(not any(part.startswith(".") for part in path.parts) for path in inner)


def _of_root(root: Path) -> ListedFolder:
    return ListedFolder(str(root), str(root), _is_repository(root))
