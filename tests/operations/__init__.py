"""Tests of devrag/operations."""
