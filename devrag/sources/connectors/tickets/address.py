"""The address that a browser shows, checked and taken apart. Pure."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from devrag.sources.addresses import parse_git_url
from devrag.sources.hosts import AddressRules


def split_address(url: str, rules: AddressRules) -> SplitResult | None:
    """Return an address without its query, scheme and host in lower case.

    None for what is no address of the web. Raises InvalidInput for a scheme or host
    that sources may not have, and for a password in it.
    """
    text = re.split(r"[?#]", url.strip(), maxsplit=1)[0]
    if not text.lower().startswith(("https://", "http://")):
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    if not parts.netloc or not parts.path.strip("/"):
        return None
    parse_git_url(text, rules)
    return parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower())
