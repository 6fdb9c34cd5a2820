"""Django's system checks of this package."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage
from django.core.checks import Warning as CheckWarning

from devrag.sources.ssh_key import key_complaint


def check_ssh_key(**_: Any) -> list[CheckMessage]:
    """Warn of an SSH key that other accounts can use."""
    path = settings.GIT_SSH_KEY_PATH
    complaint = key_complaint(path) if path.is_file() else ""
    return [CheckWarning(complaint, id="sources.W001")] if complaint else []
