"""BM25 over tantivy: analyser, index on local disk, follower that keeps it up."""
