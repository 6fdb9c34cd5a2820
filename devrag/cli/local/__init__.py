"""Answers commands from the data of this machine, with all rights on it."""

from __future__ import annotations
