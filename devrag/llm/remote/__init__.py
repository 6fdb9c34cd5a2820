"""Embedding models behind HTTP: one client, a wire for each kind of API."""
