"""Chat and embedding models behind two protocols. Imports core only, no Django."""
