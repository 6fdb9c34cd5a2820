"""Tests of what is measured and told of products and the instance."""
