"""Which pages a wiki has, and in which order they are written."""
