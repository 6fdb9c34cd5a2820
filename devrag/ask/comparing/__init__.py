"""What differs between two documents or two definitions, without a model."""
