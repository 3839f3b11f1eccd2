"""HTTP and WebSocket over live tables."""
