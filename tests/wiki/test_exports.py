"""What a library offers is found as each of its languages says it."""

from __future__ import annotations

import time

import pytest

from devrag.wiki.analysis.exports import (
    distinct_exports,
    exports_of,
    is_left_out,
    public_members,
)
from tests.wiki.shop import analyse

LISTED = {
    "lib/__init__.py": "from lib._api import *\nfrom lib._api import helper\n\n"
    '__all__ = [\n    "get",\n    "Client",\n]\n',
    "lib/_api.py": "class Client:\n    def send(self): ...\n"
    "    def _wait(self): ...\n\n\n"
    "def get(): ...\n\n\ndef helper(): ...\n",
}
IMPORTED = {
    "lib/__init__.py": "import os\nfrom lib.api import get, _hidden\n",
    "lib/api.py": "def get(): ...\n\n\ndef _hidden(): ...\n\n\ndef other(): ...\n",
}
PLAIN = {
    "lib/api.py": "def get(): ...\n\n\ndef _hidden(): ...\n",
    "lib/_own.py": "def own(): ...\n",
}
SCRIPT = {
    "src/index.ts": "import { App } from './app'\nexport { App }\n",
    "src/app.ts": "export class App {}\nexport class Inner {}\n",
}
GO = {
    "lib.go": "package lib\n\nfunc Open() {}\n\nfunc shut() {}\n",
    "tool/main.go": "package main\n\nfunc Run() {}\n",
    "internal/x.go": "package x\n\nfunc Hidden() {}\n",
}
JAVA = {"src/A.java": "public class A {}\n", "src/B.java": "class B {}\n"}
C = {
    "Makefile.am": "include_HEADERS = src/lib.h\n",
    "src/lib.h": "typedef struct box box;\nbox *box_open(const char *name);\n",
    "src/own.h": "void own_open(void);\n",
    "src/lib.c": "box *box_open(const char *name) {\n  return 0;\n}\n"
    "void own_open(void) {\n}\nstatic int box_hidden(void) {\n  return 1;\n}\n",
}
_GO_NEW = "package zip\n\nfunc New() {}\n"
_CS_PART = "namespace Shop;\n\npublic partial class A {}\n"
_JAVA_IN = "package {};\n\npublic class A {{}}\n"


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (LISTED, {"get", "Client"}),
        (IMPORTED, {"get"}),
        (PLAIN, {"get"}),
        (SCRIPT, {"App"}),
        (GO, {"Open"}),
        (JAVA, {"A"}),
        (C, {"box", "box_open"}),
    ],
    ids=["all", "imports", "public", "script", "go", "java", "headers"],
)
def test_exports(files: dict[str, str], names: set[str]) -> None:
    assert {export.name for export in exports_of(analyse(files))} == names


def test_an_export_keeps_the_line_that_exports_it() -> None:
    analysis = analyse(LISTED)
    found = {e.name: e for e in exports_of(analysis)}
    assert analysis.files[found["Client"].file].path == "lib/__init__.py"
    assert found["Client"].line == 6


def test_public_members_have_the_methods_of_exported_classes() -> None:
    analysis = analyse(LISTED)
    members = public_members(analysis, exports_of(analysis))
    assert {s.name for s in members} == {"get", "Client", "send"}


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (
            {
                "go.mod": "module example.org/tea\n",
                "tea.go": "package tea\n\ntype Cup struct{}\n\n"
                "func (c *Cup) Fill() {}\n\nfunc (c *Cup) spill() {}\n",
            },
            {"Cup", "Fill"},
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "tea"\n',
                "src/lib.rs": "pub struct Cup;\nimpl Cup {\n    pub fn fill() {}\n"
                "    fn spill() {}\n}\n"
                "impl Drop for Cup { fn drop(&mut self) {} }\n",
            },
            {"Cup", "fill", "drop"},
        ),
    ],
    ids=["go", "rust"],
)
def test_methods_that_users_may_not_call_are_no_public_members(
    files: dict[str, str], names: set[str]
) -> None:
    analysis = analyse(files)
    members = public_members(analysis, exports_of(analysis))
    assert {s.name for s in members} == names


@pytest.mark.parametrize(
    ("files", "count"),
    [
        ({"mem/a.go": _GO_NEW, "zip/a.go": _GO_NEW}, 2),
        ({"mem/a.go": _GO_NEW, "mem/b.go": _GO_NEW}, 1),
        ({"a/one.py": "def get(): ...\n", "a/two.py": "def get(): ...\n"}, 2),
        ({"A.cs": _CS_PART, "more/A.cs": _CS_PART}, 1),
        ({"src/A.java": _JAVA_IN.format("a"), "src/B.java": _JAVA_IN.format("b")}, 2),
    ],
    ids=["go packages", "go files", "modules", "partial classes", "java packages"],
)
def test_a_name_counts_once_in_its_package(files: dict[str, str], count: int) -> None:
    assert len(distinct_exports(analyse(files))) == count


def test_overloads_count_once() -> None:
    text = "from typing import overload\n\n\n@overload\ndef get(at: int) -> int: ...\n"
    files = {"lib/api.py": f"{text}\n\ndef get(at):\n    return at\n"}
    assert [e.name for e in distinct_exports(analyse(files))] == ["get"]


@pytest.mark.parametrize("line", ["f(" + "x" * 20_000 + "{", "f(" * 20_000 + "{"])
def test_a_long_line_of_a_header_is_read_at_once(line: str) -> None:
    analysis = analyse({**C, "src/lib.h": C["src/lib.h"] + line + "\n"})
    started = time.process_time()
    assert "box_open" in {export.name for export in exports_of(analysis)}
    assert time.process_time() - started < 2


def test_what_a_package_does_not_list_is_left_out_with_its_methods() -> None:
    analysis = analyse(
        {
            "lib/__init__.py": "from lib.api import get, put\n"
            "from lib.client import Client\n",
            "lib/api.py": "def get(): ...\n\n\ndef put(): ...\n\n\ndef quote(): ...\n",
            "lib/client.py": "class Client:\n    def send(self): ...\n\n\n"
            "class Buffer:\n    def fill(self): ...\n",
            "lib/_compat.py": "def as_text(): ...\n",
            "lib/testing.py": "class Runner: ...\n",
        }
    )
    defined = [s for s in analysis.symbols.values() if s.kind != "module"]
    found = {s.name for s in defined if is_left_out(analysis, s)}
    assert found == {"quote", "Buffer", "fill", "as_text"}


def test_a_package_that_lists_one_name_leaves_nothing_out() -> None:
    analysis = analyse(
        {
            "lib/__init__.py": "from lib.api import get\n",
            "lib/api.py": "def get(): ...\n\n\ndef put(): ...\n",
        }
    )
    (put,) = analysis.symbols_named["put"]
    assert not is_left_out(analysis, put)
