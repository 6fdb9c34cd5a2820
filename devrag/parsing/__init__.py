"""Text in, FileFacts out. Pure functions, no Django, never raising on any input."""
