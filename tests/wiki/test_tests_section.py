"""The tests of a topic are named by how near their names are to its files."""

from __future__ import annotations

from tests.wiki.written import write

RESPONSE = """var http = require('node:http');

/**
 * The response of a request.
 */
var res = Object.create(http.ServerResponse.prototype);
module.exports = res;

/** Send a body. */
res.send = function send(body) {
  return this.end(body);
};

/** Send JSON. */
res.json = function json(value) {
  return this.send(JSON.stringify(value));
};

/** Send a status. */
res.status = function status(code) {
  this.code = code;
  return this;
};
"""


def test_tests_named_after_an_exported_object_come_first() -> None:
    case = "it('should answer', function () {\n  res.send('a');\n  res.json(1);\n});\n"
    pages = write(
        {
            "lib/response.js": RESPONSE,
            "lib/index.js": "module.exports = require('./response');\n",
            "test/agent.js": case,
            "test/app.head.js": case,
            "test/res.send.js": case,
        }
    )
    text = next(
        line
        for page in pages.values()
        for line in page.markdown.split("\n")
        if "named in the tests" in line
    )
    assert text.index("test/res.send.js") < text.index("test/agent.js")
