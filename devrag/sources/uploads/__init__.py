"""Files that people upload: unpacked within limits into a folder for each source."""
