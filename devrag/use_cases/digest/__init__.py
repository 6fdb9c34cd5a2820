"""The weekly digest of a product: put together, shown, sent once a week."""
