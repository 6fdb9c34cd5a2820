"""Calls, errors and results of a function are its steps."""

from __future__ import annotations

from devrag.wiki.analysis.steps import OUTSIDE, RAISE, Step, steps_of
from tests.wiki.shop import analyse


def _steps(tree: dict[str, str], name: str) -> list[Step]:
    analysis = analyse(tree)
    return list(steps_of(analysis, analysis.symbols_named[name][0].id))


def test_a_call_that_is_a_statement_is_told_for_each_list_of_arguments() -> None:
    code = (
        "var mixin = require('merge-descriptors');\n\n"
        "exports.create = function create() {\n  var app = {};\n"
        "  mixin(app, emitter, false);\n  mixin(app, proto, false);\n"
        "  mixin(app, proto, false);\n  return app;\n};\n"
    )
    calls = [s for s in _steps({"lib/create.js": code}, "create") if s.kind == OUTSIDE]
    assert [step.line for step in calls] == [5, 6]


def test_calls_for_the_message_of_an_error_are_no_steps() -> None:
    code = (
        "class Path:\n    def __init__(self, name):\n        self.kind = name\n"
        "        self.check = name\n\n"
        "    def convert(self, value):\n        if not value:\n"
        "            self.fail(\n"
        '                _("{name} (or so does not exist.").format(\n'
        "                    name=self.kind.title(),\n"
        "                ),\n            )\n"
        "        return self.check.first(value)\n"
    )
    kinds = [(s.kind, s.line) for s in _steps({"lib/path.py": code}, "convert")]
    assert [line for kind, line in kinds if kind == RAISE] == [8]
    assert (OUTSIDE, 10) not in kinds
