"""Definitions, references and callers: what a name stands for at a place."""
