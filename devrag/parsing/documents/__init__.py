"""Documents and data: sections, titles, links, keys and what schemas declare."""
