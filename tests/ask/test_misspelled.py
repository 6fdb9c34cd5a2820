"""Names that the sources write are not taken for misspelled ones."""

from __future__ import annotations

import pytest

from devrag.ask.named.misspelled import Misspelled, find_misspelled
from devrag.ask.types import AskRequest
from devrag.core.principal import SYSTEM
from tests.conftest import Repository


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {
        "shop/drawer.py": "def open_drawer():\n    return 1\n",
        "docs/drawer.md": "# Drawer\n\nSet `openDrawer` in the file.\n",
    }


def meant(name: str) -> Misspelled | None:
    return find_misspelled(AskRequest(f"How does {name} work?", SYSTEM))


def test_a_name_that_nothing_writes_is_the_one_nearly_so(indexed: Repository) -> None:
    assert meant("open_drawr") == Misspelled("open_drawr", "open_drawer")


def test_a_name_that_a_document_writes_is_none(indexed: Repository) -> None:
    assert meant("openDrawer") is None
