"""The object of functions that a file exports, and which function uses it how."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from devrag.wiki.analysis.exported_objects import ExportedObject, exported_object
from tests.wiki.shop import analyse, file_named

APP = "var app = module.exports = {};\n" + "".join(
    f"app.{name} = function {name}() {{\n  run()\n}}\n" for name in ("a", "b", "c")
)
USER = "var app = require('./app');\n\nfunction make() {\n  %s\n}\n"


def found(files: Mapping[str, str]) -> ExportedObject | None:
    analysis = analyse(files)
    return exported_object(analysis, file_named(analysis, "app.js").id)


@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("mixin(made, app, false);", "copied"),
        ("made = Object.create(app);", "inherited"),
        ("app.a();", "used"),
    ],
)
def test_a_function_of_another_file_uses_it(line: str, how: str) -> None:
    seen = found({"app.js": APP, "make.js": USER % line})
    assert seen is not None
    assert seen.user is not None
    assert (seen.user.how, seen.user.line) == (how, 4)


def test_a_line_that_a_tool_wrote_is_not_read() -> None:
    written = USER + "// a line of a person\n" * 1_000
    long = "app.a();" + "assign(x,y);" * 2_000
    seen = found({"app.js": APP, "make.js": written % long})
    assert seen is not None
    assert seen.user is None
