"""A tiny project around the `server` command: no app but runtime, fake processes."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "project_settings"
    execute_from_command_line(sys.argv)
