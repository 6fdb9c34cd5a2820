"""Callers and callees of a definition, asked from the database."""

from __future__ import annotations

from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from devrag.core.errors import NotFound
from devrag.navigation import symbol_lookup, symbols
from devrag.navigation.symbols import (
    called_by,
    callees,
    get_symbol,
    meant_by,
    members_of,
    symbols_by_key,
)
from devrag.products.models import Product
from devrag.sources.models import GitRef, RefFile, Source
from tests.stored import store_files, symbol_named

pytestmark = pytest.mark.django_db

FILES = {
    "shop/__init__.py": "from shop.cups import Cup\n",
    "shop/cups.py": (
        "class Vessel:\n"
        "    def wash(self): ...\n\n"
        "class Cup(Vessel):\n"
        "    def fill(self):\n"
        "        self.wash()\n"
    ),
    "shop/tea.py": (
        "from shop import Cup\n\n"
        "def serve(it: Cup, other):\n"
        "    it.fill()\n"
        "    other.fill()\n"
        "    print(Cup())\n"
    ),
    "garden.py": "class Pond:\n    def fill(self):\n        self.fill()\n",
}


@pytest.fixture
def ref() -> GitRef:
    product = Product.objects.create(name="tea")
    source = Source.objects.create(product=product, name="tea", source_type="git")
    made = GitRef.objects.create(
        source=source, name="main", kind="branch", sequence=1, is_current=True
    )
    store_files(made, FILES)
    return made


def callers_of(ref: GitRef, name: str) -> list[str]:
    found = called_by(ref, symbol_named(ref, name))
    return [f"{use.path}:{use.line} {use.kind}" for use in found.uses]


def test_callers_are_the_uses_that_surely_mean_a_symbol(ref: GitRef) -> None:
    assert callers_of(ref, "Cup.fill") == ["shop/tea.py:4 call"]


def test_uses_that_stay_open_or_mean_another_are_counted(ref: GitRef) -> None:
    found = called_by(ref, symbol_named(ref, "Cup.fill"))
    assert (found.unresolved, found.unread) == (1, 0)
    assert called_by(ref, symbol_named(ref, "Pond.fill")).elsewhere == 1


def test_callers_come_through_what_a_package_passes_on(ref: GitRef) -> None:
    assert callers_of(ref, "Cup") == [
        "shop/__init__.py:1 import",
        "shop/tea.py:1 import",
        "shop/tea.py:3 type",
        "shop/tea.py:6 call",
    ]


def test_an_inherited_method_has_callers_below(ref: GitRef) -> None:
    assert callers_of(ref, "Vessel.wash") == ["shop/cups.py:6 call"]


def test_callees_say_what_is_meant_and_how_it_is_known(ref: GitRef) -> None:
    found = callees(ref, symbol_named(ref, "serve"))
    assert [
        (each.use.line, each.use.usage.name, each.meaning.by) for each in found
    ] == [
        (3, "Cup", "import"),
        (4, "it.fill", "type"),
        (5, "other.fill", ""),
        (6, "print", ""),
        (6, "Cup", "import"),
    ]


def test_a_class_has_the_callees_of_its_methods(ref: GitRef) -> None:
    found = callees(ref, symbol_named(ref, "Cup"))
    assert [each.use.usage.name for each in found] == ["Vessel", "self.wash"]


def test_a_java_call_without_an_object_means_the_type_around(ref: GitRef) -> None:
    store_files(
        ref,
        {
            "a/Base.java": "package a;\nclass Base { void wash() {} }\n",
            "a/Cup.java": (
                "package a;\nclass Cup extends Base { void fill() { wash(); } }\n"
            ),
        },
    )
    assert callers_of(ref, "Base.wash") == ["a/Cup.java:2 call"]


def test_types_that_inherit_from_their_own_members_end(ref: GitRef) -> None:
    text = "import odd\n\nclass C(odd.D.X): ...\n\nclass D(odd.C.X): ...\n"
    store_files(ref, {"odd.py": text, "x.py": "class X: ...\n"})
    assert callers_of(ref, "X") == []


def test_other_versions_do_not_count(ref: GitRef) -> None:
    RefFile.objects.filter(file__path="shop/tea.py").update(until=2)
    assert callers_of(ref, "Cup.fill") == []
    assert called_by(ref, symbol_named(ref, "Cup.fill")).unresolved == 0


def test_a_name_with_too_many_definitions_stays_open(
    ref: GitRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbol_lookup, "MOST_DEFINITIONS", 1)
    found = called_by(ref, symbol_named(ref, "Cup.fill"))
    assert (found.uses, found.unresolved) == ((), 3)


def test_what_takes_too_long_to_decide_stays_open(
    ref: GitRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbol_lookup, "_MOST_STEPS", 0)
    assert called_by(ref, symbol_named(ref, "Cup.fill")).unresolved > 1


def test_uses_beyond_the_most_are_counted(
    ref: GitRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbols, "MOST_USES", 3)
    found = called_by(ref, symbol_named(ref, "Cup"))
    assert (len(found.uses), found.unread) == (3, 1)


def test_queries_do_not_grow_with_uses(
    ref: GitRef, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    text = "from shop import Cup\n\ndef serve(it: Cup):\n    it.fill()\n"
    store_files(ref, {f"many/{n}.py": text for n in range(40)})
    cup = symbol_named(ref, "Cup.fill")
    with django_assert_num_queries(7):
        assert len(called_by(ref, cup).uses) == 41


def test_a_symbol_is_found_by_its_stable_id(ref: GitRef) -> None:
    cup = symbol_named(ref, "Cup")
    assert get_symbol(ref, cup.uuid) == cup
    assert [each.name for each in members_of(cup)] == ["fill"]


def test_an_unknown_id_says_what_may_have_happened(ref: GitRef) -> None:
    with pytest.raises(NotFound, match="renamed, moved or removed"):
        get_symbol(ref, uuid4())


def test_what_a_file_imports_whole_is_known(ref: GitRef) -> None:
    stars = {
        "far/pots.py": "def pour():\n    pass\n",
        "far/all.py": "from far.pots import *\n",
        "far/use.py": "from far.all import *\n\npour()\n",
        "A.cs": "namespace Shop.Pots;\n\npublic class Pot { }\n",
        "B.cs": "using Shop.Pots;\n\nnamespace Till;\n\n"
        "public class Sale { Pot pot = new Pot(); }\n",
    }
    store_files(ref, stars)
    assert "far/use.py:3 call" in callers_of(ref, "pour")
    assert "B.cs:5 call" in callers_of(ref, "Pot")


INTERFACE = {
    "net/base.py": "class Base:\n    def send(self): ...\n",
    "net/fast.py": "from net.base import Base\n\nclass Fast(Base):\n"
    "    def send(self): ...\n",
    "net/client.py": "from net.base import Base\n\nclass Client:\n    wire: Base\n",
    "net/use.py": "from net.client import Client\n\ndef use(it: Client):\n"
    "    it.wire.send()\n",
}


def test_an_implementation_is_possibly_called(ref: GitRef) -> None:
    store_files(ref, INTERFACE)
    found = called_by(ref, symbol_named(ref, "Fast.send"))
    assert found.uses == ()
    assert [(use.path, use.line) for use in found.possible] == [("net/use.py", 4)]
    assert called_by(ref, symbol_named(ref, "Base.send")).possible == ()


def test_what_a_function_possibly_calls_comes_after_what_it_calls(ref: GitRef) -> None:
    store_files(ref, INTERFACE)
    meant = meant_by(callees(ref, symbol_named(ref, "use")))
    names = {
        key: symbol.qualified_name for key, symbol in symbols_by_key(meant).items()
    }
    found = [(names[key], used.is_possible) for key, used in meant.items()]
    assert found[-2:] == [("Base.send", False), ("Fast.send", True)]


def test_a_table_of_functions_is_read_from_the_rows(ref: GitRef) -> None:
    table = (
        "struct cmd { int (*run)(int); };\nstatic int add(int x) { return x; }\n"
        "static struct cmd list[] = { { add } };\n"
        "void call(struct cmd *c) { c->run(1); }\n"
    )
    store_files(ref, {"cmd.c": table})
    uses = callees(ref, symbol_named(ref, "call"))
    (call,) = [each for each in uses if each.use.kind == "call"]
    assert [each.qualified_name for each in call.meaning.possible] == ["add"]


def test_types_of_go_satisfy_an_interface_in_the_rows(ref: GitRef) -> None:
    text = (
        "package tea\n\ntype Filler interface {\n\tFill()\n}\n\ntype Cup struct{}\n\n"
        "func (c *Cup) Fill() {}\n\nfunc use(f Filler) {\n\tf.Fill()\n}\n"
    )
    store_files(ref, {"tea.go": text})
    found = called_by(ref, symbol_named(ref, "Cup.Fill"))
    assert [use.line for use in found.possible] == [12]


def test_imports_of_a_file_that_is_one_function_are_its_uses(ref: GitRef) -> None:
    store_files(
        ref,
        {
            "lib/app.js": "exports = module.exports = create;\nfunction create() {}\n",
            "index.js": "module.exports = require('./lib/app');\n",
            "test/app.js": "var app = require('..');\napp();\n",
            "lib/two.js": "module.exports = { create: require('./app') };\n",
            "lib/other.js": "module.exports = other;\nfunction other() {}\n",
        },
    )
    assert callers_of(ref, "create") == [
        "index.js:1 import",
        "lib/app.js:1 value",
        "lib/two.js:1 import",
        "test/app.js:1 import",
    ]
    assert callers_of(ref, "other") == ["lib/other.js:1 value"]
