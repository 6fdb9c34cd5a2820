"""Parts of a list as the APIs of GitHub and GitLab give them, with links and tags."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import urlencode

from tests.sources.pages.api_app import Reply

Json = dict[str, Any]


def part_of(
    found: list[Json],
    path: str,
    asked: dict[str, str],
    headers: dict[str, str],
    *,
    most: int = 100,
    is_counted: bool = True,
) -> Reply:
    """Return the page of a list that is asked for; 304 where it is the same still.

    Links name a host that only a proxy knows. is_counted: they tell the last page.
    """
    size = min(int(asked.get("per_page", 20)), most)
    page = int(asked.get("page", 1))
    part = found[(page - 1) * size : page * size]
    body = json.dumps(part).encode()
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    if headers.get("if-none-match") == tag:
        return 304, b"", {"ETag": tag}
    links = []
    last = max(1, -(-len(found) // size))
    for name, number in (("next", page + 1), ("last", last)):
        if page < last and (name == "next" or is_counted):
            query = urlencode({**asked, "page": number})
            links.append(f'<http://proxy.invalid{path}?{query}>; rel="{name}"')
    return 200, body, {"ETag": tag, **({"Link": ", ".join(links)} if links else {})}
