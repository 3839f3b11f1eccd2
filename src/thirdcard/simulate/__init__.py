"""Monte Carlo of whole shoes: rounds by outcome class, and sessions with a betting plan and a bankroll.

A run is a value (`TallyRun`, `SessionRun`) that determines its result to the last count and cent; a crew
(`Threads`, `cluster.Cluster`) only decides how soon it is there. Needs NumPy and Numba
(`thirdcard[analysis]`).
"""

from thirdcard.front import callable_as
from thirdcard.simulate.kernel import Known
from thirdcard.simulate.own_strategies import nothing_known
from thirdcard.simulate.results import Summary, summary
from thirdcard.simulate.session_plans import LadderStep, Stakes, read_ladder
from thirdcard.simulate.sessions import SessionRun
from thirdcard.simulate.sheet import SimulatedBets, SimulatedSessions, run_sessions, simulate
from thirdcard.simulate.tally import Estimate, TallyRun, estimates, outcomes_in
from thirdcard.simulate.work import RunOutcome, Threads, execute

__all__ = [
    "Estimate",
    "Known",
    "LadderStep",
    "RunOutcome",
    "SessionRun",
    "SimulatedBets",
    "SimulatedSessions",
    "Stakes",
    "Summary",
    "TallyRun",
    "Threads",
    "estimates",
    "execute",
    "nothing_known",
    "outcomes_in",
    "read_ladder",
    "run_sessions",
    "summary",
]

callable_as(__name__, simulate)
