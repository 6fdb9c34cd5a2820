"""Settings that code keeps by name have a default and those that read them."""

from __future__ import annotations

import re

import pytest

from devrag.wiki.analysis.settings import NAMED, Setting, settings_of
from tests.wiki.shop import analyse
from tests.wiki.written import write

APPLICATION = """var app = exports = module.exports = {};

/**
 * Initialize the settings.
 */
app.defaults = function defaults() {
  var env = process.env.NODE_ENV || 'development';

  this.enable('x-powered-by');
  this.set('etag', 'weak');
  this.set('env', env);
  this.set('trust proxy', false);

  if (env === 'production') {
    this.enable('view cache');
  }
};

/**
 * Assign `setting` to `val`, or return its value.
 */
app.set = function set(setting, val) {
  this.settings[setting] = val;
  if (setting === 'etag') this.set('etag fn', compile(val));
  return this;
};

/**
 * Check if `setting` is enabled.
 */
app.enabled = function enabled(setting) {
  return Boolean(this.settings[setting]);
};

/**
 * Enable `setting`.
 */
app.enable = function enable(setting) {
  return this.set(setting, true);
};

/**
 * Render a view.
 */
app.render = function render(name) {
  if (this.enabled('view cache')) return this.cache[name];
  return this.get('view engine');
};
"""
REQUEST = """var req = exports = module.exports = {};

/**
 * Return the address of the client.
 */
req.ip = function ip() {
  var trust = this.app.get('trust proxy');
  return trust ? this.get('X-Forwarded-For') : this.connection;
};
"""
TREE = {"lib/application.js": APPLICATION, "lib/request.js": REQUEST}


@pytest.fixture(scope="module")
def settings() -> dict[str, Setting]:
    groups = settings_of(analyse(TREE))
    return {
        s.name: s for group in groups if group.kind == NAMED for s in group.settings
    }


def test_settings_are_what_the_functions_for_them_are_given(
    settings: dict[str, Setting],
) -> None:
    assert sorted(settings) == [
        "env",
        "etag",
        "trust proxy",
        "view cache",
        "view engine",
        "x-powered-by",
    ]


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("x-powered-by", "true"),
        ("etag", "'weak'"),
        ("trust proxy", "false"),
        ("env", "process.env.NODE_ENV || 'development'"),
        ("view engine", ""),
    ],
)
def test_the_default_is_what_is_set(
    name: str, default: str, settings: dict[str, Setting]
) -> None:
    assert settings[name].default == default


def test_headers_of_a_request_are_no_settings(settings: dict[str, Setting]) -> None:
    assert "X-Forwarded-For" not in settings


def test_products_without_such_functions_have_none() -> None:
    tree = {"lib/store.js": "exports.set = function set(key, value) {};\n" + REQUEST}
    assert [g for g in settings_of(analyse(tree)) if g.kind == NAMED] == []


def test_the_page_tells_default_condition_and_readers() -> None:
    draft = write(TREE)["configuration.md"]
    assert draft.findings == ()
    lines = draft.markdown.split("\n")
    cache = next(line for line in lines if line.startswith("| `view cache`"))
    assert "`true` if `env === 'production'`" in cache
    assert "`app.render()`" in cache
    proxy = next(line for line in lines if line.startswith("| `trust proxy`"))
    assert "`req.ip()`" in proxy


MEANT = """var app = exports = module.exports = {};
var Router = require('router');

app.init = function init() {
  this.router = new Router({
    strict: this.enabled('strict routing')
  });
  this.set('trust proxy', false);
  this.set('etag', 'weak');
  this.enable('x-powered-by');
};

/**
 * Return the protocol.
 *
 * When the "trust proxy" setting is on, the header of the proxy is used instead.
 */
app.protocol = function protocol() {
  return this.enabled('trust proxy');
};

/**
 * Render `etag` with the given options and the rest of it.
 */
app.handle = function handle(req, res) {
  // set powered by header
  if (this.enabled('x-powered-by')) {
    res.setHeader('X-Powered-By', 'Shop');
  }
  var spaces = this.get('json spaces');
  return write(res, spaces);
};

app.set = function set(setting, val) {
  switch (setting) {
    case 'etag':
      this.fn = compileEtag(val);
      break;
  }
  this.settings[setting] = val;
};

app.enabled = function enabled(setting) {
  return Boolean(this.settings[setting]);
};

app.enable = function enable(setting) {
  return this.set(setting, true);
};

function compileEtag(val) {
  switch (val) {
    case 'weak':
      return 1;
    case false:
      return 0;
  }
}

function write(res, spaces) {
  return res.write(spaces);
}
"""


@pytest.mark.parametrize(
    "row",
    [
        "| `strict routing` | Passed to `Router()` as `strict`. On or off. | not set |",
        '| `trust proxy` | When the "trust proxy" setting is on, the header of the',
        "| `etag` | Special values: `'weak'` and `false`. |",
        "| `x-powered-by` | Set powered by header. On or off. | `true` |",
        "| `json spaces` | Passed to `write()` as `spaces`. | not set |",
    ],
)
def test_a_setting_has_its_meaning_and_values(row: str) -> None:
    page = write({"lib/application.js": MEANT})["configuration.md"]
    assert page.findings == ()
    assert row in re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", page.markdown)


OPTION = '''"""Options of a command line."""


class Option:
    """An option of a command.

    :param prompt: asks for the value.
    :param hidden: is not shown.
    """

    prompt: str = "p"
    hidden: bool = False
'''


def test_a_class_named_option_is_one_option_and_holds_none() -> None:
    groups = settings_of(analyse({"lib/core.py": OPTION}))
    assert [group.title for group in groups] == []
