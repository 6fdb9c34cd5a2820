"""Tests of the room access."""
