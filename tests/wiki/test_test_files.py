"""The page on tests lists the files with what some of their cases check."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.written import write

CASE = "def test_{}():\n    assert True\n\n\n"
TREE = {
    **SHOP,
    **{
        f"tests/test_{name}.py": "".join(
            CASE.format(f"{name}_{what}")
            for what in ("goes_up_to_ten", "never_goes_down_again")
        )
        for name in ("price", "stock", "till")
    },
}


def test_each_file_has_its_cases() -> None:
    page = write(TREE)["testing.md"]
    assert page.findings == ()
    row = next(x for x in page.markdown.splitlines() if "`tests/test_price.py`" in x)
    assert "| 2 |" in row
    assert "price goes up to ten" in row
    assert "price never goes down again" in row


def test_few_files_need_no_table() -> None:
    few = {path: text for path, text in TREE.items() if "stock.py" not in path}
    few = {path: text for path, text in few.items() if "till.py" not in path}
    assert "## Test files" not in write(few)["testing.md"].markdown
