"""Writers: from facts alone, and with a language model."""
