"""Products: the unit that groups sources, its members and who sees it."""
