"""Run Celery with one constant of the code changed, as another release would have it.

`python -m tests.recovery.changed devrag.parsing.types:FACTS_VERSION=7 <arguments>`.
A module that knows no Django is changed before anything else imports it.
"""

from __future__ import annotations

import importlib
import os
import sys

import django
from celery.__main__ import main

if __name__ == "__main__":
    target, _, value = sys.argv.pop(1).partition("=")
    module, _, name = target.partition(":")
    if not module.startswith("devrag.parsing."):
        os.environ["DJANGO_SETTINGS_MODULE"] = "devrag.settings"
        django.setup()
    setattr(importlib.import_module(module), name, int(value))
    main()
