"""Tell what a location is: its kind, its form and a name for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.core.locations import exists_here, looks_like_path
from devrag.parsing.text import is_document
from devrag.sources.addresses import (
    check_path,
    parse_git_url,
    source_name_from_url,
)
from devrag.sources.api import (
    ServerAccess,
    detect_kind,
    gitlab_project_url,
    notion_name,
    notion_url,
    project_url,
    repository_url,
    space_url,
)
from devrag.sources.models import Source
from devrag.sources.services import address_rules


@dataclass(frozen=True, slots=True)
class UnderstoodLocation:
    """A location as people give it, understood: its kind, form and a name for it."""

    source_type: str
    location: str
    name: str


def understand_location(
    location: str, access: ServerAccess, kind: str = ""
) -> UnderstoodLocation:
    """Tell a git URL, a repository on disk, a plain folder and the others apart.

    kind: the type that was asked for, '' for what is found there.
    """
    text = location.strip()
    if not text:
        raise InvalidInput(
            gettext("Enter a git URL or the path of a folder on the server.")
        )
    kind = kind or detect_kind(text)
    if kind in _CLEAN_ADDRESS:
        url = _CLEAN_ADDRESS[kind](text, address_rules())
        return UnderstoodLocation(kind, url, _name_of(kind, text, url))
    if looks_like_path(text) or (access.is_local_user and exists_here(text)):
        expanded = str(Path(text).expanduser()) if access.is_local_user else text
        path = check_path(
            expanded,
            access.roots,
            is_local_user=access.is_local_user,
            may_be_file=is_document(text),
            is_administrator=access.is_granted,
        )
        return UnderstoodLocation(
            _kind_of(path), str(path), source_name_from_url(str(path))
        )
    url = parse_git_url(text, address_rules()).url
    return UnderstoodLocation(Source.Type.GIT, url, source_name_from_url(url))


# Of wikis and trackers: the address without the page that was looked at.
_CLEAN_ADDRESS = {
    str(Source.Type.CONFLUENCE): space_url,
    str(Source.Type.REDMINE): project_url,
    str(Source.Type.GITHUB): repository_url,
    str(Source.Type.GITLAB): gitlab_project_url,
    str(Source.Type.NOTION): notion_url,
}
# The repository itself is likely to be a source of the same name.
_AFTER_NAME = dict.fromkeys(("github", "gitlab"), "-issues")


def _name_of(kind: str, text: str, url: str) -> str:
    """Return a name for a wiki or tracker. text: what was typed. url: clean."""
    if kind == Source.Type.NOTION:  # only what was typed has the title
        return source_name_from_url(notion_name(text))
    return source_name_from_url(url) + _AFTER_NAME.get(kind, "")


def _kind_of(path: Path) -> str:
    if path.is_file():
        return Source.Type.PDF
    return Source.Type.GIT if is_repository(path) else Source.Type.LOCAL


def is_repository(path: Path) -> bool:
    """Return whether a folder is a git work tree's top or a bare repository."""
    return (path / ".git").exists() or (
        (path / "HEAD").is_file() and (path / "objects").is_dir()
    )
