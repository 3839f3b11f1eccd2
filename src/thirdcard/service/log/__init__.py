"""The durable log: what is stored, in which form, chained and anchored, and the stores that keep it.

`floor_events.py` is what happens around a table (its own events are `table/events.py`), `floor_words.py`
tells it; `codec.py` is their bytes, the chain and what stands out, `anchor.py` where each log ended; each
store of `store/` owns its database.
"""
