"""What the guide says of agents is complete and can be pasted."""

from __future__ import annotations

import json
import re

import pytest

from devrag.mcp.tools.registry import TOOLS
from tests.architecture.modules import ROOT

GUIDE = (ROOT / "docs" / "guide" / "mcp.md").read_text()
ROWS = dict(re.findall(r"^\| `([\w-]+)` \| (.+) \|$", GUIDE, re.MULTILINE))


def test_the_guide_has_every_tool_and_no_other() -> None:
    tools = GUIDE.partition("## Tools")[2].partition("## Errors")[0]
    listed = re.findall(r"^\| `([\w-]+)` \|", tools, re.MULTILINE)
    assert sorted(listed) == sorted(TOOLS)


@pytest.mark.parametrize("tool", TOOLS)
def test_examples_in_the_guide_are_arguments_of_the_tool(tool: str) -> None:
    example = re.search(r"`(\{[^`]*\})`$", ROWS[tool])
    given = json.loads(example[1]) if example else {}
    taken = set(TOOLS[tool].function.__annotations__) - {"ctx", "return"}
    assert set(given) <= taken


def test_what_is_to_be_pasted_is_json() -> None:
    blocks = re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        assert "devrag" in json.dumps(json.loads(block))


@pytest.mark.parametrize("option", ["--verbose", "--log-file"])
def test_the_guide_has_every_option(option: str) -> None:
    assert f"`{option}" in GUIDE
