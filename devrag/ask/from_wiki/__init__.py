"""Answers that the published wiki of a product gives, with the lines it cites."""
