"""What a paragraph is about, in two or three words: the bet, the case or the term that cites it."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from thirdcard.rulebook.faults import citations
from thirdcard.rulebook.model import Rulebook
from thirdcard.words.bet_names import bet_name
from thirdcard.words.lexicon import Language, Words, words

KEY: Final = re.compile(r"(?P<section>\w+)(?:\[(?P<place>\d+)\])?(?:\.(?P<field>[\w-]+))?")
# What is told of a paragraph that several parts of a document cite: the first of these that does.
SECTIONS: Final = ("table_of_play", "bets", "procedures", "insurance", "limits", "betting", "commission")
OTHERS: Final = {  # what a part of a document is called where neither bet, case nor term is cited
    "authority": "rules_ranks", "betting": "rules_betting", "commission": "rules_commission_word",
    "cut_card": "term_cut_card", "dealing": "rules_dealing", "decks": "rules_decks_word",
    "discretions": "rules_discretions", "document": "rules_game_word", "insurance": "rules_insurance",
    "layouts": "rules_layouts", "limits": "rules_limits", "notices": "rules_notices",
    "procedures": "rules_irregularities", "ranks": "rules_ranks", "squeeze": "rules_squeeze",
    "table_of_play": "rules_table_of_play", "void": "term_void",
}  # fmt: skip
MOST_NAMED: Final = 2


@lru_cache(maxsize=64)
def paragraph_titles(book: Rulebook, language: Language) -> dict[str, str]:
    """Of every paragraph that the rulebook rests on."""
    citing: dict[str, list[re.Match[str]]] = {}
    for key, paragraph in citations(book):
        if match := KEY.match(key):
            citing.setdefault(paragraph, []).append(match)
    return {paragraph: _title(book, words(language), keys) for paragraph, keys in citing.items()}


def _title(book: Rulebook, lexicon: Words, citing: list[re.Match[str]]) -> str:
    keys = [key for key in citing if key["field"] != "rulings"] or citing  # which cite what decides too
    there = dict.fromkeys(key["section"] for key in keys)
    section = next((section for section in SECTIONS if section in there), next(iter(there)))
    mine = [key for key in keys if key["section"] == section]
    if section == "bets":
        return _some(bet_name(key["field"], lexicon.code, book) for key in mine)
    if section == "procedures":
        cases = [book.procedures[int(key["place"])] for key in mine if key["field"] != "rulings"]
        return (
            lexicon.name_of("cases", cases[0].case, cases[0].title) if cases else lexicon.ui[OTHERS[section]]
        )
    terms = [lexicon.ui[f"term_{key['field']}"] for key in mine if f"term_{key['field']}" in lexicon.ui]
    return terms[0] if terms else lexicon.ui[OTHERS[section]]


def _some(names: Iterable[str]) -> str:
    every = list(dict.fromkeys(names))
    return " · ".join(every[:MOST_NAMED]) + ("…" if len(every) > MOST_NAMED else "")
