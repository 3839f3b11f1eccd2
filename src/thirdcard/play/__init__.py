"""One round, pure: cards in, statement out."""
