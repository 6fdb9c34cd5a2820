"""A space of Confluence on loopback that sources may be added from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from devrag.sources.hosts import AddressRules
from tests.sources.confluence.confluence_server import Wiki, serving


def make_wiki() -> Wiki:
    """Return a space of three pages for everybody and one for a few."""
    made = Wiki()
    made.page("Home", page_id="1")
    above = made.page("Architecture", parent="1")
    made.page("Payment flow", "<p>Pay twice</p>", parent=above, labels=["pay"])
    secret = made.page("Salaries", "<p>Gold</p>", parent="1")
    made.content[secret]["_restricted"] = True
    return made


@contextmanager
def serve_wiki(wiki: Wiki, settings: Any, folder: Path) -> Iterator[str]:
    """Serve it; yield its address. Loopback is let through while it is served."""
    settings.GIT_ALLOW_HTTP = True
    settings.GIT_CLONE_DIR = folder / "repos"
    rules = patch(
        "devrag.sources.services.AddressRules",
        lambda **rules: AddressRules(**rules, allow_loopback=True),
    )
    with rules, serving(wiki) as address:
        yield address
