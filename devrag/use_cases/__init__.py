"""What joins several packages: add a repository, index and then write the wiki."""
