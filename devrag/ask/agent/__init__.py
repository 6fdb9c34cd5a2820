"""Thorough answers: a model looks further than the first search, by tools."""
