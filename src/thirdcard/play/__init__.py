"""One round, pure: cards in, statement out.

`tableau.py` says whose card is next, `outcome.py` what the cards say, also half known, `classes.py` numbers
the outcomes; `bets.py` and `insurance.py` say what a bet comes to, `settlement.py` what everybody is paid;
`explain.py` and `examples.py` tell it.
"""
