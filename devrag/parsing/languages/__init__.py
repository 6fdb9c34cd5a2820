"""One small file per language: its query and its few rules; registry.py lists them."""
