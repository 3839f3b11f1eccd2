"""The durable log: what is stored, in which form, chained and anchored, and the stores that keep it."""
