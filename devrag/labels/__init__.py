"""Labels: what files, their chunks and wiki pages are about, from a vocabulary."""
