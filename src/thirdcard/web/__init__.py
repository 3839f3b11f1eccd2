"""The browser's side: felt, roads and charts drawn as SVG, and the pages that show them.

`site.py`, `staff.py` and `school.py` have the addresses, `places.py` the pages of each role, `pages/` with
`templates/` the HTML, `draw/` felt, cards and chips; `answers.py`, `assets.py` and `joining.py` say how
pages and files go out, and what pages are told with their words; `static/` has native ES modules without a
build step.
"""
