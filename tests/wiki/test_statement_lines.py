"""The statement that stands below a comment, where it is short and whole."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.statement_lines import statement_below

_JAVASCRIPT = """function use(fn) {
  // keep it
  this.kept = fn;

  // primed
  if (options.cache) {
    view = cache[name];
  }

  // two of them
  if (options.cache) {
    view = cache[name];
    seen = true;
  }

  // another branch
  if (!view) {
    view = first;
  } else {
    view = second;
  }

  // of several lines
  merge(options, {
    a: 1
  });

  // declared
  var offset;

  // mounted
  fn.emit('mount', this);

  // of this object
  var app = this.app;

  // returned
  return this;
}
"""
_PYTHON = """def main(args):
    # take those of the process
    if args is None:
        args = sys.argv[1:]
    # a chain
    query = table.where(x=1)
        .limit(3)
    # with a remark
    count = 1  # it begins with one
    # divided
    half = total // 2
    # labelled
    label = "issue # " + name
    # with a remark at once
    count = 1;# it begins with one
"""


JAVASCRIPT, PYTHON = _JAVASCRIPT.splitlines(), _PYTHON.splitlines()


@pytest.mark.parametrize(
    ("lines", "comment", "text", "condition"),
    [
        (JAVASCRIPT, "// keep it", "this.kept = fn", ""),
        (JAVASCRIPT, "// primed", "view = cache[name]", "options.cache"),
        (JAVASCRIPT, "// mounted", "fn.emit('mount', this)", ""),
        (PYTHON, "# take those", "args = sys.argv[1:]", "args is None"),
        (PYTHON, "# divided", "half = total // 2", ""),
        (PYTHON, "# labelled", 'label = "issue # " + name', ""),
    ],
)
def test_a_whole_statement_is_found(
    lines: list[str], comment: str, text: str, condition: str
) -> None:
    found = statement_below(lines, _line(lines, comment), 1, _language(lines))
    assert found is not None
    assert found.text == text
    assert (found.condition.text if found.condition else "") == condition
    assert text in lines[found.line - 1]


@pytest.mark.parametrize(
    ("lines", "comment"),
    [
        (JAVASCRIPT, "// two of them"),
        (JAVASCRIPT, "// another branch"),
        (JAVASCRIPT, "// of several lines"),
        (JAVASCRIPT, "// declared"),
        (JAVASCRIPT, "// of this object"),
        (JAVASCRIPT, "// returned"),
        (PYTHON, "# a chain"),
        (PYTHON, "# with a remark"),
        (PYTHON, "# with a remark at once"),
    ],
)
def test_what_is_not_one_statement_is_not_shown(lines: list[str], comment: str) -> None:
    assert statement_below(lines, _line(lines, comment), 1, _language(lines)) is None


def test_nothing_stands_below_the_last_line() -> None:
    assert statement_below(["# the end"], 1, 1, "python") is None


def _language(lines: list[str]) -> str:
    return "python" if lines is PYTHON else "javascript"


def _line(lines: list[str], comment: str) -> int:
    return next(n for n, line in enumerate(lines, 1) if comment in line)
