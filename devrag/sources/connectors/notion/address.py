"""The address of a page or database, as a browser shows it, taken apart. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.sources.addresses import mask_login, parse_git_url
from devrag.sources.hosts import AddressRules

_API = "https://api.notion.com"
_WEB = "https://www.notion.so"
_DOMAINS = ("notion.so", "notion.com", "notion.site")
# The token goes to no other host; tests have a server of their own on this machine.
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})
_HYPHENS = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE
)
_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}$", re.IGNORECASE)
_IN_QUERY = ("p", "page_id", "database_id")


@dataclass(frozen=True, slots=True)
class NotionAddress:
    """What is read. base_url, web_url: of the API and of pages, without a slash behind.

    root_id: of the page or database, '' for everything that is shared. name: what
    people call it, as far as the address tells.
    """

    base_url: str
    web_url: str
    root_id: str
    name: str

    @property
    def url(self) -> str:
        """Return the address without the title and view that were looked at."""
        return self.page(self.root_id) if self.root_id else self.web_url

    @property
    def is_limited(self) -> bool:
        """Return whether the server has the limits that Notion documents."""
        return self.base_url == _API

    def page(self, page_id: str) -> str:
        """Return an address of a page, database or block that stays."""
        return f"{self.web_url}/{page_id.replace('-', '')}"


def parse_notion_address(url: str, rules: AddressRules) -> NotionAddress:
    """Return what an address names; raises InvalidInput for one that is not Notion's.

    Takes that of a page, a database or a view of it, and that of Notion itself.
    """
    text = url.strip()
    if not text.lower().startswith(("https://", "http://")):
        raise _not_notion(text)
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise _not_notion(text) from error
    base, web = _hosts(parts, rules) or (None, None)
    if base is None or web is None:
        raise _not_notion(text)
    # Scheme and host are such as sources may have, and no password is in it.
    parse_git_url(f"{parts.scheme}://{parts.netloc}/x", rules)
    root_id, name = _root(parts)
    is_whole = parts.path.strip("/").lower() in {"", "v1"}
    if not root_id and not is_whole:
        raise _not_notion(text)
    return NotionAddress(base, web, root_id, name)


def notion_url(url: str, rules: AddressRules) -> str:
    """Return an address without the title and view that were looked at."""
    return parse_notion_address(url, rules).url


def notion_name(url: str) -> str:
    """Return what a source is called by its address: the title in it."""
    try:
        _, name = _root(urlsplit(url.strip()))
    except ValueError:
        name = ""
    return name or "notion"


def is_notion_address(url: str) -> bool:
    """Return whether an address can be nothing but one of Notion's."""
    try:
        parts = urlsplit(url.strip())
        return parts.scheme.lower() == "https" and _is_notion(parts.hostname or "")
    except ValueError:
        return False


def find_id(text: str) -> str:
    """Return the id at the end of an address, with hyphens; '' where there is none."""
    try:
        return _root(urlsplit(text))[0]
    except ValueError:
        return ""


def with_hyphens(text: str) -> str:
    """Return an id as the API writes it."""
    plain = text.replace("-", "").lower()
    parts = (plain[:8], plain[8:12], plain[12:16], plain[16:20], plain[20:])
    return "-".join(parts) if len(plain) == 32 else text


def _hosts(parts: SplitResult, rules: AddressRules) -> tuple[str, str] | None:
    """Return where API and pages are; None for a host that is not Notion's."""
    host = (parts.hostname or "").lower()
    if _is_notion(host):
        return (_API, _WEB) if parts.scheme.lower() == "https" else None
    if rules.allow_loopback and host in _LOOPBACK:
        own = f"{parts.scheme.lower()}://{parts.netloc.lower()}"
        return own, own
    return None


def _is_notion(host: str) -> bool:
    host = host.lower()
    return any(host == each or host.endswith(f".{each}") for each in _DOMAINS)


def _root(parts: SplitResult) -> tuple[str, str]:
    """Return the id that an address names and the title before it.

    The path tells the page or database; a query, what is open beside it.
    """
    asked = parse_qs(parts.query)
    tails = [parts.path.rstrip("/").rpartition("/")[2]]
    tails += [asked[key][0] for key in _IN_QUERY if key in asked]
    for tail in tails:
        text = _HYPHENS.sub(lambda found: found[0].replace("-", ""), unquote(tail))
        found = _ID.search(text)
        if found:
            name = text[: found.start()].strip("-")
            return with_hyphens(found[0]), name
    return "", ""


def _not_notion(url: str) -> InvalidInput:
    return InvalidInput(
        gettext(
            "%(url)s is not the URL of a Notion page or database. Open it in the "
            "browser and copy its URL: https://www.notion.so/Title-0123456789abcdef…, "
            "or use https://www.notion.so for everything that is shared with the "
            "integration."
        )
        % {"url": repr(mask_login(url)[:200])}
    )
