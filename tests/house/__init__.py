"""Tests that hold the house together: measures, layers, settings, files."""
