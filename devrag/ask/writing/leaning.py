"""How a sentence begins that goes on with the one before it."""

from __future__ import annotations

import re

LEANS = re.compile(
    r"^(?:It|Its|This|That|They|Their|These|Those|He|She|Then|Therefore|Thus|Hence|So"
    r"|Instead|Otherwise|For example|In that case|As a result)\b"
    r"|^(?:これ|それ|この|その|ここで|そこで|すると|したがって|よって|そうで)",
)
