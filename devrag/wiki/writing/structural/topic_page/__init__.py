"""The page of a topic: what it is, how it works, what it offers, where it stands."""
