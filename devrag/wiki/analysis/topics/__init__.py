"""Groups code and documentation into the topics that a wiki explains."""
