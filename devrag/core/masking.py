"""Hide strings that look like secrets in text that leaves or is shown."""

from __future__ import annotations

import re

_SECRET = re.compile(
    r"(?i)((?:api[_-]?key|secret|token|passw(?:or)?d)[\"']?\s*[:=]\s*[\"'])([^\"'\s]{12,})"
    r"|\b((?:sk|pk|ghp|gho|xox[bp]|AKIA)[-_]?[A-Za-z0-9_-]{16,})"
)


def mask_secrets(text: str) -> str:
    """Return the text with bullets for what looks like a key, token or password."""
    return _SECRET.sub(_mask, text)


def _mask(match: re.Match[str]) -> str:
    return f"{match.group(1)}••••" if match.group(1) else "••••"
