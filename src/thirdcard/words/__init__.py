"""What is said to people, in every language: a file each, and one lookup for pages, scripts and commands.

`lexicon.py` reads the files; `saying.py` is a sentence as a key with facts; `bet_names.py`, `paragraphs.py`
and `telling.py` name bets, paragraphs and the values of a rulebook.
"""

from thirdcard.words.bet_names import BetWords, bet_name, bet_names, bet_order, bet_words
from thirdcard.words.lexicon import ENGLISH, Language, Words, accepted, languages, words
from thirdcard.words.saying import card_name, in_words

__all__ = [
    "ENGLISH", "BetWords", "Language", "Words", "accepted", "bet_name", "bet_names", "bet_order", "bet_words",
    "card_name", "in_words", "languages", "words",
]  # fmt: skip
