"""How little goes over the wire: small, compressed, kept, and pages only once."""

from __future__ import annotations

import re

import pytest

from tests.conftest import Repository

from .instance import Instance

pytestmark = pytest.mark.xdist_group("e2e")


def test_styles_and_scripts_are_small_and_kept_for_a_year(
    instance: Instance, shop: Repository
) -> None:
    links: set[str] = set()
    for path in ("/", "/search", "/p/shop/wiki/", "/p/shop/s/shop/-/current/README.md"):
        page = instance.http(path).text
        links |= set(re.findall(r'"(/static/[^"#]+\.(?:css|js))"', page))
    assert len(links) > 10
    size = 0
    for link in links:
        sent = instance.http(link, headers={"Accept-Encoding": "gzip"}).headers
        assert sent["Content-Encoding"] == "gzip", link
        assert re.search(r"max-age=(\d{8,}), public, immutable", sent["Cache-Control"])
        size += int(sent["Content-Length"])
    assert size < 75_000  # what all these pages take together; Mermaid comes apart


@pytest.mark.slow
def test_a_page_is_sent_once(instance: Instance, shop: Repository) -> None:
    def ask_twice() -> tuple[int, str]:
        first = instance.http("/p/shop/wiki/architecture")
        again = instance.http(
            "/p/shop/wiki/architecture",
            headers={
                "If-None-Match": first.headers["ETag"],
                "Cookie": first.headers["Set-Cookie"].partition(";")[0],
            },
        )
        return again.status, again.text

    # It says how long ago it was written: a minute may end between two requests.
    assert (304, "") in {ask_twice(), ask_twice()}
