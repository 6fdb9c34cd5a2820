"""Numbered evidence, citations and claims, and whether they still hold."""
