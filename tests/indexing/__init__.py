"""Tests of devrag/indexing."""
