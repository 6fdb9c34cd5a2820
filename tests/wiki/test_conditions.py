"""The condition around a line is read from how the code is indented."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.conditions import (
    CASE,
    FAILS,
    IF,
    LOOP,
    UNLESS,
    condition_of,
    is_nested,
)

JAVASCRIPT = """app.handle = function handle(req, res) {
  start(req);
  if (this.enabled('x-powered-by')) {
    powered(res);
  } else if (res.locals) {
    local(res);
  } else {
    other(res);
  }
  try {
    run();
  } catch (err) {
    failed(err);
  }
  fns.forEach(function (fn) {
    if (!fn || !fn.handle) {
      return plain(fn);
    }
  });
}
"""
BOTH = "this.enabled('x-powered-by') || res.locals"
PYTHON = '''def main(self, args=None):
    """Run it."""
    if args is None:
        args = argv()
    else:
        args = list(args)
    if (
        self.is_standalone
        and args
    ):
        finish(args)
    # a remark
    return args
'''
GO = """func (c *Command) Execute() error {
\tif err := c.validate(); err != nil {
\t\treturn err
\t}
\tif c.Run == nil {
\t\tc.Usage()
\t}
\tif c.name != wanted &&
\t\t(c.isHidden || c.count <= 1) {
\t\tc.Remove()
\t}
}
"""
SWITCH = """function set(setting) {
  switch (setting) {
    case 'etag':
      weak();
      break;
  }
}
"""
RAISING = """def run(self):
    try:
        start()
    except (EOFError, KeyboardInterrupt) as error:
        abort(error)
"""


def said(code: str, statement: str) -> tuple[str, str] | None:
    lines = code.split("\n")
    line = next(
        n for n, text in enumerate(lines, 1) if text.strip().startswith(statement)
    )
    found = condition_of(lines, line, 1)
    return None if found is None else (found.text, found.kind)


@pytest.mark.parametrize(
    ("code", "statement", "expected"),
    [
        (JAVASCRIPT, "start", None),
        (JAVASCRIPT, "powered", ("this.enabled('x-powered-by')", IF)),
        (JAVASCRIPT, "local", ("res.locals", IF)),
        (JAVASCRIPT, "other", (BOTH, UNLESS)),
        (JAVASCRIPT, "run", None),
        (JAVASCRIPT, "failed", ("", FAILS)),
        (JAVASCRIPT, "return plain", ("!fn || !fn.handle", IF)),
        (PYTHON, "args = argv", ("args is None", IF)),
        (PYTHON, "args = list", ("args is None", UNLESS)),
        (PYTHON, "finish", ("self.is_standalone and args", IF)),
        (PYTHON, "return args", None),
        (GO, "return err", ("err != nil", IF)),
        (GO, "c.Usage", ("c.Run == nil", IF)),
        (GO, "c.Remove", ("c.name != wanted && (c.isHidden || c.count <= 1)", IF)),
        (SWITCH, "weak", ("'etag'", CASE)),
        (RAISING, "abort", ("EOFError, KeyboardInterrupt", FAILS)),
    ],
)
def test_the_condition_of_a_line(
    code: str, statement: str, expected: tuple[str, str] | None
) -> None:
    assert said(code, statement) == expected


def test_an_else_if_is_reached_where_what_is_above_it_does_not_hold() -> None:
    lines = JAVASCRIPT.split("\n")
    line = next(n for n, text in enumerate(lines, 1) if "local(res)" in text)
    found = condition_of(lines, line, 1)
    assert found is not None
    assert [(each.text, each.kind) for each in found.whole] == [
        ("this.enabled('x-powered-by')", UNLESS),
        ("res.locals", IF),
    ]


def test_a_line_in_an_inner_function_is_nested() -> None:
    lines = JAVASCRIPT.split("\n")
    nested = [n for n in range(2, len(lines)) if is_nested(lines, n, 1)]
    assert [lines[n - 1].strip() for n in nested] == [
        "if (!fn || !fn.handle) {",
        "return plain(fn);",
        "}",
    ]


def test_a_condition_over_several_lines_ends_where_it_closes() -> None:
    lines = PYTHON.split("\n")
    line = next(n for n, text in enumerate(lines, 1) if "finish" in text)
    found = condition_of(lines, line, 1)
    assert found is not None
    assert (found.line, found.end_line) == (7, 10)


CASES = """function send(chunk) {
  switch (typeof chunk) {
    case 'boolean':
    case 'object':
      if (chunk === null) {
        chunk = '';
      } else if (isView(chunk)) {
        view();
      } else {
        return this.json(chunk);
      }
      break;
    case 'string':
      text();
  }
}
"""


def test_labels_above_each_other_are_one_case() -> None:
    lines = CASES.split("\n")
    found = condition_of(lines, 14, 1)
    assert found is not None
    assert (found.kind, found.text) == (CASE, "'string'")
    inside = condition_of(lines, 8, 1)
    assert inside is not None
    case, before = inside.around
    assert (before.kind, before.text) == (UNLESS, "chunk === null")
    assert case.text == "'boolean', 'object'"
    assert (case.line, case.end_line) == (3, 4)
    assert (case.subject, case.subject_line) == ("typeof chunk", 2)


def test_the_last_branch_runs_unless_one_of_the_conditions_above_holds() -> None:
    found = condition_of(CASES.split("\n"), 10, 1)
    assert found is not None
    assert (found.kind, found.text) == (UNLESS, "chunk === null || isView(chunk)")


@pytest.mark.parametrize(
    ("opened", "told"),
    [
        ("\tif _, ok := seen[key]; !ok {", "_, ok := seen[key]; !ok"),
        ("\tif !ok {", ""),
        ("\tif err := load(); err != nil {", "err != nil"),
    ],
)
def test_ok_is_told_with_what_was_asked_for(opened: str, told: str) -> None:
    lines = ["func f() {", opened, "\t\tuse()", "\t}", "}"]
    found = condition_of(lines, 3, 1)
    assert found is not None
    assert found.text == told


@pytest.mark.parametrize(
    ("opened", "told"),
    [
        ("  } catch (IOException | SqlException e) {", "IOException | SqlException"),
        ("  rescue NotFound, Timeout => e", "NotFound, Timeout"),
        ("  except (EOFError, KeyboardInterrupt) as e:", "EOFError, KeyboardInterrupt"),
    ],
)
def test_what_is_caught_is_told_without_its_variable(opened: str, told: str) -> None:
    lines = ["f() {", opened, "    use()", "}"]
    found = condition_of(lines, 3, 1)
    assert found is not None
    assert found.text == told
    assert found.subject == "e"


GUARDED = """def main(self, names):
    for name in names:
        try:
            run(name)
        except OSError as error:
            if error.errno == EPIPE:
                close(name)
"""


def test_all_that_is_around_a_line_is_told_the_outermost_first() -> None:
    found = condition_of(GUARDED.split("\n"), 7, 1)
    assert found is not None
    assert [(c.kind, c.text) for c in found.whole] == [
        (LOOP, "name in names"),
        (FAILS, "OSError"),
        (IF, "error.errno == EPIPE"),
    ]


def test_cases_without_a_subject_are_conditions() -> None:
    lines = ["func f() {", "\tswitch {", "\tcase a > b:", "\t\tuse()", "\t}", "}"]
    found = condition_of(lines, 4, 1)
    assert found is not None
    assert (found.kind, found.text) == (IF, "a > b")
