"""A library whose calls stay inside shows what its main function calls."""

from __future__ import annotations

import re

import pytest

from tests.wiki.written import write

FRONT = """var mixin = require('mixin-things');
var proto = require('./application');

exports = module.exports = createShop;

/**
 * Create a shop.
 */
function createShop() {
  var app = function (req, res) {
    app.handle(req, res);
  };

  mixin(app, proto);
  app.init();
  return app;
}
"""
APPLICATION = """var app = exports = module.exports = {};

/**
 * Set the shop up.
 */
app.init = function init() {
  this.defaults();
};

/**
 * Set what is sold by default.
 */
app.defaults = function defaults() {
  this.set('books', true);
};

/**
 * Set a value.
 */
app.set = function set(name, value) {
  this.values[name] = value;
};

/**
 * Answer a request.
 */
app.handle = function handle(req, res) {
  if (!res.locals) {
    this.defaults();
  }
  this.router.handle(req, res);
};
"""
TREE = {
    "package.json": '{"name": "shop", "main": "lib/shop.js"}',
    "lib/shop.js": FRONT,
    "lib/application.js": APPLICATION,
}


def architecture(language: str) -> str:
    page = write(TREE, language=language)["architecture.md"]
    assert page.findings == ()
    return re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", page.markdown)


@pytest.fixture(scope="module")
def text() -> str:
    return architecture("en").partition("## How a call travels")[2]


@pytest.mark.parametrize(
    "line",
    [
        "`createShop()` in `lib/shop.js` makes these calls",
        "\n- `app.handle()` (answer a request), from a function inside of it\n",
        "\n  - `this.router.handle()`\n",
        "\n- `mixin()` of the package `mixin-things`\n",
        "\n- `app.init()` (set the shop up)\n  - `app.defaults()` (set what is sold",
    ],
)
def test_calls_are_nested_below_the_function_that_makes_them(
    line: str, text: str
) -> None:
    assert line in text


def test_a_condition_of_a_call_is_told(text: str) -> None:
    assert "`app.defaults()` (set what is sold by default), if `!res.locals`" in text


def test_a_function_is_followed_once(text: str) -> None:
    assert text.count("`app.set()`") == 1


def test_japanese_pages_tell_it_in_japanese() -> None:
    assert "`lib/shop.js` の `createShop()` は次の関数を呼び出します" in architecture(
        "ja"
    )
