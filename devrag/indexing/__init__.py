"""The pipeline: listing, diff, facts, rows, activation, vectors."""
