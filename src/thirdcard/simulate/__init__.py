"""Monte Carlo of whole shoes: rounds by outcome class, and sessions with a betting plan and a bankroll.

A run is a value (`TallyRun`, `SessionRun`) that determines its result to the last count and cent; a crew
(`Threads`, `cluster.Cluster`) only decides how soon it is there. Needs NumPy and Numba
(`thirdcard[analysis]`).
"""

from thirdcard.simulate.results import Summary, summary
from thirdcard.simulate.session_plans import Stakes
from thirdcard.simulate.sessions import SessionRun
from thirdcard.simulate.tally import Estimate, TallyRun, estimates, outcomes_in
from thirdcard.simulate.work import RunOutcome, Threads, execute

__all__ = [
    "Estimate",
    "RunOutcome",
    "SessionRun",
    "Stakes",
    "Summary",
    "TallyRun",
    "Threads",
    "estimates",
    "execute",
    "outcomes_in",
    "summary",
]
