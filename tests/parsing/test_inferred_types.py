"""A member is found by the type that a name surely holds."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from tests.navigation.versions import Version

CUPS = "class Cup:\n    def fill(self): ...\n\ndef make(): ...\n"
# What stands above `it.fill()` or `self.it.fill()` in a method of Tea, and is it known?
HOLDERS = {
    "made of a type": ("it = Cup()", "it", True),
    "declared": ("it: Cup = make()", "it", True),
    "declared or nothing": ("it: Cup | None = None", "it", True),
    "made twice of the same": ("it = Cup()\n        it = Cup()", "it", True),
    "made and set to nothing": ("it = None\n        it = Cup()", "it", True),
    "an attribute made of a type": ("self.it = Cup()", "self.it", True),
    "an attribute that is a parameter": ("self.it = cup", "self.it", True),
    "a function's result": ("it = make()", "it", False),
    "made and then something else": ("it = Cup()\n        it = 3", "it", False),
    "made and looped over": ("it = Cup()\n        for it in []: ...", "it", False),
    "part of a longer value": ("it = Cup() or make()", "it", False),
    "an attribute of two types": (
        "self.it = Cup()\n        self.it = 3",
        "self.it",
        False,
    ),
}


@pytest.mark.parametrize(("above", "name", "is_known"), HOLDERS.values(), ids=HOLDERS)
def test_a_member_of_what_a_name_surely_holds(
    above: str, name: str, is_known: bool
) -> None:
    method = f"    def serve(self, cup: Cup):\n        {above}\n        {name}.fill()\n"
    user = f"from cups import Cup, make\n\nclass Tea:\n{method}"
    found = Version({"cups.py": CUPS, "tea.py": user})("tea.py", f"call {name}.fill")
    assert found == ("type cups.Cup.fill" if is_known else "")


def test_a_local_of_unknown_type_hides_the_one_of_the_module() -> None:
    user = "from cups import *\nit = Cup()\n\ndef f(x):\n    it = x\n    it.fill()\n"
    assert Version({"cups.py": CUPS, "tea.py": user})("tea.py", "call it.fill") == ""


def test_a_chain_of_choices_is_given_up() -> None:
    choices = "".join(
        f"    it{n} = it{n - 1}.a if it else it{n - 1}.b\n" for n in range(1, 16)
    )
    user = (
        f"from cups import Cup\n\ndef f():\n    it0 = Cup()\n{choices}    it15.go()\n"
    )
    outline = parse_file("tea.py", user)
    assert max(len(use.target) for use in outline.references) < 400
