"""Embedded PostgreSQL and Valkey, and the supervision of devrag's own processes.

Imports core only and knows no app: what to run is given by the settings.
"""

from __future__ import annotations
