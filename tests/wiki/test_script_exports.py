"""Which names of a JavaScript module others can take, and how they call them."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.script_exports import (
    exported_names,
    is_object_member,
    names_assigned,
)
from devrag.wiki.analysis.visibility import is_exposed
from tests.wiki.shop import analyse, file_named
from tests.wiki.written import write

RESPONSE = """\
var res = Object.create(http.ServerResponse.prototype)

module.exports = res

/**
 * Send the body of a response to the customer who asked for it.
 *
 * @public
 */
res.send = function send(body) { return write(this, body) }

/**
 * Set a header field of the response to the given value.
 */
res.set = res.header = function header(field, value) { return this }

/**
 * Check whether one of the given types is accepted by the customer.
 *
 * @param {String} type
 */
res.accepts = function() { return check(arguments) }

/**
 * Write the body of a response in pieces.
 *
 * @private
 */
res.pieces = function pieces(body) {}

// Write a body to the socket of the response.
function write(res, body) { return res }
"""
TREE = {
    "package.json": '{"name": "shop", "main": "lib/response.js"}\n',
    "lib/response.js": RESPONSE,
}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("var app = exports = module.exports = {}\n", {"app"}),
        ("module.exports = { add, sub: minus }\n", {"add", "sub", "minus"}),
        ("exports.etag = make()\nexports = module.exports = run\n", {"etag", "run"}),
        ("export { a, b as c }\nexport default D\n", {"a", "b", "D"}),
        ("export function f() {}\n", set()),  # marked where it is defined
    ],
)
def test_the_names_that_a_module_exports(text: str, names: set[str]) -> None:
    analysis = analyse({"a.js": text})
    found = exported_names(analysis, file_named(analysis, "a.js").id)
    assert found is not None
    assert found - {""} == names


def test_a_script_without_exports_hides_nothing() -> None:
    analysis = analyse({"a.js": "function f() {}\n"})
    (found,) = [s for s in analysis.survey.symbols if s.name == "f"]
    assert exported_names(analysis, found.file) is None
    assert is_exposed(analysis, found)


def test_members_of_an_exported_object_are_public_and_helpers_are_not() -> None:
    analysis = analyse(TREE)
    functions = [s for s in analysis.survey.symbols if s.kind in {"method", "function"}]
    exposed = {s.qualified_name for s in functions if is_exposed(analysis, s)}
    assert exposed == {"res.send", "res.header", "res.accepts"}
    assert all(is_object_member(analysis, s) == (s.name != "write") for s in functions)


def test_methods_of_a_type_are_no_members_of_an_object() -> None:
    text = "module.exports = View\nfunction View() {}\n"
    text += "View.prototype.show = function() {}\n"
    analysis = analyse({"view.js": text})
    shown = next(s for s in analysis.survey.symbols if s.name == "show")
    assert is_exposed(analysis, shown)
    assert not is_object_member(analysis, shown)


def test_a_function_has_all_the_names_it_is_assigned_to() -> None:
    analysis = analyse(TREE)
    found = next(s for s in analysis.survey.symbols if s.name == "header")
    assert names_assigned(found) == ["res.set", "res.header"]


def test_the_surface_shows_members_as_they_are_called() -> None:
    pages = write(TREE).values()
    text = next(p.markdown for p in pages if "## Public surface" in p.markdown)
    surface = text.partition("## Public surface")[2].partition("\n## ")[0]
    for call in ("`res.send(body)`", "`res.set(field, value)`", "`res.accepts(type)`"):
        assert call in surface
    assert "`res.header(field, value)`" in surface
    assert "write()" not in surface
    assert "pieces" not in surface
    assert "function" not in surface
