"""A round proved on paper: gathered from a store, told, packed and signed, and checked without a store.

`gather.py` takes its part of a log up to a signed head (`slices.py`) and makes the archive, `told.py` with
`rulings.py` says it; `verify.py` checks one without a store, a key or a server, `standalone.py` without
thirdcard.
"""
