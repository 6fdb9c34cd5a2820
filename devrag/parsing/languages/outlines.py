"""The languages known by their outline alone: name of the language → its spec."""

from __future__ import annotations

from devrag.parsing.languages.outline_classes import CLASSES
from devrag.parsing.languages.outline_declarations import DECLARATIONS
from devrag.parsing.languages.outline_functional import FUNCTIONAL
from devrag.parsing.languages.outline_lisps import LISPS
from devrag.parsing.languages.outline_procedural import PROCEDURAL

OUTLINES = CLASSES | DECLARATIONS | FUNCTIONAL | LISPS | PROCEDURAL
