"""Tests of the room search."""
