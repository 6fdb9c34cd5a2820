"""Markup as tests compare it: without the line breaks of templates."""

from __future__ import annotations

import re

from django.http import HttpResponse


def squeeze(page: str | HttpResponse) -> str:
    """Return markup with single spaces, and none beside tags."""
    text = page if isinstance(page, str) else page.content.decode()
    return re.sub(r" ?(<[^>]*>) ?", r"\1", re.sub(r"\s+", " ", text))
