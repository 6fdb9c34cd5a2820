"""What a file says about itself, and what only looks like that."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.purposes import purpose_of


@pytest.mark.parametrize(
    "heading",
    [
        "Module dependencies.\n * @private",
        "Dependencies",
        "Module exports.",
        "Local variables:",
    ],
)
def test_the_heading_of_a_block_is_no_purpose(heading: str) -> None:
    text = f"'use strict';\n\n/**\n * {heading}\n */\n\nvar http = require('http');\n"
    assert purpose_of(text) is None


def test_a_sentence_on_dependencies_is_a_purpose() -> None:
    found = purpose_of("/**\n * Module dependencies are resolved here.\n */\n")
    assert found is not None
    assert (found.text, found.start_line) == (
        "Module dependencies are resolved here.",
        1,
    )
