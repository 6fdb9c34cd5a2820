"""Numbers for Prometheus: what was counted, and how things are now."""
