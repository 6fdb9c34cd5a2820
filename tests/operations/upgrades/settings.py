"""devrag's settings with one more application, named by BROKEN_UPGRADE."""

from __future__ import annotations

import os

from devrag.settings import *  # noqa: F403  # as Django reads settings
from devrag.settings import INSTALLED_APPS as _APPS

# First, so that its commands stand before those of devrag.
INSTALLED_APPS = [f"tests.operations.upgrades.{os.environ['BROKEN_UPGRADE']}", *_APPS]
