"""The audit log: who did what to what, from where and when; only ever added to."""
