"""Applications whose migrations go wrong, as those of a release might."""
