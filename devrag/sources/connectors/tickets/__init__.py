"""What the trackers of hosts of repositories have in common: GitHub's and GitLab's."""
