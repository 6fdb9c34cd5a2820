"""Sources and what was read from them: manifests, files, chunks, symbols, facts."""
