"""Tests of devrag/spending."""
