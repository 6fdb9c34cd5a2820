"""Where a repository is: a checked URL, or a folder on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.sources.addresses import GitAddress, check_path, is_under, parse_git_url
from devrag.sources.connectors.types import ConnectorContext
from devrag.sources.paths import printable


@dataclass(frozen=True, slots=True)
class Location:
    """What git is given to fetch from; one of address and path is set."""

    url: str
    address: GitAddress | None = None
    path: Path | None = None

    @property
    def place(self) -> str:
        """Return the URL or path fit for a message."""
        return printable(self.url)

    @property
    def has_work_tree(self) -> bool:
        """Say whether it is a checkout, whose current branch is what its owner sees."""
        return self.path is not None and (self.path / ".git").exists()


def locate(metadata: Mapping[str, Any], context: ConnectorContext) -> Location:
    """Check the address in a source's metadata (`url` or `path`)."""
    url, path = metadata.get("url"), metadata.get("path")
    if bool(url) == bool(path):
        raise InvalidInput(
            gettext("A git source needs either a url or a path, not both.")
        )
    if url:
        address = parse_git_url(str(url), context.address_rules)
        return Location(address.url, address=address)
    folder = check_path(
        str(path), context.source_roots, is_local_user=context.is_local_user
    )
    _check_git_folder(folder, context)
    return Location(str(folder), path=folder)


def _check_git_folder(folder: Path, context: ConnectorContext) -> None:
    top = _top_of(folder)
    if top is None:
        raise InvalidInput(
            gettext(
                "%(folder)s is not a git repository. Give a repository's top folder, "
                "or add the folder as a local source."
            )
            % {"folder": folder}
        )
    if top != folder:
        raise InvalidInput(
            gettext(
                "%(folder)s is inside the git repository %(top)s. Give that folder, or "
                "add this one as a local source."
            )
            % {"folder": folder, "top": top}
        )
    if context.is_local_user:
        return
    for part in _storage(folder):
        if not is_under(part.resolve(), context.source_roots):
            raise PermissionDenied(
                gettext(
                    "%(folder)s keeps git data outside the folders that sources may "
                    "use. Add that place to SOURCE_ROOTS, or add the source on the "
                    "command line."
                )
                % {"folder": folder}
            )


def _top_of(folder: Path) -> Path | None:
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists() or _is_bare(candidate):
            return candidate
    return None


def _is_bare(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir()


def _storage(folder: Path) -> Iterator[Path]:
    """Yield the places a repository reads from: a checkout may point elsewhere."""
    git_dir = folder / ".git" if (folder / ".git").exists() else folder
    if git_dir.is_file():
        git_dir = folder / _text(git_dir).removeprefix("gitdir:").strip()
    yield git_dir
    common = git_dir / (_text(git_dir / "commondir").strip() or ".")
    yield common
    for line in _text(common / "objects/info/alternates").splitlines():
        yield common / "objects" / line


def _text(path: Path) -> str:
    return path.read_text("utf-8", "surrogateescape") if path.is_file() else ""
