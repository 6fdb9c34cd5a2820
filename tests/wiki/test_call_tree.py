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


COMMAND = """package shop

// Command is what a user runs.
type Command struct {
	// Run does the work.
	Run func(args []string)
}

// Execute finds the command and runs it.
func (c *Command) Execute(args []string) error {
	c.prepare(args)
	c.find(args)
	return c.run(args)
}

// prepare adds what every command has.
func (c *Command) prepare(args []string) {
	c.find(args)
}

// find returns the command that the arguments name.
func (c *Command) find(args []string) *Command {
	return c
}

// run runs the command with its hooks.
func (c *Command) run(args []string) error {
	if c.Run != nil {
		c.Run(args)
	}
	return nil
}
"""


def test_a_library_begins_with_the_method_that_its_users_call() -> None:
    guide = "# Use\n\n```go\nshop.Command{}\ncmd.Execute(args)\n```\n"
    tree = {"command.go": COMMAND, "go.mod": "module shop\n", "README.md": guide}
    page = write(tree)["architecture.md"]
    assert page.findings == ()
    text = page.markdown.partition("## How a call travels")[2]
    text = re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", text)
    assert "`Command.Execute()` in `command.go` makes these calls" in text
    assert "`c.Run()`, if `c.Run != nil`" in text
