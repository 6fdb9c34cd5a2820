"""An application of a release that does not start."""
