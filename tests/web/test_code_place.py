"""Where one is in a source, above a file or folder."""

from __future__ import annotations

from django.test import Client

from .conftest import Harbour
from .markup import squeeze


def test_folders_above_the_last_are_in_a_menu_on_phones(
    bob: Client, harbour: Harbour
) -> None:
    base = "/p/harbour/s/harbour-code/-/current/"
    page = squeeze(bob.get(f"{base}src/greeter.py"))
    menu = page.partition('aria-label="Folders above"')[2].partition("</details>")[0]
    assert f'<a class="menu-item" href="{base}">files</a>' in menu
    assert "greeter.py" not in menu
    assert 'aria-label="Folders above"' not in squeeze(bob.get(base))
