"""A bar for a share, beside its number in a row of a table."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString


def draw_share(percent: float, look: str = "main") -> SafeString:
    """Draw a bar of a share of the width; what is more than nothing is seen."""
    wide = 0.0 if percent <= 0 else min(100.0, max(1.0, percent))
    return format_html(
        '<svg class="share-bar" height="8" aria-hidden="true">'
        '<rect class="share-ground" width="100%" height="8" rx="4"/>'
        '<rect class="chart-{}" width="{}%" height="8" rx="4"/></svg>',
        look,
        f"{wide:.1f}",
    )
