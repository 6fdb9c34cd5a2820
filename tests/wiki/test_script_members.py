"""Public names of JavaScript that a loop, a getter or another package makes."""

from __future__ import annotations

import pytest

from tests.wiki.written import write

FRONT = """var parser = require('body-things');
var proto = require('./application');

exports = module.exports = createShop;

/**
 * Create a shop.
 */
function createShop() {
  var app = function (req, res) {
    app.handle(req, res);
  };
  mixin(app, proto, false);
  return app;
}

/**
 * Read bodies.
 */
exports.json = parser.json
exports.static = require('serve-things');
"""
APPLICATION = """var methods = require('./utils').methods;

/**
 * Prototype of a shop.
 */
var app = exports = module.exports = {};

/**
 * Sell something.
 */
app.sell = function sell(book) {
  return book;
};

/**
 * Buy something.
 */
app.buy = function buy(book) {
  return book;
};

/**
 * Answer a request.
 */
app.handle = function handle(req, res) {
  return res;
};

/**
 * Delegate `.VERB(...)` calls to the router.
 */
methods.forEach(function (method) {
  app[method] = function (path) {
    return this.route(path);
  };
});

/**
 * Return the name of the shop.
 *
 * @return {String}
 */
defineGetter(app, 'title', function title() {
  return 'shop';
});
"""
TREE = {
    "package.json": '{"name": "shop", "main": "lib/shop.js", "dependencies": '
    '{"body-things": "1", "serve-things": "1", "other-things": "2"}}',
    "lib/shop.js": FRONT,
    "lib/application.js": APPLICATION,
    "lib/utils.js": "exports.methods = ['get'];\n",
    "examples/hello/index.js": "var app = shop();\napp.get('/', answer);\n",
    "examples/bye/index.js": "// Say goodbye to customers.\nvar app = shop();\n",
    "examples/README.md": "# Examples\n\n- [hello](./hello) - Greets a customer\n",
}


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    drafts = write(TREE)
    assert [d.findings for d in drafts.values() if d.findings] == []
    return {path: draft.markdown for path, draft in drafts.items()}


@pytest.fixture(scope="module")
def text(pages: dict[str, str]) -> str:
    return "\n".join(pages.values())


@pytest.mark.parametrize(
    "told",
    [
        "`app[method]()`",
        "The names are those in `methods`.",
        "Examples and tests call `app.get()`",
        "Return the name of the shop",
        "`shop.json`",
        "Re-exports `parser.json` of the package `body-things`",
        "Re-exports the package `serve-things`",
    ],
)
def test_made_names_are_part_of_the_public_surface(told: str, text: str) -> None:
    assert told in text


def test_a_topic_is_the_object_that_it_exports(text: str) -> None:
    assert "exports the object `app` (prototype of a shop)" in text
    assert "with 3 functions" in text
    assert "puts them on the object that it makes" in text


def test_the_examples_are_listed_with_what_they_show(
    pages: dict[str, str], text: str
) -> None:
    assert "## Examples" in text
    assert "2 example programs" in text
    assert "**`examples/hello`**" in text
    assert "Greets a customer" in text
    assert "Say goodbye to customers" in text


def test_packages_that_only_the_manifest_names_are_told(pages: dict[str, str]) -> None:
    assert "The manifest also names `other-things`" in pages["architecture.md"]
