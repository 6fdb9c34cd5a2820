"""What joins several rooms: add a repository, index and then write the wiki."""
