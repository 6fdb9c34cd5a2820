"""Answers that a model writes from evidence, each sentence of it checked."""
