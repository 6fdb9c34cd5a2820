"""The functions that do a product's main work: on its flows, and what these call."""

from __future__ import annotations

from devrag.wiki.writing.model.main_functions import main_functions
from tests.wiki.shop import analyse

STEPS = "".join(f"    total = total + {n}\n" for n in range(8))
TREE = {
    "till/__init__.py": "from till.open import open_till\n\n__all__ = ['open_till']\n",
    "till/open.py": (
        "from till.count import count_coins\n\n\n"
        'def open_till(path):\n    """Open the till and count what is in it."""\n'
        "    return count_coins(path)\n"
    ),
    "till/count.py": (
        "from till.store import store_total\n\n\n"
        'def count_coins(path):\n    """Count the coins."""\n    total = 0\n'
        f"{STEPS}    return store_total(path, total)\n"
    ),
    "till/store.py": (
        'def store_total(path, total):\n    """Write the total to a file."""\n'
        '    with open(path, "w") as file:\n        file.write(str(total))\n'
    ),
    "till/aside.py": f"def aside():\n    total = 0\n{STEPS}    return total\n",
}


def test_long_functions_on_the_main_flows_are_found() -> None:
    assert [s.name for s in main_functions(analyse(TREE))] == ["count_coins"]
