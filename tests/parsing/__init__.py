"""Tests of devrag.parsing; fixtures/*.txt are inputs, fixtures/*.json their facts."""
