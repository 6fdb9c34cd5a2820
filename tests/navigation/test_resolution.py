"""Names find their symbols across files, or stay open."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from .versions import Version


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


# What stays open, each in a language's own way of finding modules.
NOT_MEANT = {
    "a package of JavaScript is no local file": (
        {"debug.js": "export function log() {}\n"},
        ("a.js", "import { log } from 'debug';\nlog();\n"),
        "call log",
    ),
    "a standard module of Python is none inside a package": (
        {"tea/__init__.py": "", "tea/json.py": "def dumps(): ...\n"},
        ("tea/a.py", "import json\n\njson.dumps()\n"),
        "call json.dumps",
    ),
    "a module alone in another folder is not Python's": (
        {"tools/json.py": "def dumps(): ...\n"},
        ("tea/a.py", "import json\n\njson.dumps()\n"),
        "call json.dumps",
    ),
    "a standard package of Go is no local folder": (
        {"errors/e.go": "package errors\n\nfunc New() {}\n"},
        ("a.go", 'package a\n\nimport "errors"\n\nfunc f() { errors.New() }\n'),
        "call errors.New",
    ),
    "a bare name of Go is not the only one of another package": (
        {"cup/c.go": "package cup\n\nfunc Fill() {}\n"},
        ("a.go", "package a\n\nfunc f() { Fill() }\n"),
        "call Fill",
    ),
    "a bare name of Rust is not the only one of another module": (
        {"src/cup.rs": "pub fn fill() {}\n"},
        ("src/tea.rs", "fn f() { fill() }\n"),
        "call fill",
    ),
    "a command of the shell is no function of Python": (
        {"a.py": "def fill(): ...\n"},
        ("a.sh", "f() { fill; }\n"),
        "call fill",
    ),
    "a header is no function": (
        {"b.cpp": "namespace cup { void h(); void h() {} }\n"},
        ("a.cpp", '#include "cup.h"\n'),
        "import cup.h",
    ),
    "a file of Java does not pass on what it imports": (
        {
            "a/B.java": "package a;\nimport c.Cup;\nclass B {}\n",
            "c/Cup.java": "package c;\nclass Cup {}\n",
        },
        ("D.java", "import a.Cup;\nclass D { Cup cup; }\n"),
        "type Cup",
    ),
    "a function of PHP falls back to none of another namespace": (
        {"b.php": "<?php\nnamespace B;\nfunction strlen() {}\n"},
        ("a.php", "<?php\nnamespace A;\nstrlen('x');\n"),
        "call strlen",
    ),
}


@pytest.mark.parametrize(("files", "user", "use"), NOT_MEANT.values(), ids=NOT_MEANT)
def test_what_is_not_meant_stays_open(
    files: Mapping[str, str], user: tuple[str, str], use: str
) -> None:
    assert Version({**files, user[0]: user[1]})(user[0], use) == ""


CUP_JAVA = {
    "c/Cup.java": "package c;\npublic class Cup { public static void f() {} }\n"
}
# What is found, each in a language's own way of finding modules.
MEANT = {
    "a root that the build knows": (
        {"web/lib/cup.ts": "export function fill() {}\n"},
        ("web/app/a.ts", "import { fill } from '@/lib/cup';\nfill();\n"),
        ("call fill", "import web.lib.cup.fill"),
    ),
    "a module beside a script": (
        {"docs/conf.py": "def cup(): ...\n"},
        ("docs/make.py", "import conf\n\nconf.cup()\n"),
        ("call conf.cup", "import docs.conf.cup"),
    ),
    "a package below the path that go.mod says": (
        {
            "go.mod": "module example.com/tea/v2\n",
            "cup/c.go": "package cup\n\nfunc Fill() {}\n",
        },
        (
            "a.go",
            'package a\n\nimport "example.com/tea/v2/cup"\n\nfunc f() { cup.Fill() }\n',
        ),
        ("call cup.Fill", "import cup.Fill"),
    ),
    "another file of Go's root package": (
        {"b.go": "package tea\n\nfunc fill() {}\n"},
        ("a.go", "package tea\n\nfunc f() { fill() }\n"),
        ("call fill", "package fill"),
    ),
    "a path of Rust from the module itself": (
        {"src/lib.rs": "pub mod cup;\n", "src/cup/lid.rs": "pub fn fill() {}\n"},
        ("src/cup.rs", "pub mod lid;\nfn f() { crate::cup::lid::fill() }\n"),
        ("call crate.cup.lid.fill", "import crate.cup.lid.fill"),
    ),
    "a namespace that C# opens": (
        {"Cup.cs": "namespace A.B;\npublic class Cup {}\n"},
        ("Tea.cs", "using System;\nusing A.B;\nnamespace T;\nclass X : Cup {}\n"),
        ("inherit Cup", "import A.B.Cup"),
    ),
    "a namespace around the one of C#": (
        {"Cup.cs": "namespace A;\npublic class Cup {}\n"},
        ("Tea.cs", "namespace A.B;\nclass X : Cup {}\n"),
        ("inherit Cup", "package A.Cup"),
    ),
    "a package that Java opens": (
        CUP_JAVA,
        ("t/T.java", "package t;\nimport c.*;\nclass T { Cup cup; }\n"),
        ("type Cup", "import c.Cup"),
    ),
    "a member of a type whose package Java opens": (
        CUP_JAVA,
        ("t/T.java", "package t;\nimport c.*;\nclass T { void g() { Cup.f(); } }\n"),
        ("call Cup.f", "package c.Cup.f"),
    ),
    "a class whose package Kotlin opens": (
        CUP_JAVA,
        ("t/T.kt", "package t\nimport c.*\nclass T : Cup()\n"),
        ("inherit Cup", "import c.Cup"),
    ),
    "a class whose package Scala opens": (
        CUP_JAVA,
        ("t/T.scala", "package t\nimport c._\nclass T extends Cup\n"),
        ("inherit Cup", "import c.Cup"),
    ),
    "a type of a module that Swift imports": (
        {
            "Sources/Cups/C.swift": "public class Cup {}\n",
            "Sources/Jugs/J.swift": "public class Cup {}\n",
        },
        ("Sources/App/a.swift", "import Cups\nclass Tea: Cup {}\n"),
        ("inherit Cup", "import Cups.Cup"),
    ),
    "the table that a module of Lua returns": (
        {"lua/t/u.lua": "local M = {}\nfunction M.f() end\nreturn M\n"},
        ("lua/t/a.lua", "local u = require 't.u'\nu.f()\n"),
        ("call u.f", "import lua.t.u.M.f"),
    ),
    "an alias of PHP": (
        {"b.php": "<?php\nnamespace B;\nclass Cup { static function f() {} }\n"},
        ("a.php", "<?php\nnamespace A;\nuse B\\Cup as Mug;\nMug::f();\n"),
        ("call Mug.f", "import B.Cup.f"),
    ),
    "a module of Ruby": (
        {"b.rb": "module Tea\n  class Cup\n    def self.f\n    end\n  end\nend\n"},
        ("a.rb", "Tea::Cup.f\n"),
        ("call Tea.Cup.f", "package Tea.Cup.f"),
    ),
    "an alias of Elixir": (
        {"b.ex": "defmodule Tea.Cup do\n  def f, do: 1\nend\n"},
        (
            "a.ex",
            "defmodule A do\n  alias Tea.Cup, as: Mug\n  def g, do: Mug.f()\nend\n",
        ),
        ("call Mug.f", "import Tea.Cup.f"),
    ),
    "what a package of Python passes on whole": (
        {
            "tea/__init__.py": "from tea.cups import *\n",
            "tea/cups.py": "def fill(): ...\n",
        },
        ("a.py", "from tea import fill\n\nfill()\n"),
        ("call fill", "import tea.cups.fill"),
    ),
    "what a module of TypeScript passes on whole": (
        {
            "ui/index.ts": "export * from './cup';\n",
            "ui/cup.ts": "export class Cup {}\n",
        },
        ("a.ts", "import { Cup } from './ui';\nnew Cup();\n"),
        ("call Cup", "import ui.cup.Cup"),
    ),
    "a definition of another source": (
        {"1:cups.py": "def fill(): ...\n"},
        ("a.py", "import cups\n\ncups.fill()\n"),
        ("call cups.fill", "import cups.fill"),
    ),
    "one of two definitions of the same thing": (
        {"c.py": "if 1:\n    def f(): ...\nelse:\n    def f(): ...\n"},
        ("a.py", "import c\n\nc.f()\n"),
        ("call c.f", "import c.f"),
    ),
}


@pytest.mark.parametrize(("files", "user", "found"), MEANT.values(), ids=MEANT)
def test_a_name_is_found_as_its_language_finds_it(
    files: Mapping[str, str], user: tuple[str, str], found: tuple[str, str]
) -> None:
    use, symbol = found
    assert Version({**files, user[0]: user[1]})(user[0], use) == symbol


def test_the_own_source_comes_before_others() -> None:
    files = {
        "cups.py": "def fill(): ...\n",
        "1:cups.py": "def fill(): ...\n",
        "a.py": "import cups\n\ncups.fill()\n",
    }
    found = Version(files).resolve("a.py", "call cups.fill")
    assert found.symbol is not None
    assert found.symbol.source == 0


def test_two_opened_packages_with_the_name_leave_it_open() -> None:
    user = "package t;\nimport c.*;\nimport d.*;\nclass T { Cup cup; }\n"
    other = {"d/Cup.java": "package d;\npublic class Cup {}\n", "t/T.java": user}
    found = Version({**CUP_JAVA, **other}).resolve("t/T.java", "type Cup")
    assert (found.symbol, found.candidates) == (None, 2)


def test_a_method_above_the_one_that_overrides_it() -> None:
    version = Version(
        {
            "base.py": "class Base:\n    def fill(self): ...\n",
            "cup.py": (
                "from base import Base\n\n"
                "class Cup(Base):\n    def fill(self):\n        super().fill()\n"
            ),
        }
    )
    assert version("cup.py", "call super().fill") == "super base.Base.fill"


def test_a_function_of_its_files_name_is_what_a_call_means() -> None:
    version = Version({"far.py": "def far(): ...\n\ndef go():\n    far()\n"})
    assert version("far.py", "call far") == "file far.far"


def test_an_object_with_methods_is_no_type_but_this_means_it() -> None:
    text = (
        "var res = {};\n"
        "res.send = function () {};\n"
        "res.json = function () { this.send(); };\n"
        "function View() {}\n"
        "View.prototype.find = function () {};\n"
        "View.prototype.show = function () { this.find(); };\n"
    )
    version = Version({"response.js": text})
    assert version("response.js", "call this.send") == "member response.res.send"
    assert version("response.js", "call this.find") == "member response.View.find"
