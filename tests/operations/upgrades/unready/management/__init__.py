"""Commands of a release that does not start."""
