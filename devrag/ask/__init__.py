"""Questions about a product's sources, answered with lines as evidence."""
