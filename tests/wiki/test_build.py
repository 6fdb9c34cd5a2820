"""The page on building has commands, not what is said to those who contribute."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.written import write

LONG = "cover " + "--exclude examples " * 5 + "npm test"
TREE = {
    **SHOP,
    "README.md": "# Shop\n\nA shop that sells books by mail.\n\n## Contributing\n\n"
    "The shop welcomes all constructive contributions of its many readers.\n",
    "Makefile": "all: fmt\n\nfmt:\n\tgofmt -l .\n\nlint: ## Check the style\n\tlint\n",
    "package.json": f'{{"name": "shop", "scripts": {{"test-ci": "{LONG}"}}}}\n',
}


def page() -> str:
    draft = write(TREE)["build-and-run.md"]
    assert draft.findings == ()
    return draft.markdown


def test_prose_for_contributors_is_left_out() -> None:
    assert "constructive contributions" not in page()


def test_a_target_without_a_comment_shows_its_command() -> None:
    text = page()
    assert "**`make fmt`**: `gofmt -l .`" in text
    assert "**`make lint`**: Check the style" in text
    assert "There are also `make all`" in text


def test_a_script_of_some_length_is_whole() -> None:
    assert f"**`npm run test-ci`**: `{LONG}`" in page()
