"""The address of a project, as a browser shows it, taken apart. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.sources.addresses import mask_login
from devrag.sources.connectors.tickets.address import split_address
from devrag.sources.hosts import AddressRules

_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}"
# Groups lie within groups, 20 at most.
_PROJECT = re.compile(rf"{_PART}(?:/{_PART}){{1,20}}")
_IN_API = re.compile(r"(?P<base>(?:/[^/]+)*?)/api/v4/projects/(?P<path>[^/]+)(?:/.*)?")
# Before the `/-/` that ends the name of a project since GitLab 13.
_OLD_PAGE = re.compile(r"/(?:issues|merge_requests)/\d+.*")
_TICKETS = re.compile(r"https?://[^/?#]+/[^?#]+/-/(?:issues|merge_requests|work_items)")


@dataclass(frozen=True, slots=True)
class ProjectAddress:
    """A project. base_url: of GitLab, without a slash at its end. path: its groups'."""

    base_url: str
    path: str

    @property
    def api_url(self) -> str:
        """Return the address of the REST API."""
        return f"{self.base_url}/api/v4"

    @property
    def url(self) -> str:
        """Return the address of the project's own page."""
        return f"{self.base_url}/{self.path}"

    @property
    def api_path(self) -> str:
        """Return where the project is in the API."""
        return f"/projects/{quote(self.path, safe='')}"


def parse_project_address(url: str, rules: AddressRules) -> ProjectAddress:
    """Return the project of an address; raises InvalidInput for what names none.

    Takes that of the project or of anything in it, and that of it in the API, which
    alone tells that GitLab lies below a path of its host.
    """
    parts = split_address(url, rules)
    if parts is None:
        raise _not_a_project(url)
    base, path = "", parts.path.partition("/-/")[0].removesuffix("/-")
    in_api = _IN_API.fullmatch(parts.path)
    if in_api:
        base, path = in_api["base"], unquote(in_api["path"])
    path = _OLD_PAGE.sub("", path.strip("/")).removesuffix(".git")
    if not _PROJECT.fullmatch(path):
        raise _not_a_project(url)
    return ProjectAddress(f"{parts.scheme}://{parts.netloc}{base}", path)


def project_url(url: str, rules: AddressRules) -> str:
    """Return the address of a project without the page that was looked at.

    Below a path of its host it stays that of the API, which tells them apart.
    """
    address = parse_project_address(url, rules)
    if parse_project_address(address.url, rules) == address:
        return address.url
    return f"{address.api_url}{address.api_path}"


def is_gitlab_tickets(url: str) -> bool:
    """Return whether an address can be nothing but tickets of GitLab."""
    return _TICKETS.match(url.strip()) is not None


def _not_a_project(url: str) -> InvalidInput:
    return InvalidInput(
        gettext(
            "%(url)s is not the URL of a GitLab project. Open the project in the "
            "browser and copy its URL: https://gitlab.com/group/project."
        )
        % {"url": repr(mask_login(url)[:200])}
    )
