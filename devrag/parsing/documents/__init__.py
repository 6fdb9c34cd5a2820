"""Documents for people: sections, titles and links."""
