"""Long work: jobs, batches with leases, progress. PostgreSQL drives, Celery wakes."""
