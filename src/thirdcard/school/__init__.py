"""The school: questions whose answers are the engine's, made from a seed.

- `items.py` makes, marks and hides items of the kinds in `item_types.py`; each kind has a maker
  (`pay_items.py` and the like) over `making.py`, `dealt_hands.py`, `patrons.py` and `chance.py`; `mined.py`
  makes them from a log, `in_words.py` tells them, `mixed_up.py` says what a wrong answer may have mixed up.
- `memory.py` (FSRS), `ratings.py` (Glicko-2) and `known.py` are what is learnt;
  `progress.py` folds an answer into all of it.
- `exams.py`, `certificates.py`, `occurrence.py`; `disputes.py` and `wrong_answers.py`.
- `shift_script.py` with `shift_troubles.py` is a shift from a seed; `shift_record.py`, `shift_marks.py` and
  `shift_skills.py` judge how it was worked.
"""
