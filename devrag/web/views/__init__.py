"""Thin views: a principal, a selector or service, a template."""

from __future__ import annotations
