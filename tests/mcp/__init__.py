"""Tests of what agents get."""
