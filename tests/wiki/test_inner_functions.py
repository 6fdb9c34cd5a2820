"""When a function inside of another runs is read from how it is written."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.inner_functions import (
    CALLED,
    PASSED,
    READ,
    RETURNED,
    inner_function,
)


@pytest.mark.parametrize(
    ("code", "line", "how", "name"),
    [
        (
            "function f() {\n  var g = function(a, b) {\n    h();\n  };\n  return g\n}",
            3,
            RETURNED,
            "g",
        ),
        ("def f():\n    def g(a, b):\n        h()\n    return g", 3, RETURNED, "g"),
        (
            "function f() {\n  return function(a, b) {\n    h();\n  };\n}",
            3,
            RETURNED,
            "",
        ),
        ("def f():\n    def g(a, b):\n        h()\n    return g(1, 2)", 3, CALLED, "g"),
        ("def f():\n    def g(a, b):\n        h()\n    on_end(g)", 3, PASSED, "on_end"),
        (
            "func f() {\n\tg := func(a, b int) {\n\t\th()\n\t}\n\tg(1, 2)\n}",
            3,
            CALLED,
            "g",
        ),
        (
            "function f() {\n  x.on('end', function(a, b) {\n    h();\n  });\n}",
            3,
            PASSED,
            "x.on",
        ),
        (
            "function f() {\n  xs.forEach(function(a, b) {\n    h();\n  });\n}",
            3,
            CALLED,
            "xs.forEach",
        ),
        (
            (
                "function f() {\n  Object.defineProperty(this, 'r', {\n"
                "    get: function g(a, b) {\n      h();\n    }\n  });\n}"
            ),
            4,
            READ,
            "r",
        ),
    ],
)
def test_how_an_inner_function_runs(code: str, line: int, how: str, name: str) -> None:
    lines = code.split("\n")
    found = inner_function(lines, line, 1, len(lines))
    assert found is not None
    assert (found.how, found.name) == (how, name)
    assert [p.split()[0] for p in found.parameters] == ["a", "b"]


def test_a_line_of_the_function_itself_is_in_none() -> None:
    lines = ["def f():", "    if x:", "        h()"]
    assert inner_function(lines, 3, 1, 3) is None


@pytest.mark.parametrize(
    "code",
    [
        "func f() {\n\tl := func() int {\n\t\th()\n\t}()\n\tuse(l)\n}",
        "function f() {\n  var l = (function() {\n    h();\n  })();\n  return l\n}",
        "func f() {\n\tgo func() {\n\t\th()\n\t}()\n}",
    ],
)
def test_a_function_that_is_called_where_it_stands_runs_at_once(code: str) -> None:
    lines = code.split("\n")
    found = inner_function(lines, 3, 1, len(lines))
    assert found is not None
    assert found.how == CALLED
