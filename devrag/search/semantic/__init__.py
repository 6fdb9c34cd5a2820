"""Vectors in pgvector: specs, the embedded text, the embedding job, the query."""
