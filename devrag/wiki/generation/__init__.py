"""A run: prepare, write each page, translate, publish."""
