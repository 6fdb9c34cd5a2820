"""Tests of the repository itself: measures, layers, settings, files."""
