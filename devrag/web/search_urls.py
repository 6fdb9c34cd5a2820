"""Addresses of searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse


def search_url(wanted: Mapping[str, Any]) -> str:
    """Return the address of a search, without the filters that are not set."""
    set_ones = {
        name: "on" if value is True else value
        for name, value in wanted.items()
        if value
    }
    query = urlencode(set_ones)
    return f"{reverse('web:search')}?{query}" if query else reverse("web:search")
