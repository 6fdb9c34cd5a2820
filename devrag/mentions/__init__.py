"""What mentions a file, page or ticket, and what it mentions: read when asked."""
