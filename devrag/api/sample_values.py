"""Values that the examples of several schemas share."""

from __future__ import annotations

COMMIT = "9f2c1a7be04d5c6f8a1b2c3d4e5f60718293a4b5"
JOB_ID = "1f9c2d3a-6c1e-4b7a-9d80-2f1f0a6c7b11"
SYMBOL_ID = "0b0e9d1c-52d4-5d0b-9a54-0c9f4b0f8a33"
TIME = "2026-03-01T09:30:00Z"
PLACE = {"sourceName": "backend-api", "path": "shop/cart.py"}
LINES = {"startLine": 12, "endLine": 19}
