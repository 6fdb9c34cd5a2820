"""Pages for people: thin views over selectors and services."""
