"""Versions of a wiki as readers see, compare and export them."""
