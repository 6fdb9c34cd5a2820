"""Sections of published wiki pages: stored when shown, found by `kind:wiki`."""
