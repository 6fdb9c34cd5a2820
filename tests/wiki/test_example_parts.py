"""What example programs explain in their comments is quoted with its code."""

from __future__ import annotations

from devrag.wiki.analysis.example_concepts import concepts_of
from devrag.wiki.analysis.example_parts import example_parts, whole_program
from devrag.wiki.analysis.example_programs import example_programs
from tests.wiki.shop import analyse
from tests.wiki.written import write

ERRORS = """// error handlers take four arguments instead
// of the usual three

function onError(err, req, res, next) {
  res.status(500)
}

/**
 * Module dependencies and nothing else.
 */
var fs = require('fs')

app.get('/next', function (req, res, next) {
  // errors of asynchronous work are passed on by calling next with them
  next(new Error('oh no'))
})

// run it with: curl http://localhost:3000/
app.listen(3000)
"""
ROUTES = """// params of a path are loaded before its handlers run
app.param('user', load)

app.get('/user/:user', show)
"""
LIST = """# Examples

- [errors](./errors) - Working with error middleware
- [routes](./routes) - Working with middleware of routes
- [hello](./hello) - Hello world
"""
LIB = (
    """/**
 * Add middleware to the application, which each route of it passes.
 */
exports.use = function use(fn) {
  stack.push(fn)
  return this
}
"""
    + "var stack = []\n" * 30
)
TREE = {
    "README.md": "# Web\n\nA library for servers on the web.\n",
    "lib/app.js": LIB,
    "examples/README.md": LIST,
    "examples/errors/index.js": ERRORS,
    "examples/routes/index.js": ROUTES,
    "examples/hello/index.js": "var web = require('../..')\nweb.listen(1)\n",
}


def test_a_statement_is_explained_above_or_inside() -> None:
    parts = example_parts(ERRORS.split("\n"))
    assert [(part.start, part.end) for part in parts] == [(4, 6), (13, 16)]
    said = "error handlers take four arguments instead of the usual three"
    assert parts[0].text == said
    assert parts[0].said == (1, 2)
    assert parts[1].text == ""


def test_decorators_belong_to_what_they_decorate() -> None:
    code = (
        "# says hello to everybody who asks\n@command()\n@option\ndef hi():\n    pass\n"
    )
    [part] = example_parts(code.split("\n"))
    assert (part.start, part.end) == (2, 5)


def test_only_a_short_program_is_shown_whole() -> None:
    short = whole_program(["a = 1", "", "b = 2", ""])
    assert short is not None
    assert (short.start, short.end) == (1, 3)
    assert whole_program(["a = 1"] * 40) is None


def test_programs_stand_together_by_a_word_of_the_product() -> None:
    analysis = analyse(TREE)
    found = concepts_of(analysis, example_programs(analysis))
    told = {each.title: [p.path for p in each.programs] for each in found}
    assert told == {
        "Middleware": ["examples/errors", "examples/routes"],
        "": ["examples/hello"],
    }


def test_the_page_quotes_comments_with_their_code() -> None:
    page = write(TREE)["examples.md"]
    assert page.findings == ()
    text = page.markdown
    assert "### Working with error middleware" in text
    assert "Error handlers take four arguments instead of the usual three [" in text
    assert "function onError(err, req, res, next) {\n  res.status(500)\n}" in text
    assert "curl" not in text
    assert "web.listen(1)" in text


def test_few_explanations_make_no_page() -> None:
    few = {**TREE, "examples/errors/index.js": "app.listen(1)\n"}
    assert "examples.md" not in write(few)
