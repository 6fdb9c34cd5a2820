"""The address of a project, as a browser shows it, taken apart. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.sources.addresses import mask_login, parse_git_url
from devrag.sources.hosts import AddressRules

# Lower-case letters, digits, hyphens and underscores are what Redmine allows.
_IN_PATH = re.compile(
    r"(?P<base>(?:/[^/]+)*?)/projects/(?P<key>[a-z0-9_-]{1,100})(?:/.*)?"
)
_ENDINGS = (".json", ".xml", ".atom")


@dataclass(frozen=True, slots=True)
class ProjectAddress:
    """A project. base_url: of the server, without a slash at its end. key: its name."""

    base_url: str
    key: str

    @property
    def url(self) -> str:
        """Return the address of the project's own page."""
        return f"{self.base_url}/projects/{self.key}"

    def issue(self, number: object) -> str:
        """Return the address of an issue."""
        return f"{self.base_url}/issues/{number}"

    def wiki_page(self, title: str, project: str = "") -> str:
        """Return the address of a wiki page, of this project or another one."""
        of = quote(project or self.key, safe="")
        return f"{self.base_url}/projects/{of}/wiki/{quote(title, safe='')}"


def parse_project_address(url: str, rules: AddressRules) -> ProjectAddress:
    """Return the project of an address; raises InvalidInput for what names none.

    Takes that of the project or of anything in it: its issues, its wiki, a page.
    """
    text = url.strip()
    if not text.lower().startswith(("https://", "http://")):
        raise _not_a_project(text)
    plain = re.split(r"[?#]", text, maxsplit=1)[0]
    try:
        parts = urlsplit(plain)
    except ValueError as error:
        raise _not_a_project(text) from error
    path = parts.path
    for ending in _ENDINGS:
        path = path.removesuffix(ending)
    found = _IN_PATH.fullmatch(path)
    if found is None:
        raise _not_a_project(text)
    # Scheme and host are such as sources may have, and no password is in it.
    parse_git_url(plain, rules)
    base = f"{parts.scheme.lower()}://{parts.netloc.lower()}{found['base']}"
    return ProjectAddress(base, found["key"])


def project_url(url: str, rules: AddressRules) -> str:
    """Return the address of a project without the page that was looked at."""
    return parse_project_address(url, rules).url


def _not_a_project(url: str) -> InvalidInput:
    return InvalidInput(
        gettext(
            "%(url)s is not the URL of a Redmine project. Open the project in the "
            "browser and copy its URL: https://redmine.example.com/projects/shop."
        )
        % {"url": repr(mask_login(url)[:200])}
    )
