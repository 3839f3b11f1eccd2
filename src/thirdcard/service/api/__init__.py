"""HTTP and WebSocket over live tables, and all addresses under `/api`.

- In front stand `server.py` (uvicorn with limits of time and size) and `gate.py` (host, origin, rates,
  headers), with `connections.py`, `stream.py` (open sockets) and `packing.py`.
- `access.py` says who asks and whether that role may; a route that declares nothing is open to nobody.
- `problems.py` tells what went wrong, in the reader's language.
- A handler asks a query or hands a plan to the hall (`asking.py`); it decides nothing.
"""
