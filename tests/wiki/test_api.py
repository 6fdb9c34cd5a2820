"""The page of a library tells what it exports."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.structural.api import laid_out
from tests.wiki.shop import SHOP
from tests.wiki.written import write

LIB = {
    "README.md": "# Lib\n\nLib opens boxes.\n\n"
    "```python\nimport lib\nlib.get(1)\n```\n",
    "lib/__init__.py": '__all__ = ["get", "Box", "LockedError", "plain"]\n\n'
    "from lib.boxes import *\n",
    "lib/boxes.py": '"""Boxes and how to open them."""\n\n\n'
    "def get(size: int) -> int:\n"
    '    """Return a box of a size.\n\n'
    "    Args:\n        size: how many things fit in\n"
    '    """\n    return size\n\n\n'
    "class Box:\n"
    '    """A box with a lid."""\n\n'
    "    def __init__(self, lid: bool):\n"
    "        self.lid = lid\n\n"
    "    @property\n    def lid_is_open(self) -> bool:\n"
    '        """Whether the lid is open."""\n        return self.lid\n\n'
    "    def shut(self) -> None:\n"
    '        """Shut the lid."""\n\n\n'
    "class LockedError(Exception):\n"
    '    """The box has a lock that no key opens."""\n\n\n'
    "def plain():\n    return 1\n" + "# filler\n" * 40,
}


@pytest.fixture(scope="module")
def text() -> str:
    draft = write(LIB)["api.md"]
    assert draft.findings == ()
    return draft.markdown


@pytest.mark.parametrize(
    "told",
    [
        "can import 4 exported names",
        "### `get()`\n\n```python\ndef get(size: int) -> int\n```\n\nReturn a box",
        "| `size` | How many things fit in",
        "### `Box`\n\n```python\nclass Box\n    def __init__(self, lid: bool)\n```",
        "| `lid_is_open` | Whether the lid is open",
        "| `shut()` | Shut the lid",
        "## Errors\n\n| Name | What it is |\n| --- | --- |\n| `LockedError`",
        "| `plain()` [",
    ],
)
def test_the_page_tells(told: str, text: str) -> None:
    assert told in text


def test_an_application_has_no_such_page() -> None:
    assert "api.md" not in write(SHOP)


def test_a_long_signature_has_a_line_for_each_parameter() -> None:
    one, two = "one: dict[str, int]", "two: Callable[[int, str], str] = a_default_value"
    long = f"def get({one}, {two}, three: int) -> int"
    lines = f"    {one},\n    {two},\n    three: int,\n"
    assert laid_out(long) == f"def get(\n{lines}) -> int"
    assert laid_out("def get(one,\n  two)") == "def get(one, two)"


def test_methods_that_a_package_keeps_to_itself_are_left_out() -> None:
    source = (
        "// Package box opens boxes.\npackage box\n\n"
        "// Box is a box with a lid.\ntype Box struct{}\n\n"
        "// Shut shuts the lid.\nfunc (b *Box) Shut() {}\n\n"
        "// oil makes the hinges of the lid move.\nfunc (b *Box) oil() {}\n\n"
        "func Open() {}\n\nfunc Close() {}\n"
    )
    files = {
        "README.md": "# Box\n\nBox opens boxes.\n\n```go\nbox.Box{}\n```\n",
        "go.mod": "module example.org/box\n\ngo 1.22\n",
        "box.go": source + "// filler\n" * 40,
    }
    text = write(files)["api.md"].markdown
    assert "| `Shut()` |" in text.replace(" [", " |")
    assert "oil" not in text


def test_a_name_of_several_packages_stands_behind_its_package() -> None:
    kept = "// New keeps everything in {0}.\nfunc New() {{}}\n\nfunc In{0}() {{}}\n"
    files = {
        f"{name}/new.go": f"package {name}\n\n{kept.format(name)}" + "// filler\n" * 40
        for name in ("memory", "archive")
    }
    draft = write({"README.md": "# Box\n\nBox keeps things.\n", **files})["api.md"]
    assert "`memory.New()`" in draft.markdown
    assert "`archive.New()`" in draft.markdown
    assert "`Inmemory()`" in draft.markdown
    assert draft.findings == ()
