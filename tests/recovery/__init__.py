"""Indexing that is disturbed ends with exactly the rows of a calm run."""
