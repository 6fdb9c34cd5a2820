"""The page on the architecture tells how a call travels, from the start on."""

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
APPLICATION = """var Router = require('router');
var http = require('node:http');
var app = exports = module.exports = {};

/**
 * Set the shop up.
 */
app.init = function init() {
  var router = null;
  this.defaults();
  Object.defineProperty(this, 'router', {
    get: function getrouter() {
      if (router === null) {
        router = new Router();
      }
      return router;
    }
  });
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

/**
 * Add what answers requests.
 */
app.use = function use(fn) {
  this.router.use(fn);
};

/**
 * Listen for requests.
 */
app.listen = function listen() {
  return http.createServer(this).listen();
};
"""
TREE = {
    "package.json": """{
  "name": "shop",
  "main": "lib/shop.js",
  "dependencies": {
    "router": "2"
  }
}
""",
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
        "\n- `app.handle()` (answer a request)\n",
        "\n  - `this.router.handle()`\n",
        "  - `Router()` of the package `router`, when `router` is read",
        "`createShop()` returns the function `app(req, res)`.",
        (
            "`app.listen()` passes its own object (`this`) to `http.createServer()` of "
            "`node:http`."
        ),
        "The function `app(req, res)` that `createShop()` returns makes these calls",
        (
            "There the call leaves the product: `router` is made by `Router()` of the "
            "package `router`. `this.router.handle()` gets `req` and `res`."
        ),
        "Other public functions that call methods of `router`: `app.use()` (add what",
        "\n- `mixin()` of the package `mixin-things`\n",
        "\n- `app.init()` (set the shop up)\n  - `app.defaults()` (set what is sold",
    ],
)
def test_calls_are_nested_below_the_function_that_makes_them(
    line: str, text: str
) -> None:
    assert line in text


def test_the_start_and_each_call_are_told_apart(text: str) -> None:
    start, _, later = text.partition("### On each call")
    assert "`app.handle()`" not in start
    assert "`app.init()`" not in later


def test_a_condition_of_a_call_is_told(text: str) -> None:
    assert (
        "`app.defaults()` (set what is sold by default), if `res.locals` is falsy"
        in text
    )


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
	// Skip does nothing.
	Skip func(args []string)
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
	} else {
		c.Skip(args)
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
    assert "`c.Skip()`, if `c.Run` is `nil`" in text
    assert "Users of `Command` supply these functions: `Run` and `Skip`." in text


SERVER = '''"""A shop that answers requests."""
from werkzeug.serving import run_simple


class Shop:
    """Answers requests."""

    def run(self, host, port):
        """Serve the shop."""
        run_simple(host, port, self)

    def __call__(self, environ, start_response):
        """Answer one request."""
        context = self.make_context(environ)
        self.check(context)
        self.sell(context)
        return self.answer(context)

    def make_context(self, environ):
        """Make what the request is about."""
        return environ

    def check(self, context):
        """Check the request."""
        return self.make_context(context)

    def sell(self, context):
        """Sell what is asked for."""
        return self.make_context(context)

    def answer(self, context):
        """Make the answer."""
        return self.sell(context)
'''


def test_what_a_server_calls_is_told_for_each_call() -> None:
    guide = "# Use\n\n```python\nShop().run(host, port)\nShop.run()\n```\n"
    tree = {
        "shop/__init__.py": 'from shop.app import Shop\n\n__all__ = ["Shop"]\n',
        "shop/app.py": SERVER,
        "README.md": guide,
    }
    page = write(tree)["architecture.md"]
    assert page.findings == ()
    text = re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", page.markdown)
    assert (
        "`Shop.run()` passes its own object (`self`) to `run_simple()` of `werkzeug`."
        in text
    )
    later = text.partition("### On each call")[2]
    assert "`Shop.__call__()` in `shop/app.py` makes these calls" in later
    assert "\n- `Shop.answer()` (make the answer)" in later


PROGRAM = """package main

func main() {
	load()
	find()
	sell()
	report()
}

// load reads the list.
func load() { find() }

// find finds a book.
func find() {}

// sell sells a book.
func sell() { find() }

// report tells what was sold.
func report() { find() }
"""


def test_a_program_is_told_from_where_it_begins() -> None:
    page = write({"main.go": PROGRAM, "go.mod": "module shop\n"})["architecture.md"]
    assert page.findings == ()
    text = re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", page.markdown)
    assert "The program begins with `main()` in `main.go`" in text
    assert "\n- `sell()` (sells a book)" in text


def test_of_several_programs_the_outermost_is_told() -> None:
    tool = PROGRAM.replace("sell", "make").replace("\treport()\n}", "\treport()\n}\n")
    tree = {
        "main.go": PROGRAM,
        "cmd/generate/main.go": tool,
        "go.mod": "module shop\n",
    }
    text = write(tree)["architecture.md"].markdown
    assert "The program begins with `main()`" in text
    assert "in `main.go`" in text
    assert "in `cmd/generate/main.go`, which" not in text
