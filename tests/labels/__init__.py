"""Tests of devrag/navigation."""
