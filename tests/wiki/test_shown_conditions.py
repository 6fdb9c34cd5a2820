"""Conditions are told as what holds, never as a double negation."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.conditions import CASE, FAILS, IF, UNLESS, Condition
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.plan import make_plan
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.shown_conditions import under_conditions
from tests.wiki.shop import analyse
from tests.wiki.test_walkthrough import page_with


def context() -> PageContext:
    analysis = analyse({"a.py": "x = 1\n"})
    plan = make_plan(analysis, PAGE_KINDS, "en")
    book = EvidenceBook(analysis.files, analysis.texts)
    return PageContext(analysis, plan, plan.pages[0], book, PAGE_KINDS)


@pytest.mark.parametrize(
    ("text", "kind", "language", "told"),
    [
        ("c.RunE != nil", UNLESS, "go", "If `c.RunE` is `nil`, x"),
        ("helpVal", IF, "go", "If `helpVal` is true, x"),
        ("!c.SilenceErrors", IF, "go", "If `c.SilenceErrors` is false, x"),
        ("!view", UNLESS, "javascript", "If `view` is truthy, x"),
        ("not standalone", IF, "python", "If `standalone` is falsy, x"),
        ("value is UNSET", UNLESS, "python", "If `value` is not `UNSET`, x"),
        ("value is not None", UNLESS, "python", "If `value` is `None`, x"),
        ("len(args) < 2", UNLESS, "go", "If `len(args)` is at least `2`, x"),
        ("a || b == 1", UNLESS, "go", "If `a` is false and `b` is not `1`, x"),
        ("a and b", UNLESS, "python", "If `a` is falsy or `b` is falsy, x"),
        ("a in b", UNLESS, "python", "If `a in b` is false, x"),
        ("a and b", IF, "python", "If `a and b`, x"),
        ("isinstance(a, b)", IF, "python", "If `isinstance(a, b)` is true, x"),
        ("", FAILS, "javascript", "If an error is raised, x"),
        ("", IF, "javascript", "x"),
    ],
)
def test_a_condition_is_told(text: str, kind: str, language: str, told: str) -> None:
    ctx = context()
    condition = Condition(text, 1, 1, kind)
    assert under_conditions(ctx, [condition], "x", language) == told


def test_the_errors_caught_stand_before_what_is_asked_then() -> None:
    ctx = context()
    found = [Condition("OSError", 1, 1, FAILS), Condition("e.no == 1", 2, 2)]
    assert under_conditions(ctx, found, "x", "python") == (
        "On `OSError`, if `e.no == 1`, x"
    )


def test_the_variable_of_an_error_is_named_where_it_is_used() -> None:
    ctx = context()
    caught = Condition("OSError", 1, 1, FAILS, "e")
    found = [caught, Condition("e.no == 1", 2, 2)]
    assert under_conditions(ctx, found, "x", "python") == (
        "On `OSError` (`e`), if `e.no == 1`, x"
    )
    plain = under_conditions(ctx, [caught], "it stops.", "python")
    assert plain == "If `OSError` is raised, it stops."


def test_a_case_is_told_with_what_it_is_of() -> None:
    ctx = context()
    found = [Condition("'a', 'b'", 2, 3, CASE, "typeof chunk", 1)]
    assert under_conditions(ctx, found, "x", "javascript") == (
        "If `typeof chunk` is `'a'` or `'b'`, x"
    )


GUARDED = """var final = require('finalhandler');

/**
 * Close all that is open.
 */
module.exports.closeAll = function closeAll(names, callback) {
  var done = callback || final(names);
  for (const name of names) {
    if (!isOpen(name) && name !== '') {
      open(name);
    } else {
      shut(name);
    }
  }
  return process.nextTick(function tick() {
    callback(names);
  });
};

function isOpen(name) {
  return name.open;
}

function open(name) {
  name.open = true;
}

function shut(name) {
  name.open = false;
}
"""


@pytest.mark.parametrize(
    ("told", "language"),
    [
        ("If `callback` is falsy, it calls `final()`", "en"),
        ("For each `name` of `names`: if `!isOpen(name) && name !== ''`, it", "en"),
        ("Otherwise, it calls `shut()`", "en"),
        ("the given function `callback()` (deferred with `process.nextTick()`)", "en"),
        ("`callback` が偽の場合は、パッケージ `finalhandler` の `final()`", "ja"),
        ("`names` の各 `name` について：`!isOpen(name) && name !== ''` の場合", "ja"),
    ],
)
def test_a_step_carries_what_is_around_it(told: str, language: str) -> None:
    heading = "step by step" if language == "en" else "の処理の流れ"
    assert told in page_with({"lib/close.js": GUARDED}, heading, language)
