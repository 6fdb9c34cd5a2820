"""Questions that name a definition: where it is, what it does, who uses it."""
