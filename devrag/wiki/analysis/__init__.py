"""What there is in a product, from the index alone: packages, graph, entry points."""
