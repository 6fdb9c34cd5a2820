"""Tests of devrag/products."""
