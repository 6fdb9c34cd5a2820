"""Wikis and trackers behind an HTTP API, kept in a mirror of their pages."""
