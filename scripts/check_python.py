"""Refuse a Python that is too old, before pip says it in a thousand words."""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file runs on any Python 3
    sys.exit(
        "devrag needs Python 3.11 or newer; this is {}.{}. "
        "Install python3.11 or run: make PYTHON=/path/to/python3.11 demo".format(
            *sys.version_info[:2]
        )
    )
