"""Embedded PostgreSQL and Valkey, process supervision, `server`. Imports core only."""
