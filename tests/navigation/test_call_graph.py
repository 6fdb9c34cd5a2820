"""Which definitions call which, a level at a time."""

from __future__ import annotations

import pytest
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from devrag.navigation import call_graph
from devrag.navigation.call_edges import CallEdge
from devrag.navigation.call_graph import CallGraph
from devrag.navigation.symbols import symbols_of
from devrag.products.models import Product
from devrag.sources.models import GitRef, Source
from tests.stored import store_files, symbol_named

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref() -> GitRef:
    product = Product.objects.create(name="tea")
    source = Source.objects.create(product=product, name="tea", source_type="git")
    return GitRef.objects.create(
        source=source, name="main", kind="branch", sequence=1, is_current=True
    )


def _told(graph: CallGraph, edges: list[CallEdge]) -> list[str]:
    return [
        f"{graph[e.caller].qualified_name} {e.line} {e.uncertainty or e.kind} "
        f"{graph[e.callee].qualified_name}"
        for e in edges
    ]


def calls_from(ref: GitRef, name: str) -> list[str]:
    graph = CallGraph(ref)
    return _told(graph, graph.calls_from([symbol_named(ref, name).pk]))


def calls_to(ref: GitRef, name: str) -> list[str]:
    graph = CallGraph(ref)
    return _told(graph, graph.calls_to([symbol_named(ref, name).pk]))


PYTHON = {
    "tea/cups.py": (
        "class Cup:\n"
        "    def __init__(self):\n"
        "        warm()\n\n"
        "class Mug(Cup):\n"
        "    pass\n\n"
        "def warm():\n"
        "    def heat():\n"
        "        boil()\n"
        "    heat()\n"
        "    warm()\n\n"
        "def boil(): ...\n"
    ),
    "tea/serve.py": (
        "from tea.cups import Cup, Mug, boil\n\n"
        "def serve():\n"
        "    return Cup()\n\n"
        "def offer():\n"
        "    return Mug()\n\n"
        "boil()\n"
    ),
}


def test_a_function_calls_what_its_inner_functions_call_and_not_itself(
    ref: GitRef,
) -> None:
    store_files(ref, PYTHON)
    assert calls_from(ref, "warm") == ["warm 10 call boil", "warm 11 call warm.heat"]


def test_a_class_leads_to_its_constructor_also_to_one_that_it_inherits(
    ref: GitRef,
) -> None:
    store_files(ref, PYTHON)
    assert calls_from(ref, "serve") == ["serve 4 call Cup"]
    assert calls_from(ref, "Cup") == ["Cup 1 construct Cup.__init__"]
    assert calls_from(ref, "Mug") == ["Mug 5 construct Cup.__init__"]


def test_callers_are_the_functions_around_a_call_or_the_file(ref: GitRef) -> None:
    store_files(ref, PYTHON)
    assert calls_to(ref, "boil") == [
        "warm.heat 10 call boil",
        "warm 10 call boil",
        "tea.serve 9 call boil",
    ]
    assert calls_to(ref, "Cup.__init__") == ["Cup 1 construct Cup.__init__"]


GO = {
    "store.go": (
        "package store\n\n"
        "type Store interface {\n\tSave(x int) error\n}\n\n"
        "type Disk struct{}\n\n"
        "func (d *Disk) Save(x int) error { return nil }\n\n"
        "type Memory struct{}\n\n"
        "func (m *Memory) Save(x int) error { return nil }\n\n"
        "func Put(s Store) error { return s.Save(1) }\n"
    )
}


def test_a_call_through_an_interface_may_lead_to_each_implementation(
    ref: GitRef,
) -> None:
    store_files(ref, GO)
    graph = CallGraph(ref)
    edges = graph.calls_from([symbol_named(ref, "Put").pk])
    assert _told(graph, edges) == [
        "Put 15 call Store.Save",
        "Put 15 implementation Disk.Save",
        "Put 15 implementation Memory.Save",
    ]
    declared = symbol_named(ref, "Store.Save").pk
    assert [(e.named, e.choices) for e in edges] == [
        (None, 1),
        (declared, 3),
        (declared, 3),
    ]
    assert calls_to(ref, "Memory.Save") == ["Put 15 implementation Memory.Save"]


def test_what_may_run_instead_of_a_method(ref: GitRef) -> None:
    store_files(ref, GO)
    graph = CallGraph(ref)
    edges = graph.overrides_of(symbol_named(ref, "Store.Save").pk)
    assert [graph[e.callee].qualified_name for e in edges] == [
        "Disk.Save",
        "Memory.Save",
    ]
    assert graph.overrides_of(symbol_named(ref, "Put").pk) == []


def test_overloads_are_possible(ref: GitRef) -> None:
    text = (
        "class Cup {\n  void fill(int a) {}\n  void fill(String a) {}\n"
        "  void serve() { fill(1); }\n}\n"
    )
    store_files(ref, {"Cup.java": text})
    assert calls_from(ref, "Cup.serve") == [
        "Cup.serve 4 overload Cup.fill",
        "Cup.serve 4 overload Cup.fill",
    ]


def test_functions_in_a_table_are_possible(ref: GitRef) -> None:
    text = (
        "struct ops { int (*run)(int); };\n"
        "static int slow(int a) { return a; }\n"
        "static int fast(int a) { return a; }\n"
        "static const struct ops SLOW = { .run = slow };\n"
        "static const struct ops FAST = { .run = fast };\n"
        "int go(const struct ops *o) { return o->run(1); }\n"
    )
    store_files(ref, {"ops.c": text})
    assert calls_from(ref, "go") == ["go 6 table slow", "go 6 table fast"]


def test_many_definitions_take_as_many_queries_as_one(
    ref: GitRef, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    names = [f"f{n}" for n in range(40)]
    text = "".join(
        f"def {a}():\n    {b}()\n\n"
        for a, b in zip(names, [*names[1:], names[0]], strict=True)
    )
    store_files(ref, {"chain.py": text})
    keys = [symbol_named(ref, name).pk for name in names]
    with django_assert_max_num_queries(8) as context:
        assert isinstance(context, CaptureQueriesContext)
        assert len(CallGraph(ref).calls_from(keys)) == 40
    with django_assert_max_num_queries(10):
        assert len(CallGraph(ref).calls_to(keys)) == 40


def test_uses_beyond_the_limit_are_not_looked_at(
    ref: GitRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_files(
        ref, {"a.py": "def f():\n    g()\n    h()\n\ndef g(): ...\ndef h(): ...\n"}
    )
    graph = CallGraph(ref)
    monkeypatch.setattr(call_graph, "_MOST_USES", 1)
    assert _told(graph, graph.calls_from([symbol_named(ref, "f").pk])) == ["f 2 call g"]
    assert graph.is_cut


def test_stubs_for_types_stand_for_the_function_itself(ref: GitRef) -> None:
    text = (
        "from typing import overload\n\n"
        "@overload\n"
        "def load(a: int) -> int: ...\n"
        "@overload\n"
        "def load(a: str) -> str: ...\n"
        "def load(a):\n"
        "    x = 1\n"
        "    return read(a)\n\n"
        "def read(a): ...\n\n"
        "def go():\n"
        "    load(1)\n"
    )
    store_files(ref, {"a.py": text})
    graph = CallGraph(ref)
    stubs = [s.pk for s in symbols_of(ref).filter(name="load")]
    (real,) = graph.meant(stubs)
    assert graph[real].start_line == 7
    calls = graph.calls_from([symbol_named(ref, "go").pk])
    assert [edge.callee for edge in calls] == [real]
    assert _told(graph, graph.calls_from([real])) == ["load 9 call read"]
    assert _told(graph, graph.calls_to([real])) == ["go 14 call load"]


def test_alternatives_of_the_preprocessor_are_one_function(ref: GitRef) -> None:
    text = (
        "#ifdef FAST\nint run(int a) { return fast(a); }\n"
        "#else\nint run(int a) { return slow(a); }\n#endif\n"
        "int go(void) { return run(1); }\n"
        "int fast(int a) { return a; }\nint slow(int a) { return a; }\n"
    )
    store_files(ref, {"a.c": text})
    assert calls_from(ref, "go") == ["go 6 call run"]
    graph = CallGraph(ref)
    (run,) = graph.meant([s.pk for s in symbols_of(ref).filter(name="run")])
    callees = [graph[e.callee].name for e in graph.calls_from([run])]
    assert callees == ["fast", "slow"]


def test_a_guess_follows_a_name_only_where_it_is_asked_for(ref: GitRef) -> None:
    text = (
        "class A:\n    def render(self): ...\n\n"
        "class B:\n    def render(self): ...\n\n"
        "def show(view):\n    view.render()\n    view.get()\n\n"
        "class C:\n    def get(self): ...\n"
    )
    store_files(ref, {"a.py": text})
    graph = CallGraph(ref)
    show, method = (symbol_named(ref, n).pk for n in ("show", "B.render"))
    assert graph.calls_from([show]) == []
    guesses = graph.guessing()
    told = ["show 8 guess A.render", "show 8 guess B.render"]
    assert _told(guesses, guesses.calls_from([show])) == told
    assert _told(guesses, guesses.calls_to([method])) == told[1:]
    assert graph.calls_from([show]) == []
