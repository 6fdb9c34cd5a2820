"""What several tests of the wiki stand on."""

from __future__ import annotations

import pytest

from tests.conftest import Repository
from tests.wiki.gitshop import GitShop


@pytest.fixture
def git_shop(db: None, repository: Repository) -> GitShop:
    return GitShop(repository)
