"""Icons: each is drawn and used, and a meaning has one icon."""

from __future__ import annotations

import re
from collections import defaultdict

from devrag.core.installation import FILES_DIR, PACKAGE_DIR

_SVG = (FILES_DIR / "static" / "icons.svg").read_text()
_TEMPLATES = [path.read_text() for path in (FILES_DIR / "templates").rglob("*.html")]
_CODE = [path.read_text() for path in (PACKAGE_DIR / "web").rglob("*.py")]
_SCRIPTS = [path.read_text() for path in (FILES_DIR / "static" / "js").glob("*.js")]
_DRAWN = set(re.findall(r'<symbol id="([^"]+)"', _SVG))
_ICON = re.compile(r'{% icon "([a-z-]+)"')
_LABELLED = re.compile(r'{% icon "([a-z-]+)"[^%]*%}\s*{% translate "([^"]+)"')


def test_every_icon_that_is_used_is_drawn() -> None:
    assert {name for text in _TEMPLATES for name in _ICON.findall(text)} <= _DRAWN


def test_every_icon_that_is_drawn_is_used() -> None:
    everything = "\n".join(_TEMPLATES + _CODE + _SCRIPTS)

    def is_used(name: str) -> bool:
        return f'"{name}"' in everything or f"#{name}" in everything

    assert [name for name in sorted(_DRAWN) if not is_used(name)] == []


def test_the_list_of_meanings_has_each_icon_once() -> None:
    names = re.findall(r"^([a-z-]+): ", _SVG, re.M)
    assert names == sorted(_DRAWN)
    meanings = re.findall(r"^[a-z-]+: (.+)$", _SVG, re.M)
    assert len(set(meanings)) == len(meanings)


def test_a_label_has_the_same_icon_everywhere() -> None:
    icons = defaultdict(set)
    for text in _TEMPLATES:
        for icon, label in _LABELLED.findall(text):
            icons[label].add(icon)
    assert {label: found for label, found in icons.items() if len(found) > 1} == {}
