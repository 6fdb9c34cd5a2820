"""Files that people upload."""
