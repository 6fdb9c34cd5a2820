"""The pages of a wiki as a model designs them, from a digest of the analysis."""
