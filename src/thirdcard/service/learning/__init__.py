"""The school of a house: what people learn, exams, classes. What is learnt is pure, in `thirdcard.school`.

`learners.py` (the next item, an answer kept), `standing.py` (what is due and weak), `exam_room.py` over
`exam_papers.py`, `classes.py` with lessons and `own_tables.py`, `disputes.py`; `scripted.py` drives the
people of a table for practice, `practice_shift.py` marks it; `shown.py` puts items in words.
"""
