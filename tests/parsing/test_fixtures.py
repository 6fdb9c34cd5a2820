from __future__ import annotations

import json

import pytest

from .cases import FIXTURES, PATHS, as_json, parse_fixture


@pytest.mark.parametrize("name", PATHS)
def test_a_fixture_gives_its_expected_facts(name: str) -> None:
    expected = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(as_json(parse_fixture(name)))) == expected


def test_every_fixture_is_listed() -> None:
    assert {path.name[:-4] for path in FIXTURES.glob("*.txt")} == set(PATHS)
    assert {path.name[:-5] for path in FIXTURES.glob("*.json")} == set(PATHS)
