"""Reranking by choice: an endpoint reads the first results and orders them anew."""
