"""What models cost: prices, caps, reservations and the ledger of calls."""
