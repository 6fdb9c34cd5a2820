"""A topic's main functions are told step by step, with conditions and results."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.steps import COMMENT, OUTSIDE, RAISE, RETURN, steps_of
from tests.wiki.shop import analyse
from tests.wiki.written import write

APPLICATION = """var View = require('./view');
var app = exports = module.exports = {};

/**
 * Render the given view `name` with `options`.
 */
app.render = function render(name, options) {
  var view;

  // merge options
  var merged = mergeOptions(this.locals, options);

  // primed cache
  if (merged.cache) {
    view = this.cache[name];
  }

  // look the view up
  if (!view) {
    view = lookupView(name);

    if (!view.path) {
      throw new Error('Failed to lookup view in its folder');
    }
  }

  this.router.handle(view);
  return view;
};

/**
 * Merge the options of a call with those of the application.
 */
function mergeOptions(locals, options) {
  return Object.assign({}, locals, options);
}

/**
 * Find the file of a view.
 */
function lookupView(name) {
  return new View(name);
}
"""
TREE = {
    "lib/application.js": APPLICATION,
    "lib/view.js": "module.exports = View;\n"
    "function View(name) {\n  this.path = name;\n}\n",
}
PYTHON = '''"""Run commands."""


class Command:
    """A command that can be run."""

    def main(self, args=None):
        """Run the command and return its status.

        Errors that people can mend end the process with a status of their own,
        all others are passed on to the caller.
        """
        if args is None:
            args = read_arguments()
        context = self.make_context(args)
        if not context:
            raise UsageError("No context was made for it.")
        return self.invoke(context)

    def make_context(self, args):
        """Make the context of a run."""
        return list(args)

    def invoke(self, context):
        """Call what the command does."""
        return len(context)


class UsageError(Exception):
    """A wrong use."""


def read_arguments():
    """Return the arguments of the process."""
    return []
'''


def page_with(tree: dict[str, str], heading: str, language: str = "en") -> str:
    drafts = write(tree, language=language)
    assert [d.findings for d in drafts.values() if d.findings] == []
    return next(d.markdown for d in drafts.values() if heading in d.markdown)


@pytest.fixture(scope="module")
def text() -> str:
    found = page_with(TREE, "### `app.render()`, step by step")
    return found.partition("### `app.render()`, step by step")[2]


@pytest.mark.parametrize(
    "told",
    [
        "1. Merge options",
        "Primed cache, if `merged.cache` is truthy: `view = this.cache[name]`",
        "It calls `mergeOptions()` (merge the options of a call with those of the",
        "If `view` is falsy: it calls `lookupView()` (find the file of a view)",
        "If `view.path` is falsy, it throws `Error` with the message `Failed to",
        "It calls `this.router.handle()`",
        "It returns `view`",
    ],
)
def test_each_step_is_told_in_order(told: str, text: str) -> None:
    assert told in text


def test_steps_are_in_the_order_of_the_lines(text: str) -> None:
    places = [text.index(t) for t in ("Merge options", "Primed cache", "It returns")]
    assert places == sorted(places)


def test_what_python_raises_is_raised() -> None:
    text = page_with({"lib/command.py": PYTHON}, "`Command.main()`, step by step")
    assert "If `args is None`, it calls `read_arguments()`" in text
    assert (
        "it raises `UsageError` with the message `No context was made for it`" in text
    )
    assert "Errors that people can mend end the process" in text


def test_japanese_pages_tell_steps_in_japanese() -> None:
    text = page_with({"lib/command.py": PYTHON}, "の処理の流れ", "ja")
    assert "`args is None` の場合は、`read_arguments()`" in text
    assert "を呼び出します" in text


def test_a_function_is_listed_without_a_sentence_that_the_surface_repeats() -> None:
    found = page_with(TREE, "## Public surface")
    assert "- `app.render()`:" not in found


def test_the_steps_of_a_function_have_their_kinds() -> None:
    analysis = analyse(TREE)
    render = next(s for s in analysis.survey.symbols if s.name == "render")
    kinds = [step.kind for step in steps_of(analysis, render.id)]
    assert kinds.count(COMMENT) == 3
    assert [kinds.count(k) for k in (OUTSIDE, RAISE, RETURN)] == [1, 1, 1]


KINDS = """/**
 * Send a body.
 */
exports.send = function send(body) {
  check(body);
  switch (typeof body) {
    case 'boolean':
    case 'object':
      if (body === null) {
        body = '';
      } else {
        return json(body);
      }
  }
  if (!body) {
    throw new Error('Type "' + typeOf(body) + '" is not known here.');
  }
  return ~body.indexOf('/')
    ? check(body)
    : { value: body };
};

exports.json = json;

/**
 * Send JSON.
 */
function json(body) {
  return body;
}

/**
 * Check a body.
 */
function check(body) {
  return body;
}
"""


@pytest.mark.parametrize(
    "told",
    [
        "If `typeof body` is `'boolean'` or `'object'` and `body` is not `null`",
        "it returns `json(body)` (send JSON)",
        "If `~body.indexOf('/')`",
        "it returns `check(body)`; otherwise `{ value: body }`",
    ],
)
def test_returned_values_are_told_once_with_their_case(told: str) -> None:
    text = page_with({"lib/send.js": KINDS}, "step by step")
    assert told in text


def test_a_comment_of_one_word_only_heads_the_call_that_is_told() -> None:
    labelled = TREE["lib/application.js"].replace("// look the view up", "// view")
    tree = {**TREE, "lib/application.js": labelled}
    text = page_with(tree, "### `app.render()`, step by step")
    assert ". If `view` is falsy: it calls `lookupView()`" in text
    assert ". View. " not in text


def test_a_message_that_is_joined_stands_in_the_table_of_errors() -> None:
    text = page_with({"lib/send.js": KINDS}, "## Errors")
    assert 'Type "…" is not known here.' in text.partition("## Errors")[2]


def test_the_parameters_of_a_function_have_a_heading() -> None:
    said = " * Send a body.\n *\n * @param {Object} body - what is sent to them\n"
    code = KINDS.replace(" * Send a body.\n", said)
    text = page_with({"lib/send.js": code}, "step by step")
    assert "Parameters of `send()`:\n\n- `body`: what is sent to them" in text


GO = """package shop

// Serve answers requests until the shop is closed.
func Serve(name string) error {
	defer tidyShop(name)
	if name == "" {
		return errName
	}
	openShop(name)
	countStock(name)
	return nil
}

// openShop opens the doors.
func openShop(name string) {}

// countStock counts what is there.
func countStock(name string) {}

// tidyShop cleans the floor.
func tidyShop(name string) {}
"""


def test_what_is_deferred_comes_last() -> None:
    tree = {"go.mod": "module example.org/shop\n", "main.go": GO}
    text = page_with(tree, "### `Serve()`, step by step")
    steps = text.partition("### `Serve()`, step by step")[2].partition("\n#")[0]
    assert "At the end it calls `tidyShop()` (cleans the floor)" in steps
    assert steps.index("`openShop()`") < steps.index("`tidyShop()`")


def _steps_of_go(before: str) -> str:
    code = GO.replace("\topenShop(name)\n", f"{before}\topenShop(name)\n")
    code = code.replace(" error {", " {").replace("return errName", "return")
    code = code.replace("\treturn nil\n}", "}")
    tree = {"go.mod": "module example.org/shop\n", "main.go": code}
    text = page_with(tree, "### `Serve()`, step by step")
    return text.partition("### `Serve()`, step by step")[2].partition("\n#")[0]


def test_what_both_branches_call_is_told_once() -> None:
    branches = "\tif len(name) > 3 {\n\t\tcountStock(name)\n\t} else {\n"
    steps = _steps_of_go(f"{branches}\t\tcountStock(name)\n\t}}\n")
    assert "Otherwise" not in steps
    assert "len(name)" not in steps
    before = steps[: steps.index("`openShop()`")]
    assert before.count("countStock(name)") == 1


def test_what_branches_call_with_other_arguments_is_told_of_each() -> None:
    branches = "\tif len(name) > 3 {\n\t\tcountStock(name)\n\t} else {\n"
    steps = _steps_of_go(f"{branches}\t\tcountStock(other)\n\t}}\n")
    assert "Otherwise, it calls `countStock(other)`" in steps


def test_an_else_if_is_told_behind_what_it_goes_on_from() -> None:
    branches = "\tif len(name) > 3 {\n\t\tcountStock(name)\n\t} else if isLate {\n"
    steps = _steps_of_go(f"{branches}\t\tcountStock(other)\n\t}}\n")
    assert "Otherwise, if `isLate` is true, it calls `countStock(other)`" in steps


def test_a_comment_on_an_early_return_says_that_it_ends_there() -> None:
    loop = "\tfor _, each := range shops {\n\t\tif each.Name == name || each.Old {\n"
    said = (
        "\t\t\t// A shop of this name is open already\n\t\t\treturn nil\n\t\t}\n\t}\n"
    )
    one = loop + said.replace("return nil", "return")
    steps = _steps_of_go(one + one.replace("name is", "kind is"))
    assert "It ends early: A shop of this name is open already" in steps


WRITER = """var http = require('node:http');
var store = require('./store');
var res = Object.create(http.ServerResponse.prototype);
module.exports = res;

/**
 * Send a body to the client, with its length.
 */
res.send = function send(body, done) {
  var app = this.app;

  // settings
  var settings = this.settings;

  // support function as second arg
  if (typeof body === 'function') {
    done = body;
  }

  // copy arguments
  var args = new Array(arguments.length);

  if (this.isFresh()) {
    this.status(304);
  }

  if (this.isHead) {
    this.end();
  } else {
    this.end(body);
  }

  if (this.isOpen) {
    if (this.isPiped) {
      this.write(1);
    } else {
      this.write(body);
    }
  }

  this.onEnd(args);
  var item = new store.Item(body);
  done(null, item);
  return this;
};

/**
 * Set the status.
 */
res.status = function status(code) {
  this.statusCode = code;
  return this;
};

/**
 * Return whether the copy of the client is the same.
 */
res.isFresh = function isFresh() {
  return this.copy === this.body;
};

/**
 * Keep what is called at the end.
 */
res.keep = function keep(fn) {
  this.onEnd = fn;
};
"""
STORE = """class Item {
  constructor(name) {
    this.name = name;
  }
}
module.exports = { Item };
"""


@pytest.fixture(scope="module")
def effects() -> str:
    tree = {"lib/response.js": WRITER, "lib/store.js": STORE}
    found = page_with(tree, "### `res.send()`, step by step")
    return found.partition("### `res.send()`, step by step")[2].partition("\n#")[0]


@pytest.mark.parametrize(
    "told",
    [
        "it calls `res.status(304)` (set the status)",
        "If `this.isHead` is true, it calls `this.end()`",
        "If `this.isOpen` is true: if `this.isPiped` is true, it calls `this.write(1)`",
        "Otherwise, it calls `this.end(body)`",
        "Otherwise, it calls `this.write(body)`",
        "It calls `this.onEnd()`",
        "the given function `done()`",
    ],
)
def test_effects_are_steps(told: str, effects: str) -> None:
    assert told in effects


@pytest.mark.parametrize(
    "noise",
    ["ettings", "second arg", "opy arguments", "returns `this`"],
)
def test_what_has_no_effect_is_no_step(noise: str, effects: str) -> None:
    assert noise not in effects


PROMPT = '''"""Asks people."""


class Prompt:
    """A question."""

    def ask(self, text, convert):
        """Ask until there is an answer, and return it as it was converted."""
        self.show(text)
        try:
            value = self.read(text)
        except (EOFError, KeyboardInterrupt):
            raise Abort("No answer was given.")
        if self.check(value):
            value = self.clean(value)
        return convert(value)

    def show(self, text):
        """Show a text."""
        return self.clean(text)

    def read(self, text):
        """Read an answer."""
        return self.clean(text)

    def check(self, value):
        """Return whether an answer is fit."""
        return bool(value)

    def clean(self, value):
        """Clean an answer."""
        return value


class Abort(Exception):
    """The end."""
'''


def test_errors_are_told_as_alternatives_and_conditions_once() -> None:
    text = page_with({"lib/prompt.py": PROMPT}, "`Prompt.ask()`, step by step")
    assert "If `EOFError` or `KeyboardInterrupt` is raised, it raises `Abort`" in text
    assert "If `self.check(value)` is truthy, it calls `Prompt.clean()`" in text
    assert "It calls `Prompt.check()`" not in text


def test_what_a_function_does_is_said_at_its_first_mention() -> None:
    twice = PROMPT.replace(
        "        return convert(value)\n",
        "        if self.strict:\n            value = self.clean(value)\n"
        "        return convert(value)\n",
    )
    page = write({"shop/prompt.py": twice})["features/prompt.md"].markdown
    steps = page.partition("step by step")[2].partition("\n#")[0]
    assert steps.count("`Prompt.clean(") > 1
    assert steps.count("(clean an answer)") == 1


def test_a_comment_that_names_no_action_is_not_told_with_calls() -> None:
    text = page_with(
        {
            **TREE,
            "lib/application.js": APPLICATION.replace(
                "// look the view up", "// non-primed cache"
            ),
        },
        "### `app.render()`",
    )
    assert "lookupView" in text
    assert "Non-primed cache" not in text


def test_the_call_below_a_comment_that_names_no_action_is_told_alone() -> None:
    code = APPLICATION.replace(
        "  return view;\n", "\n  // rendered a view\n  view.emit('done', this);\n"
    )
    text = page_with({**TREE, "lib/application.js": code}, "### `app.render()`")
    assert "It calls `view.emit('done', this)`" in text
    assert "Rendered a view" not in text
