"""The values of an object tie the functions that set them to those that use them."""

from __future__ import annotations

from devrag.wiki.analysis.kept_values import kept_values
from tests.wiki.shop import analyse
from tests.wiki.written import write

APPLICATION = """var app = exports = module.exports = {};

/**
 * Initialize the application.
 */
app.init = function init() {
  this.engines = {};
  Object.defineProperty(this, 'router', { get: function () { return make(); } });
  this.alone = true;
};

/**
 * Dispatch a request.
 */
app.handle = function handle(req) {
  this.router.handle(req);
};

/**
 * Add middleware.
 */
app.use = function use(fn) {
  this.router.use(fn);
  return this.engines[fn];
};

/**
 * Register an engine.
 */
app.engine = function engine(ext, fn) {
  this.engines[ext] = fn;
  // this.alone is not used here
};
"""
TREE = {"lib/application.js": APPLICATION}


def test_values_have_those_that_set_and_those_that_use_them() -> None:
    analysis = analyse(TREE)
    ((owner, values),) = kept_values(analysis, analysis.topics[0])
    assert owner == "app"
    told = {
        value.name: (
            [place.symbol.name for place in value.set_in],
            [place.symbol.name for place in value.used_in],
        )
        for value in values
    }
    assert told == {
        "engines": (["init"], ["use", "engine"]),
        "router": (["init"], ["handle", "use"]),
    }


def test_private_classes_have_no_table() -> None:
    body = "class _Parser:\n    def __init__(self):\n        self.a = self.b = 1\n\n"
    body += "".join(
        f"    def use_{n}(self):\n        return self.a + self.b\n\n" for n in "xyz"
    )
    analysis = analyse({"lib/parser.py": body})
    assert kept_values(analysis, analysis.topics[0]) == []
    public = analyse({"lib/parser.py": body.replace("_Parser", "Parser")})
    assert kept_values(public, public.topics[0])


def test_the_page_has_a_cited_table() -> None:
    drafts = write(TREE)
    assert [d.findings for d in drafts.values() if d.findings] == []
    text = next(d.markdown for d in drafts.values() if "State kept by" in d.markdown)
    assert "### State kept by `app`" in text
    assert "| `router` | `init()` [" in text
