"""A tiny project around the `server` command: no app but runtime, fake processes."""

from __future__ import annotations

import os

from devrag.core.cli import main

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "project_settings"
    main()
