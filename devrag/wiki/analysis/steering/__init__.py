"""How people shape a wiki: files in a repository, and the product's own settings."""
