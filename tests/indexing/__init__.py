"""Tests of the room indexing."""
