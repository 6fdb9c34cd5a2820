"""Parts of benchmarks/chaos.py: an installation, faults, load, and its comparison."""
