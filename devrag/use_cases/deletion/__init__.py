"""Deleting a source or a product: the request, its job, and what it takes away."""
