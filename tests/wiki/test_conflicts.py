"""What counts as a contradiction between a document and code, and what does not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from devrag.parsing.api import parse_file
from devrag.wiki.conflicts.memory import MemoryFile, find_contradictions

APP = {
    "pyproject.toml": '[project]\nname = "shop"\nrequires-python = ">=3.11"\n'
    '[project.scripts]\nshop = "shop.cli:main"\n',
    "shop/__init__.py": "",
    "shop/settings.py": 'import os\n\nMAX_ITEMS = 50\nCACHE_NAME = "till"\n'
    "PORT = 8080\n"
    'LEVEL = os.environ.get("SHOP_LOG_LEVEL", "info")\n'
    'HOST = os.environ.get("SHOP_HOST", "::")\n',
    "shop/till.py": "class Till:\n    def open_drawer(self):\n        return 1\n",
    "shop/orders/cart.py": "def add_line():\n    return 2\n",
    "shop/orders/order.py": "def close():\n    return 3\n",
}


def found(
    text: str, path: str = "docs/guide.md", kind: str = "", **code: str
) -> list[tuple[str, str, str, str]]:
    """Return (kind, subject, value, actual) of each contradiction of a document."""
    files: Mapping[str, str] = {**APP, path: text, **code}
    parsed = {
        each: MemoryFile(body, parse_file(each, body), kind if each == path else "")
        for each, body in files.items()
    }
    boxes = find_contradictions(parsed)
    return [
        (b.statement.kind, b.statement.subject, b.statement.value, b.actual)
        for b in boxes
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`MAX_ITEMS` defaults to `20`.", ("default", "MAX_ITEMS", "20", "50")),
        (
            "| Setting | Default |\n|---|---|\n| `CACHE_NAME` | `'box'` |\n",
            ("default", "CACHE_NAME", "'box'", '"till"'),
        ),
        (
            "Set the environment variable `SHOP_LOG_LEVELS`.",
            ("environment", "SHOP_LOG_LEVELS", "", "SHOP_LOG_LEVEL"),
        ),
        (
            "The cart is in `shop/orders/carts.py`.",
            ("path", "shop/orders/carts.py", "", "shop/orders/cart.py"),
        ),
        (
            "Call `shop.till.Till.open_drawers` to pay.",
            ("symbol", "shop.till.Till.open_drawers", "", "open_drawer"),
        ),
        ("Shop requires Python 3.9 or later.", ("version", "python", "3.9", "3.11")),
        ("It listens on port 9000 by default.", ("port", "port", "9000", "8080")),
        ("```sh\nshop --print-bill\n```", ("option", "shop --print-bill", "", "")),
    ],
)
def test_a_document_that_says_something_else_is_found(
    text: str, expected: tuple[str, str, str, str]
) -> None:
    assert found(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "`MAX_ITEMS` defaults to `50`.",
        "`MAX_ITEMS` defaults to `5` per customer.",
        "Before, `MAX_ITEMS` was limited; it defaults to `20`.",
        "## Changelog\n\n`MAX_ITEMS` defaults to `20`.",
        "Set the environment variable `DATABASE_URL`.",
        "The cart is in `shop/orders/cart.py`, yours in `plugins/own.py`.",
        "Call `json.dumps_all` or `Customer.pay_all`.",
        "Each has a function such as `shop.till.Till.open_foo` or `open_bar1()`.",
        "Python 3.9 was released in 2020.",
        "```sh\npytest --print-bill\n```",
        "See https://localhost:9000 of the other service.",
    ],
)
def test_what_may_be_right_is_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("path", ["CHANGELOG.md", "docs/upgrading.md", "docs/adr/1.md"])
def test_documents_of_another_time_are_not_read(path: str) -> None:
    assert found("`MAX_ITEMS` defaults to `20`.", path) == []


def test_a_ticket_counts_for_what_is_and_not_for_wishes() -> None:
    text = "`MAX_ITEMS` defaults to `20`.\n\n`CACHE_NAME` should default to `'box'`.\n"
    assert found(text, "tickets/7.md", "ticket") == [
        ("default", "MAX_ITEMS", "20", "50")
    ]


def test_a_docstring_is_compared_with_its_signature() -> None:
    code = (
        'def pay(rate=5, tip=None):\n    """Pay.\n\n    :param rate: Defaults to 7.\n'
        '    :param tip: Defaults to 1.\n    """\n'
    )
    assert found("# Guide", **{"shop/pay.py": code}) == [
        ("default", "pay(rate)", "7", "5")
    ]


def test_routes_are_compared_with_those_that_are_declared() -> None:
    lines = "".join(
        f'@app.{method}("/v1/{path}")\ndef view_{number}():\n    return 1\n\n'
        for number, (method, path) in enumerate(
            [
                *(("get", "users"), ("post", "users"), ("get", "users/{user_id}")),
                *(("get", "carts"), ("post", "carts"), ("delete", "carts/{cart_id}")),
            ]
        )
    )
    code = f"from fastapi import FastAPI\n\napp = FastAPI()\n\n{lines}"
    text = (
        "`GET /v1/users/7` is a user, `PUT /v1/carts/7` changes a cart,\n"
        "`GET /v1/users/7/bills` lists bills, `GET /other/thing` is elsewhere.\n"
    )
    assert [each[:2] for each in found(text, **{"shop/api.py": code})] == [
        ("route", "PUT /v1/carts/7"),
        ("route", "GET /v1/users/7/bills"),
    ]


def test_a_route_that_may_be_of_a_mounted_router_is_no_conflict() -> None:
    paths = ("users", "users/{user_id}", "users/{user_id}/mail", "carts", "carts/{id}")
    lines = "".join(
        f'@app.get("/{path}")\ndef view_{number}():\n    return 1\n\n'
        for number, path in enumerate(paths)
    )
    app = f"from fastapi import FastAPI\n\napp = FastAPI()\n\n{lines}"
    router = (
        "from ninja import Router\n\nrouter = Router()\n\n"
        '@router.get("/related")\ndef related(request):\n    return 1\n'
    )
    text = "`GET /users/related` is of the router, `GET /users/7/bills` of nothing.\n"
    files = {"shop/app.py": app, "shop/router.py": router}
    assert [each[:2] for each in found(text, **files)] == [
        ("route", "GET /users/7/bills")
    ]


def test_the_lines_of_both_sides_are_exact() -> None:
    text = "# Guide\n\nFirst.\n\n`MAX_ITEMS` defaults to `20`.\n"
    parsed = {
        path: MemoryFile(body, parse_file(path, body))
        for path, body in {**APP, "docs/guide.md": text}.items()
    }
    (box,) = find_contradictions(parsed)
    assert (box.statement.start_line, box.statement.end_line) == (5, 5)
    assert box.place is not None
    assert (box.place.path, box.place.start_line) == ("shop/settings.py", 3)
