"""What manifests, schemas and configuration say stands on the pages that ask for it."""

from __future__ import annotations

import pytest

from devrag.wiki.drafts.page import DraftedPage
from tests.wiki.shop import SHOP
from tests.wiki.test_structural import write

_MORE = {
    "LICENSE": "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n",
    "Procfile": "web: gunicorn\n",
    "deploy/shop.service": "[Service]\nExecStart=/usr/bin/shop serve\n",
    "deploy/crontab": "0 3 * * * shop clean --all\n",
    "package.json": '{"name": "shopjs", "bin": "bin/cli.js", "main": "lib/index.js"}',
    "composer.json": '{"scripts": {"lint": ["phpcs"]}}',
    "compose.yml": "services:\n  web:\n    command: run\n    ports: ['80:8000']\n"
    "    environment: [SHOP_CURRENCY]\n",
    "Dockerfile": "FROM x\nCMD gunicorn\n",
    ".env.example": "# How to run.\nSHOP_MODE=dev\n",
    "db/schema.sql": "CREATE TABLE app.maker (id int);\n"
    "CREATE TABLE app.tea (maker_id int REFERENCES app.maker, l int REFERENCES leaf);\n"
    "CREATE TABLE leaf (id int);\n",
    "api/tea.proto": "enum Kind { GREEN = 0; BLACK = 1; }\n"
    "service Brewer {\n  rpc Brew(Pot) returns (Pot);\n}\n",
    ".github/workflows/nightly.yml": "on:\n  schedule:\n    - cron: '0 2 * * *'\n"
    "jobs:\n  all:\n    steps:\n      - run: make test\n",
}


@pytest.fixture(scope="module")
def pages() -> dict[str, DraftedPage]:
    return write({**SHOP, **_MORE})


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("index.md", "It is licensed under GPL-3.0"),
        ("interfaces.md", "**`gunicorn`** is the process `web` of `Procfile`"),
        ("interfaces.md", "is what the unit of `deploy/shop.service` starts"),
        ("interfaces.md", "**`shop clean --all`** runs at `0 3 * * *`"),
        ("interfaces.md", "**`shopjs`**, an installed command, calls `bin/cli.js`"),
        ("interfaces.md", "importing the package of `package.json` loads"),
        ("interfaces.md", "`/Brewer/Brew`"),
        ("data-model.md", ". Values: `GREEN`"),
        ("data-model.md", '"tea" }o--o| "maker"'),
        ("configuration.md", "| set in `.env.example` |"),
        ("configuration.md", "| `EUR` | `shop/settings.py` |"),
        (
            "configuration.md",
            "The code and the documentation name 2 environment variables.",
        ),
        ("build-and-run.md", "**`composer run lint`**: `phpcs`"),
        ("operations-and-security.md", "runs `run`, on the ports `80:8000`"),
        ("build-and-run.md", "nightly.yml`, at `0 2 * * *` | `make test`"),
    ],
)
def test_a_fact_becomes_a_sentence(
    pages: dict[str, DraftedPage], page: str, sentence: str
) -> None:
    assert sentence in pages[page].markdown
    assert pages[page].findings == ()


def test_settings_that_no_code_reads_are_not_said_to_be_read() -> None:
    files = {"README.md": "# A\n", ".env.example": "A=1\n", "run.py": "START = 1\n"}
    page = write(files)["configuration.md"]
    assert "| set in `.env.example` |" in page.markdown
