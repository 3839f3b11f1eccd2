"""Game protection: what those who watch the cards can win from each bet, and where to put the cut card.

Values are exact and taken before each round of shuffled shoes; a `ProtectRun` is determined by its values as
every run of `simulate` is. Needs NumPy and Numba (`thirdcard[analysis]`).
"""

from thirdcard.front import callable_as

callable_as(__name__, "thirdcard.protect.asking:protect")  # what pages need of it does without kernels
