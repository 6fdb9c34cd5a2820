"""The page on settings has tables with meaning, default and place."""

from __future__ import annotations

import pytest

from tests.wiki.test_settings import ARGPARSE, CLICK, ENVIRONMENT, PYTHON
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
        "### `serve`\n\n| Setting | What it is |\n",
        "### `CacheConfig`\n\n`CacheConfig` in `shop/config.py`",
        "Where pages are kept.",
        "| `3` |",
    ],
)
def test_the_page_tells(told: str, text: str) -> None:
    assert told in text


DOCUMENT = """# Settings

| Variable | Description |
| --- | --- |
| `SHOP_OLD_REGION` | The region in which orders used to be kept. |
| `SHOP_KNOWN_REGION` | The region in which orders are kept now. |

The shop is told its region by these variables, which are read when it starts.
"""
TEMPLATE = 'TEMPLATE = "region: ${SHOP_KNOWN_REGION}"\n\n\ndef start():\n    return 1\n'


@pytest.fixture(scope="module")
def documented() -> str:
    files = {"docs/settings.md": DOCUMENT, "shop/init.py": TEMPLATE}
    return write(files)["configuration.md"].markdown


def test_a_variable_that_only_documents_name_is_said_to_be_unread(
    documented: str,
) -> None:
    _, _, unread = documented.partition("## Variables that no code reads")
    assert "no code here reads them" in unread
    assert "`SHOP_OLD_REGION`" in unread


def test_a_variable_that_code_names_is_a_setting(documented: str) -> None:
    told, _, _ = documented.partition("## Variables that no code reads")
    assert "name 1 documented setting." in told
    assert "`SHOP_KNOWN_REGION`" in told
    assert "`SHOP_OLD_REGION`" not in told


def test_a_default_cites_the_constant_that_holds_it() -> None:
    cli = ARGPARSE.replace("default=8000", "default=_PORT") + "\n\n_PORT = 50021\n"
    draft = write({"shop/cli.py": cli})["configuration.md"]
    row = next(r for r in draft.markdown.split("\n") if r.startswith("| `--port` "))
    assert row.split("|")[3].strip().startswith("`50021` [")
    assert draft.findings == ()
