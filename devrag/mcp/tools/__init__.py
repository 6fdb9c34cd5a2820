"""One module a group of tools; `registry` lists them."""
