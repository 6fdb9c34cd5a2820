"""Who asks: sessions and API tokens become a Principal."""
