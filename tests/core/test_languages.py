from __future__ import annotations

import pytest

from devrag.core.languages import spell_language


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("csharp", "C#"),
        ("c++", "C++"),
        ("xml", "XML"),
        ("python", "Python"),
        ("visual_basic", "Visual basic"),
    ],
)
def test_a_language_is_spelled_as_people_do(name: str, spelled: str) -> None:
    assert spell_language(name) == spelled
