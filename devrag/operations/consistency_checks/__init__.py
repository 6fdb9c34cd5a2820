"""What may disagree in an installation, each with the way it is mended."""
