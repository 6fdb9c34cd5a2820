"""What comments say of members that no code has any more is not quoted."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.stale_names import has_stale_name
from tests.wiki.shop import analyse

CODE = """/**
 * This method uses `req.accepted`.
 */
var req = exports = module.exports = {};

req.accepts = function accepts(type) {
  return this.types.includes(type);
};

req.header = function header(name) {
  return this.headers[name];
};

req.is = function is(type) {
  return this.accepts(type);
};
"""


@pytest.mark.parametrize(
    ("sentence", "is_stale"),
    [
        ("This method uses `req.accepted`, an array.", True),
        ("It asks `req.accepts()` first.", False),
        ("It reads `req.headers`.", False),
        ("It opens `fs.readFile`.", False),
        ("Send req.accepted to the client.", False),
        ("The server is set up in `req.yml`.", False),
        ("What it gets is kept in `req.dump`.", False),
    ],
)
def test_a_sentence_has_a_name_that_the_code_lost(
    sentence: str, *, is_stale: bool
) -> None:
    analysis = analyse({"lib/request.js": CODE, "var/req.dump": "1\n"})
    assert has_stale_name(analysis, sentence) is is_stale
