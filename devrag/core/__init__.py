"""What every package shares: errors, text, hashing, the principal. Imports no app."""
