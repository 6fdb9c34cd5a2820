"""Where a repository is: a checked URL, or a folder on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.texts import gettext
from devrag.sources.addresses import GitAddress, check_path, parse_git_url
from devrag.sources.connectors.git.storage import Elsewhere, check_storage
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
        """Return whether it is a checkout.

        Its current branch is what its owner sees.
        """
        return self.path is not None and (self.path / ".git").exists()


def locate(metadata: Mapping[str, Any], context: ConnectorContext) -> Location:
    """Check the address in a source's metadata (`url` or `path`)."""
    url, path = metadata.get("url"), metadata.get("path")
    if bool(url) == bool(path):
        raise InvalidInput(
            gettext("A git source needs either a URL or a path, not both.")
        )
    if url:
        address = parse_git_url(str(url), context.address_rules)
        if address.scheme == "ssh" and not context.is_ssh_key_allowed:
            raise PermissionDenied(
                gettext(
                    "%(url)s requires the SSH key of this installation, which this "
                    "product is not allowed to use. Use the https URL with a token, "
                    "or ask an administrator to allow the key in the product's "
                    "settings."
                )
                % {"url": address.url}
            )
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
                "%(folder)s is not a git repository. Use the top-level folder of a "
                "repository, or add the folder as a local source."
            )
            % {"folder": folder}
        )
    if top != folder:
        raise InvalidInput(
            gettext(
                "%(folder)s is inside the git repository %(top)s. Use that folder, or "
                "add this one as a local source."
            )
            % {"folder": folder, "top": top}
        )
    if context.is_local_user:
        return
    try:
        check_storage(folder, context.source_roots)
    except (Elsewhere, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise PermissionDenied(
            gettext(
                "The git data of %(folder)s is outside the folders that sources are "
                "allowed to use: %(reason)s. Use a plain clone, or ask an "
                "administrator to allow the folder of this data in the product's "
                "settings."
            )
            % {"folder": folder, "reason": reason}
        ) from error


def _top_of(folder: Path) -> Path | None:
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists() or _is_bare(candidate):
            return candidate
    return None


def _is_bare(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir()
