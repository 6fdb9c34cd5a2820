"""What has to do with a piece of a source: close in meaning, or bound by uses."""
