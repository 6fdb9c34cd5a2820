"""Lines of current files that hold a text or match a regular expression."""
