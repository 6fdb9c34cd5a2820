"""The address of a repository, as a browser shows it, taken apart. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.sources.addresses import mask_login
from devrag.sources.connectors.tickets.address import split_address
from devrag.sources.hosts import AddressRules

_IN_PATH = re.compile(
    r"(?P<api>/api/v3)?(?(api)/repos)/(?P<owner>[A-Za-z0-9][A-Za-z0-9_-]{0,99})"
    r"/(?P<name>[A-Za-z0-9._-]{1,100})(?P<rest>/.*)?"
)
_WEB, _API = "github.com", "api.github.com"
# Of GitHub with data residency: each company has a host, and one of its API.
_OF_COMPANIES = ".ghe.com"
# What github.com has instead of owners.
_NO_OWNERS = frozenset(
    (
        *("apps", "collections", "enterprise", "enterprises", "explore", "features"),
        *("login", "marketplace", "notifications", "orgs", "organizations", "search"),
        *("settings", "sponsors", "stars", "topics", "trending", "users"),
    )
)
_TICKETS = re.compile(r"/(?:issues|pulls|pull/\d+)(?:/.*)?")


@dataclass(frozen=True, slots=True)
class RepositoryAddress:
    """A repository. host: scheme and host of its pages. api_url: of the REST API."""

    host: str
    api_url: str
    owner: str
    name: str

    @property
    def full_name(self) -> str:
        """Return what people call it."""
        return f"{self.owner}/{self.name}"

    @property
    def url(self) -> str:
        """Return the address of the repository's own page."""
        return f"{self.host}/{self.full_name}"

    def ticket(self, number: int, *, is_pull: bool) -> str:
        """Return the address of an issue or a pull request."""
        return f"{self.url}/{'pull' if is_pull else 'issues'}/{number}"


def parse_repository_address(url: str, rules: AddressRules) -> RepositoryAddress:
    """Return the repository of an address; raises InvalidInput for what names none.

    Takes that of the repository or of anything in it, and that of it in the API.
    """
    parts = split_address(url, rules)
    if parts is None:
        raise _not_a_repository(url)
    path, host = parts.path, parts.netloc.removeprefix("www.")
    is_api = host == _API or (host.startswith("api.") and host.endswith(_OF_COMPANIES))
    if is_api:
        path, host = path.removeprefix("/repos"), host.removeprefix("api.")
    found = _IN_PATH.fullmatch(path.rstrip("/"))
    name = found["name"].removesuffix(".git") if found else ""
    if found is None or name in {"", ".", ".."} or _is_page(host, found["owner"]):
        raise _not_a_repository(url)
    web, api = f"{parts.scheme}://{host}", f"{parts.scheme}://api.{host}"
    is_hosted = host == _WEB or host.endswith(_OF_COMPANIES)
    api_url = api if is_hosted else f"{web}/api/v3"
    return RepositoryAddress(web, api_url, found["owner"], name)


def repository_url(url: str, rules: AddressRules) -> str:
    """Return the address of a repository without the page that was looked at."""
    return parse_repository_address(url, rules).url


def is_github_tickets(url: str) -> bool:
    """Return whether an address can be nothing but tickets of github.com."""
    found = re.match(r"https://(?:www\.)?github\.com(/[^?#]*)", url.strip().lower())
    in_path = _IN_PATH.fullmatch(found[1]) if found else None
    return in_path is not None and bool(_TICKETS.fullmatch(in_path["rest"] or ""))


def _is_page(host: str, owner: str) -> bool:
    return host == _WEB and owner.lower() in _NO_OWNERS


def _not_a_repository(url: str) -> InvalidInput:
    return InvalidInput(
        gettext(
            "%(url)s is not the URL of a GitHub repository. Open the repository in "
            "the browser and copy its URL: https://github.com/owner/repository."
        )
        % {"url": repr(mask_login(url)[:200])}
    )
