"""Tests of devrag/access."""
