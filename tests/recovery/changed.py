"""Run Celery with one constant of the code changed, as another release would have it.

`python -m tests.recovery.changed devrag.parsing.types:FACTS_VERSION=7 <arguments>`;
the module is changed before anything else imports it.
"""

from __future__ import annotations

import importlib
import sys

from celery.__main__ import main

if __name__ == "__main__":
    target, _, value = sys.argv.pop(1).partition("=")
    module, _, name = target.partition(":")
    setattr(importlib.import_module(module), name, int(value))
    main()
