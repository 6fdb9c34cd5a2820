"""Keeping an installation healthy: doctor, repair, housekeeping, backup."""
