"""The page on settings has tables with meaning, default and place."""

from __future__ import annotations

import pytest

from tests.wiki.test_settings import CLICK, ENVIRONMENT, PYTHON
from tests.wiki.written import write


@pytest.fixture(scope="module")
def text() -> str:
    files = {**ENVIRONMENT, "shop/cli.py": CLICK, "shop/config.py": PYTHON}
    draft = write(files)["configuration.md"]
    assert draft.findings == ()
    return draft.markdown


@pytest.mark.parametrize(
    "told",
    [
        "name 4 environment variables, 1 command-line option and 3 fields.",
        "| Variable | What it is | By default | Read in |",
        "|  |  | set in `.env.example` |",
        "### `serve`\n\n| Setting | What it is | By default |",
        "### `CacheConfig`\n\n`CacheConfig` in `shop/config.py`",
        "Where pages are kept.",
        "| `3` |",
    ],
)
def test_the_page_tells(told: str, text: str) -> None:
    assert told in text
