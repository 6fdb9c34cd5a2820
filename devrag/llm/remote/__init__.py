"""Embedding models behind HTTP: one client, a adapter for each kind of API."""
