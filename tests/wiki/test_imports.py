"""Imports become edges only where exactly one file is meant."""

from __future__ import annotations

from collections.abc import Mapping

from tests.wiki.shop import analyse


def edges(*sources: Mapping[str, str]) -> set[tuple[str, str]]:
    analysis = analyse(*sources)
    files = analysis.files
    return {
        (files[a].path, files[b].path)
        for a, targets in analysis.file_edges.items()
        for b in targets
    }


def test_absolute_import_reaches_the_module() -> None:
    assert edges({"a.py": "import b\n", "b.py": "x = 1\n"}) == {("a.py", "b.py")}


def test_relative_import_reaches_the_sibling() -> None:
    files = {"p/__init__.py": "", "p/a.py": "from .b import x\n", "p/b.py": "x = 1\n"}
    assert ("p/a.py", "p/b.py") in edges(files)


def test_src_layout_is_imported_below_src() -> None:
    files = {
        "src/p/__init__.py": "",
        "src/p/a.py": "x = 1\n",
        "tests/t.py": "from p.a import x\n",
    }
    assert ("tests/t.py", "src/p/a.py") in edges(files)


def test_name_that_a_package_re_exports_leads_to_where_it_is_defined() -> None:
    files = {
        "p/__init__.py": "from p.inner import thing\n",
        "p/inner.py": "def thing(): ...\n",
        "user.py": "from p import thing\n",
    }
    assert ("user.py", "p/inner.py") in edges(files)


def test_foreign_and_ambiguous_modules_stay_out() -> None:
    one = {"a.py": "import os\nimport conf\n"}
    assert edges(one, {"conf.py": "x=1\n"}, {"conf.py": "y=1\n"}) == set()


def test_a_module_of_the_own_source_is_preferred() -> None:
    analysis = analyse({"a.py": "import conf\n", "conf.py": ""}, {"conf.py": "y=1\n"})
    (target,) = [t for targets in analysis.file_edges.values() for t in targets]
    assert analysis.files[target].source == "shop"


def test_a_package_of_many_files_leads_to_those_that_are_used() -> None:
    files = {
        "go.mod": "module example.com/tea\n",
        "cup/a.go": "package cup\n\nfunc Fill() {}\n",
        "cup/b.go": "package cup\n\nfunc Wash() {}\n",
        "t.go": 'package t\nimport "example.com/tea/cup"\nfunc f() { cup.Fill() }\n',
    }
    assert edges(files) == {("t.go", "cup/a.go")}


def test_a_package_of_another_origin_leads_to_no_file_of_its_name() -> None:
    files = {"lib/debug.js": "", "debug.js": "", "a.js": "import 'debug';\n"}
    assert edges(files) == set()


def test_a_header_is_found_in_any_folder() -> None:
    files = {"include/tea.h": "int f(void);\n", "src/tea.c": '#include "tea.h"\n'}
    assert edges(files) == {("src/tea.c", "include/tea.h")}


def test_a_call_through_an_import_is_a_use_of_its_symbol() -> None:
    analysis = analyse(
        {
            "a.py": "from b import work\n\n\ndef go():\n    work()\n    x.work()\n",
            "b.py": "def work(): ...\n",
        }
    )
    uses = [(analysis.symbols[u.target].name, u.line) for u in analysis.uses]
    assert uses == [("work", 5)]  # x is unknown, so line 6 is no edge


def test_a_method_called_on_self_is_found_in_its_class() -> None:
    text = "class A:\n    def f(self):\n        self.g()\n\n    def g(self): ...\n"
    analysis = analyse({"a.py": text})
    assert [analysis.symbols[u.target].qualified_name for u in analysis.uses] == ["A.g"]


def test_a_variable_of_a_go_package_leads_to_its_file() -> None:
    files = {
        "go.mod": "module example.com/tea\n",
        "cup/a.go": "package cup\n\nvar Best *set\n",
        "cup/b.go": "package cup\n\ntype set struct{}\n\nfunc (s *set) Fill() {}\n",
        "t.go": 'package t\nimport "example.com/tea/cup"\n'
        "func f() { cup.Best.Fill() }\n",
    }
    assert ("t.go", "cup/a.go") in edges(files)
