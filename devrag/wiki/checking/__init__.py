"""What a page must pass before it is published."""
