"""What users may call is told by each language's own marks."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.visibility import is_exposed
from tests.wiki.shop import analyse


@pytest.mark.parametrize(
    ("path", "text", "exposed"),
    [
        ("a.py", "def f():\n    def inner(): ...\ndef _g(): ...\n", {"f"}),
        ("a.go", "package a\n\nfunc F() {}\n\nfunc g() {}\n", {"F"}),
        ("a.c", "int f(void) { return 1; }\nstatic int g(void) { return 1; }\n", {"f"}),
        ("a.rs", "pub fn f() {}\nfn g() {}\n", {"f"}),
    ],
)
def test_functions_that_are_there_for_others(
    path: str, text: str, exposed: set[str]
) -> None:
    analysis = analyse({path: text})
    functions = [s for s in analysis.survey.symbols if s.kind == "function"]
    assert {s.name for s in functions if is_exposed(analysis, s)} == exposed


def test_private_methods_of_java_are_hidden() -> None:
    text = "public class A {\n  public void f() {}\n  private void g() {}\n}\n"
    analysis = analyse({"A.java": text})
    methods = [s for s in analysis.survey.symbols if s.kind == "method"]
    assert [s.name for s in methods if is_exposed(analysis, s)] == ["f"]
