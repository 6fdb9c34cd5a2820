"""Documents that may be outdated: their code changed after they were written."""
