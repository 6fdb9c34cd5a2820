"""Tests of devrag/jobs."""
