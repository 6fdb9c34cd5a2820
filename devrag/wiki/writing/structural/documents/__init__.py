"""Pages of a product that is documents alone."""
