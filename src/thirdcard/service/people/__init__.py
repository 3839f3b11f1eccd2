"""People: accounts and their roles, passwords, one-time codes, PINs and sessions.

Besides: which rank a role has at a table (`roles.py`), how people like to bet (`habits.py`), what they
allow themselves and have played (`own_limits.py`; `tables/own_play.py` keeps them to it).
"""
