"""Live tables: the only place with a clock, chance, a network and a disk."""
