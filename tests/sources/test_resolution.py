"""Names find their symbols across files, or stay open."""

from __future__ import annotations

from collections.abc import Mapping

from devrag.parsing.api import parse_file
from devrag.sources.resolution import Candidate, Resolution, Resolver, Usage
from devrag.sources.symbol_table import SymbolTable


class Version:
    """Files parsed and joined, and the answers to their uses."""

    def __init__(self, files: Mapping[str, str]) -> None:
        symbols, imports = [], []
        supertypes: dict[int, list[Usage]] = {}
        self._uses: dict[tuple[str, str], Usage] = {}
        for number, (path, text) in enumerate(files.items()):
            facts = parse_file(path, text)
            names = (facts.module, facts.language)
            for s in facts.symbols:
                key = number * 1000 + s.ordinal
                symbols.append(Candidate(key, number, *names, s.kind, s.qualified_name))
            for r in facts.references:
                use = Usage(number, *names, r.name, r.target, r.via)
                self._uses.setdefault((path, f"{r.kind} {r.name}"), use)
                if r.kind == "import":
                    imports.append(use)
                elif r.kind == "inherit":
                    key = number * 1000 + (r.symbol or 0)
                    supertypes.setdefault(key, []).append(use)
        self._resolver = Resolver(SymbolTable(symbols, imports, supertypes))

    def resolve(self, path: str, use: str) -> Resolution:
        return self._resolver.resolve(self._uses[path, use])

    def __call__(self, path: str, use: str) -> str:
        found = self.resolve(path, use)
        return f"{found.by} {found.symbol.full_name}" if found.symbol else ""


def test_a_definition_of_the_same_file() -> None:
    version = Version({"a.py": "def cup(): ...\n\ndef tea():\n    cup()\n"})
    assert version("a.py", "call cup") == "file a.cup"


def test_an_imported_name_under_another() -> None:
    version = Version(
        {
            "shop/cups.py": "def fill(): ...\n",
            "shop/tea.py": "from .cups import fill as pour\n\npour()\n",
        }
    )
    assert version("shop/tea.py", "call pour") == "import shop.cups.fill"


def test_a_name_that_its_package_passes_on() -> None:
    version = Version(
        {
            "shop/__init__.py": "from shop.cups import Cup\n",
            "shop/cups.py": "class Cup:\n    def fill(self): ...\n",
            "tea.py": "from shop import Cup\n\nCup.fill()\n",
        }
    )
    assert version("tea.py", "call Cup.fill") == "import shop.cups.Cup.fill"


def test_packages_that_lie_in_a_folder() -> None:
    version = Version(
        {
            "backend/shop/cups.py": "class Cup: ...\n",
            "backend/tea.py": "from shop.cups import Cup\n\nCup()\n",
        }
    )
    assert version("backend/tea.py", "call Cup") == "import backend.shop.cups.Cup"


def test_an_inherited_method_of_another_file() -> None:
    version = Version(
        {
            "base.py": "class Base:\n    def wash(self): ...\n",
            "cup.py": (
                "from base import Base\n\n"
                "class Cup(Base):\n    def fill(self):\n        self.wash()\n"
            ),
        }
    )
    assert version("cup.py", "call self.wash") == "member base.Base.wash"


def test_the_method_of_a_declared_parameter() -> None:
    version = Version(
        {
            "cup.py": "class Cup:\n    def fill(self): ...\n",
            "tea.py": "from cup import Cup\n\ndef serve(it: Cup):\n    it.fill()\n",
        }
    )
    assert version("tea.py", "call it.fill") == "type cup.Cup.fill"


def test_a_parameter_hides_what_is_defined() -> None:
    version = Version({"a.py": "def cup(): ...\n\ndef tea(cup):\n    cup()\n"})
    assert version("a.py", "call cup") == ""


def test_a_builtin_is_not_taken_for_the_only_one_of_its_name() -> None:
    version = Version({"a.py": "def open(): ...\n", "b.py": "open()\n"})
    assert version("b.py", "call open") == ""


def test_what_could_be_two_is_none_and_counted() -> None:
    version = Version(
        {
            "a/shop/cups.py": "def fill(): ...\n",
            "b/shop/cups.py": "def fill(): ...\n",
            "tea.py": "from shop.cups import fill\n\nfill()\n",
        }
    )
    found = version.resolve("tea.py", "call fill")
    assert (found.symbol, found.candidates) == (None, 2)


def test_types_that_inherit_from_each_other_end() -> None:
    text = "class A(B): ...\n\nclass B(A):\n    def tea(self):\n        self.cup()\n"
    assert Version({"a.py": text})("a.py", "call self.cup") == ""
