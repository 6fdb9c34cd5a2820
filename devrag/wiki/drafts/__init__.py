"""A page between its writer and its readers, and what it was made of."""
