"""Tests of devrag/search."""
