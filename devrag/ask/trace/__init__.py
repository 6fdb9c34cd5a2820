"""How does A reach B: the path of calls between two definitions."""
