"""Live tables: the only place with a clock, chance, a network and a disk.

Its rooms, from the outside in: `api`, `evidence`, `learning`, `queries` and `audit`, `tables`, `people`,
`log`. The school, protection (`watched.py`) and evidence are guests: the other rooms do not know them.
"""
