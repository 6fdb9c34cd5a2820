"""One real installation for the whole folder, with a shop in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.conftest import SHOP, Repository
from tests.web.browser import open_browser, without_browser

from .instance import Instance


@pytest.fixture(scope="session")
def instance() -> Iterator[Instance]:
    """A running server; it is stopped whatever happens."""
    made = Instance()
    try:
        made.start()
        token = made.ask("token", "create", "e2e", "--scopes", "read,index,wiki")
        made.token = token["token"]
        yield made
    finally:
        made.end()


@pytest.fixture(scope="session")
def shop_repository(instance: Instance) -> Repository:
    made = Repository(instance.sources / "shop")
    made.commit(dict(SHOP), "Open the shop")
    return made


@pytest.fixture(scope="session")
def shop(instance: Instance, shop_repository: Repository) -> Repository:
    """The shop, indexed as source and product of that name, with its wiki."""
    instance.ask("index", str(shop_repository.path), "--product", "shop")
    instance.ask("wiki", "generate", "--product", "shop")
    return shop_repository


# One at a time: the browser tests of the pages start theirs in the same process.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as started:
        yield started


collect_ignore = without_browser("test_a_first_walk.py")
