"""Tests of devrag/use_cases."""
