"""A round proved on paper: gathered from a store, told, packed and signed, and checked without a store."""
