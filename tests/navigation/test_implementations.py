"""A call through a type may reach what is below it; which is marked as possible."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from .versions import Version

FILLER_GO = (
    "package tea\n\ntype Filler interface {\n\tFill()\n\tWash()\n}\n\n"
    "func use(f Filler) { f.Fill() }\n"
)
CASES: dict[str, tuple[Mapping[str, str], tuple[str, str], list[str]]] = {
    "an override in Python": (
        {
            "a.py": "class Base:\n    def fill(self): ...\n\n"
            "def use(it: Base):\n    it.fill()\n",
            "b.py": "from a import Base\n\nclass Cup(Base):\n    def fill(self): ...\n",
        },
        ("a.py", "call it.fill"),
        ["b.Cup.fill"],
    ),
    "a method that its own class calls": (
        {
            "a.py": "class Base:\n    def fill(self): ...\n\n"
            "    def run(self):\n        self.fill()\n",
            "b.py": "from a import Base\n\nclass Cup(Base):\n    def fill(self): ...\n",
        },
        ("a.py", "call self.fill"),
        ["b.Cup.fill"],
    ),
    "a protocol of Python that nobody inherits": (
        {
            "a.py": "from typing import Protocol\n\nclass Filler(Protocol):\n"
            "    def fill(self): ...\n    def wash(self): ...\n\n"
            "def use(it: Filler):\n    it.fill()\n",
            "b.py": "class Cup:\n    def fill(self): ...\n    def wash(self): ...\n\n"
            "class Pond:\n    def fill(self): ...\n",
        },
        ("a.py", "call it.fill"),
        ["b.Cup.fill"],
    ),
    "nothing below what was made just there": (
        {
            "a.py": "class Base:\n    def fill(self): ...\n\nBase().fill()\n",
            "b.py": "from a import Base\n\nclass Cup(Base):\n    def fill(self): ...\n",
        },
        ("a.py", "call Base().fill"),
        [],
    ),
    "an interface of Go": (
        {
            "a.go": FILLER_GO,
            "b.go": "package tea\n\ntype Cup struct{}\n\nfunc (c *Cup) Fill() {}\n\n"
            "func (c *Cup) Wash() {}\n\ntype Pond struct{}\n\n"
            "func (p Pond) Fill() {}\n",
        },
        ("a.go", "call f.Fill"),
        ["Cup.Fill"],
    ),
    "a method of Go that is embedded": (
        {
            "a.go": FILLER_GO,
            "b.go": "package tea\n\ntype Base struct{}\n\nfunc (b *Base) Wash() {}\n\n"
            "type Cup struct{ *Base }\n\nfunc (c *Cup) Fill() {}\n",
        },
        ("a.go", "call f.Fill"),
        ["Cup.Fill"],
    ),
    "an interface of Java": (
        {
            "p/F.java": "package p;\ninterface F { void fill(); }\n",
            "p/Cup.java": "package p;\n"
            "class Cup implements F { public void fill() {} }\n",
            "p/U.java": "package p;\nclass U { void use(F f) { f.fill(); } }\n",
        },
        ("p/U.java", "call f.fill"),
        ["p.Cup.fill"],
    ),
    "a template method of Java": (
        {
            "p/F.java": "package p;\nabstract class F { abstract void fill(); "
            "void run() { fill(); } }\n",
            "p/Cup.java": "package p;\nclass Cup extends F { void fill() {} }\n",
        },
        ("p/F.java", "call fill"),
        ["p.Cup.fill"],
    ),
    "an interface of C#": (
        {
            "F.cs": "namespace P;\ninterface IF { void Fill(); }\n",
            "Cup.cs": "namespace P;\nclass Cup : IF { public void Fill() {} }\n",
            "U.cs": "namespace P;\nclass U { void Use(IF f) { f.Fill(); } }\n",
        },
        ("U.cs", "call f.Fill"),
        ["P.Cup.Fill"],
    ),
    "an interface of TypeScript": (
        {
            "f.ts": "export interface Filler { fill(): void }\n",
            "cup.ts": "import { Filler } from './f';\n"
            "export class Cup implements Filler { fill() {} }\n",
            "u.ts": "import { Filler } from './f';\n"
            "function use(it: Filler) { it.fill(); }\n",
        },
        ("u.ts", "call it.fill"),
        ["cup.Cup.fill"],
    ),
    "a trait of Rust": (
        {
            "src/f.rs": "pub trait Filler { fn fill(&self); }\n",
            "src/cup.rs": "use crate::f::Filler;\npub struct Cup {}\n"
            "impl Filler for Cup { fn fill(&self) {} }\n",
            "src/u.rs": "use crate::f::Filler;\nfn u(f: &dyn Filler) { f.fill() }\n",
        },
        ("src/u.rs", "call f.fill"),
        ["crate.cup.Cup.fill"],
    ),
    "a table of C": (
        {
            "cmd.h": "struct cmd {\n  const char *name;\n  int (*run)(int);\n};\n",
            "add.c": '#include "cmd.h"\nstatic int add(int x) { return x; }\n'
            'static struct cmd list[] = {\n  { "add", add },\n};\n',
            "main.c": '#include "cmd.h"\nvoid call(struct cmd *c) { c->run(1); }\n',
        },
        ("main.c", "call c.run"),
        ["add"],
    ),
    "operations of C by the names of their fields": (
        {
            "ops.h": "struct ops { int (*open)(int); int (*close)(int); };\n",
            "a.c": '#include "ops.h"\nint my_open(int x) { return x; }\n'
            "int my_close(int x) { return x; }\n"
            "const struct ops o = { .close = my_close, .open = my_open };\n",
            "main.c": '#include "ops.h"\nvoid f(const struct ops *o) { o->open(1); }\n',
        },
        ("main.c", "call o.open"),
        ["my_open"],
    ),
}


@pytest.mark.parametrize(("files", "use", "possible"), CASES.values(), ids=CASES)
def test_what_a_call_may_reach(
    files: Mapping[str, str], use: tuple[str, str], possible: list[str]
) -> None:
    assert Version(files).possible(*use) == possible


def test_the_method_that_is_called_stays_sure() -> None:
    files, use, _ = CASES["an interface of Java"]
    assert Version(files)(*use) == "type p.F.fill"


def test_one_method_of_a_rare_name_is_possible_for_an_unknown_object() -> None:
    files = {
        "a.py": "class Cup:\n    def brew(self): ...\n    def get(self): ...\n",
        "b.py": "def use(it):\n    it.brew()\n    it.get()\n",
    }
    version = Version(files)
    assert version("b.py", "call it.brew") == ""
    assert version.possible("b.py", "call it.brew") == ["a.Cup.brew"]
    assert version.possible("b.py", "call it.get") == []


def test_an_interface_of_go_has_the_types_with_all_of_its_methods() -> None:
    files, _, _ = CASES["an interface of Go"]
    assert Version(files).implementations("Filler") == ["Cup"]


def test_a_type_that_embeds_a_method_satisfies_an_interface() -> None:
    files, _, _ = CASES["a method of Go that is embedded"]
    assert Version(files).implementations("Filler") == ["Cup"]


def test_a_protocol_has_the_classes_that_do_not_name_it() -> None:
    files, _, _ = CASES["a protocol of Python that nobody inherits"]
    named = {
        "c.py": "from a import Filler\n\nclass Mug(Filler):\n"
        "    def fill(self): ...\n    def wash(self): ...\n"
    }
    version = Version({**files, **named})
    assert version.implementations("a.Filler") == ["b.Cup"]


def test_an_interface_that_is_written_to_be_implemented_has_no_others() -> None:
    files, _, _ = CASES["an interface of Java"]
    assert Version(files).implementations("p.F") == []
