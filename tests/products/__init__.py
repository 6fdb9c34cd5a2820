"""Tests of the room products."""
