"""An application of a broken release."""
