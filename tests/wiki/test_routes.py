"""Tables of routes tell what a route does and which function answers."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.test_newcomer import NOTES
from tests.wiki.written import write

_API = '''"""Sell books over the web."""

from fastapi import APIRouter

router = APIRouter()


@router.get("/books", summary="List all books that are for sale")
def list_books():
    return []


@router.post("/books")
def add_book(title):
    """Add a book to the shelf."""
    return title


@router.delete("/books")
def remove_book(title):
    return title
'''
_HEAD = "| Route | What it does | Answered by |\n| --- | --- | --- |\n"


def test_described_routes_name_the_function_that_answers() -> None:
    text = write({**SHOP, "shop/api.py": _API})["interfaces.md"].markdown
    rows = text.partition(_HEAD)[2].split("\n\n")[0].split("\n")
    assert [row.split("|")[1].strip() for row in rows] == [
        "`GET /books`",
        "`POST /books`",
    ]
    assert "List all books that are for sale" in rows[0]
    assert "Add a book to the shelf" in rows[1]
    answers = [row.split("|")[3].split("[")[0].strip() for row in rows]
    assert answers == ["`list_books()`", "`add_book()`"]


def test_a_route_without_words_stands_beside_its_file() -> None:
    text = write({**SHOP, "shop/api.py": _API})["interfaces.md"].markdown
    rest = text.partition("| Answered by | Routes |")[2]
    assert "shop/api.py" in rest
    assert "`DELETE /books`" in rest


def test_what_only_a_schema_declares_names_no_function() -> None:
    schema = {path: NOTES[path] for path in ("README.md", "proto/notes.proto")}
    text = write(schema)["interfaces.md"].markdown
    assert "| Route | What it does |\n" in text


def test_the_function_is_not_named_twice() -> None:
    api = _API.replace("Add a book to", "add_book puts a book on")
    text = write({**SHOP, "shop/api.py": api})["interfaces.md"].markdown
    row = next(line for line in text.split("\n") if "Puts a book on" in line)
    assert row.count("add") == 1
