"""Migrations of a broken release."""
