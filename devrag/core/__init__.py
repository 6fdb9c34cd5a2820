"""What every room shares: errors, text, hashing, the principal. Imports no app."""
