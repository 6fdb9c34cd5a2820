"""Sources: what is indexed, how it is reached, which of its files count."""
