"""Detectors of what the wiki's survey reads; a wrong fact is worse than none."""
