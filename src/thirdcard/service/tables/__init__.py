"""The running tables: each the fold of its log; what is asked of it, who deals, what goes out to people.

- `live.py` is a table as the fold of its log, with parts in `paying.py`, `cases.py`, `shift.py`, `hits.py`.
- `plans.py` is what can be asked of it, `floor_plans.py` what those ask who run it; `duty.py`,
  `patrons.py`, `away.py`, `practice.py` and `own_play.py` have a subject each.
- `engine.py` gathers plans, decides and writes; `draft.py` is one stream's part of a commit;
  `checkpoint.py` starts from later than the first record.
- `hall.py` is one process with its tables, timers and dealers (`dealer.py`, `sealed_shoes.py`),
  `leading.py` which tables it deals at, `outage.py` whether the store can be used.
- `publish.py` and `announce.py` say what goes out; `marks.py`, `quarters.py` and `house_day.py` what
  reports need; `rulebook_texts.py`, `left_notes.py` and `head_signing.py` what belongs to the store.
"""
