"""People: accounts and their roles, passwords, one-time codes, PINs and sessions.

Besides: which rank a role has at a table (`roles.py`), how people like to bet (`habits.py`); what they allow
themselves is in `tables/own_play.py`.
"""
