"""A topic's page explains by the documents, or by what the code says of itself."""

from __future__ import annotations

import re

import pytest

from devrag.wiki.drafts.page import DraftedPage
from tests.wiki.shop import SHOP
from tests.wiki.written import write

POOL = (
    '''"""The pool of connections."""

import os

LIMIT = os.environ.get("POOL_LIMIT", "10")


class Pool:
    """A pool keeps connections open between the requests of a client.

    Args:
        size: How many connections it holds at most.
    """

    #: How long an idle connection is kept.
    expiry: float = 5.0

    def take(self, host):
        """Return a connection that is free, or open a new one."""
        # A connection that was closed by the server is found out only here,
        # when the next request is about to be sent.
        if not host:
            raise ValueError("The host of the request is empty.")
        # The oldest connection is closed first, so that those that are used
        # most often stay open for the longest time.
        return open_connection(host)


class LocalPool(Pool):
    """Keeps connections to servers on the same machine."""


class SharedPool(Pool):
    """Keeps connections that several processes use."""


def open_connection(host):
    """Open a connection to a host.

    Raises:
        OSError: If nobody answers.
    """
    return host
'''
    + "# filler\n" * 40
)
TESTS = """from shop.pool import Pool


def test_a_free_connection_is_taken_first():
    assert Pool().take("a")
"""
GUIDE = """# Pool

The `Pool` decides which connection a request is sent over. It is made once, when
the first client of the shop starts, and it closes all of its connections at the end.

## Limits of the pool

The limits of the pool can be set:

- by the environment variable `POOL_LIMIT`
- by the argument `size` of `Pool`

```python
pool = Pool(size=3)
```

This is read once, when the pool is made.

## Licence

Released and licensed under the terms of the MIT License.
"""
CODE = {**SHOP, "shop/pool.py": POOL, "tests/test_pool.py": TESTS}


def page_of(pages: dict[str, DraftedPage]) -> DraftedPage:
    return next(p for p in pages.values() if "shop/shop/pool.py" in p.files)


@pytest.fixture(scope="module")
def undocumented() -> DraftedPage:
    return page_of(write(CODE))


@pytest.fixture(scope="module")
def documented() -> DraftedPage:
    return page_of(write({**CODE, "docs/pool.md": GUIDE}))


@pytest.mark.parametrize(
    "told",
    [
        "A pool keeps connections open between the requests of a client",
        "- `size`: How many connections it holds at most",
        "- `expiry` (by default `5.0`): How long an idle connection is kept",
        "- `take()`: Return a connection that is free, or open a new one",
        "| `ValueError` | `The host of the request is empty.` [",
        "It raises `OSError` (if nobody answers)",
        "Classes that inherit from `Pool`:\n\n- `LocalPool`",
        "Comments in `Pool.take()`:\n\n- A connection that was closed by the server",
        "a free connection is taken first",
    ],
)
def test_code_without_documents_explains_itself(
    undocumented: DraftedPage, told: str
) -> None:
    assert told in undocumented.markdown


@pytest.mark.parametrize(
    "told",
    [
        "decides which connection a request is sent over",
        "The limits of the pool can be set [",
        "- by the environment variable `POOL_LIMIT` [",
        "```python\npool = Pool(size=3)\n```",
        "This is read once, when the pool is made",
        "| `Pool` | `shop/pool.py` | A pool keeps connections",
    ],
)
def test_documents_are_told_whole_beside_the_code(
    documented: DraftedPage, told: str
) -> None:
    assert told in documented.markdown
    assert documented.findings == ()


def test_formal_sections_and_comments_stay_out_of_documented_pages(
    documented: DraftedPage,
) -> None:
    assert "MIT License" not in documented.markdown
    assert "Comments in" not in documented.markdown


def test_the_sections_stand_in_their_order(documented: DraftedPage) -> None:
    titles = [
        "## How it works",
        "## Public surface",
        "## Settings",
        "## Files",
        "## Tests",
    ]
    places = [documented.markdown.index(f"\n{title}\n") for title in titles]
    assert places == sorted(places)


def test_a_setting_has_its_default_and_place(documented: DraftedPage) -> None:
    row = next(r for r in documented.markdown.split("\n") if "| `POOL_LIMIT`" in r)
    assert row.endswith(" | `10` | `shop/pool.py` |")


def test_what_a_page_tells_the_list_of_documents_does_not() -> None:
    pages = write({**CODE, "docs/pool.md": GUIDE})
    text = pages["documentation.md"].markdown
    assert "decides which connection" not in text
    assert re.search(r"\*\*`docs/pool.md`\*\*, “Pool” \S+\. See \[", text)


def test_blank_lines_change_no_word(undocumented: DraftedPage) -> None:
    moved = page_of(write({**CODE, "shop/pool.py": f"\n\n{POOL}"}))
    assert moved.markdown == undocumented.markdown
    assert moved.fingerprint == undocumented.fingerprint


def test_types_without_words_are_told_by_their_methods() -> None:
    silent = "class Pool:\n    def take(self, host):\n        return host\n\n"
    silent += "    def put_back(self, host, wait=1):\n        return host\n"
    text = page_of(write({**SHOP, "shop/pool.py": silent + "# filler\n" * 90})).markdown
    assert "`put_back(host, wait=1)`" in text


def test_a_list_of_names_is_no_list_of_sentences() -> None:
    names = "- Lease, and\n- Return\n"
    items = "- by the environment variable `POOL_LIMIT`\n"
    guide = GUIDE.replace(items, items + names)
    told = page_of(write({**CODE, "docs/pool.md": guide})).markdown
    assert re.search(r"^- Lease \[\d+\]\(cite:\d+\)$", told, re.MULTILINE)
    assert re.search(r"^- Return \[\d+\]\(cite:\d+\)$", told, re.MULTILINE)


def test_an_error_stands_with_the_method_that_raises_it(
    undocumented: DraftedPage,
) -> None:
    row = r"\| `ValueError` \| `The host of the request is empty\.` \[\d.* \| `Pool\."
    assert re.search(row, undocumented.markdown)
