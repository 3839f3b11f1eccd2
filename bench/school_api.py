"""How long the school's API takes to answer: a learner who has met every skill, a class, an exam.

A real server on a loopback port over an SQLite file, one request at a time.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

from report import sized

sys.path.remove(str(Path(__file__).parent))  # where a module has the name of the tests' own
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import httpx
import msgspec

from service.api.serving import Asking, Served
from service.houses import MBS
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import digest_of
from thirdcard.school.items import make, mark
from thirdcard.school.memory import DAY, GOOD, Memory, reviewed
from thirdcard.school.progress import Learner, practised
from thirdcard.service.learning.learners import LEARNER, MEMORY, kinds_of
from thirdcard.service.log.store.model import LearningWrite, ReviewRow
from thirdcard.web import school

TIMES = sized(100, 2)
MEMBERS, MOST = sized((30, 60), (1, 2))  # of a class
ANSWERS = sized(200, 2)  # of each


def measured(name: str, ask: Callable[[], httpx.Response]) -> None:
    took = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        answer = ask()
        took.append((time.perf_counter() - begin) * 1000)
        answer.raise_for_status()
    cuts = quantiles(took, n=100)
    print(f"{name:44}{cuts[49]:8.1f}{cuts[94]:8.1f}{max(took):8.1f}", flush=True)


def learnt(house: Served, name: str) -> None:
    """Every skill of a rulebook, met at different times, and two hundred answers of the last ten days."""
    book, now = named(MBS), house.hall.clock.wall()
    memory, number = Memory(rulebook=MBS, digest=digest_of(book)), 0
    for kind, skills in kinds_of(book, "A").items():
        for skill in skills:
            number += 1
            at = now - number % 40 * DAY
            memory = reviewed(memory, skill, GOOD, at, kind=kind, paragraphs=("3.15", f"1.{number % 30}"))
    learner, own, rows = Learner(), memory, []
    for number in range(ANSWERS):
        item, at = make("third-card", book, name, number), now - (ANSWERS - number) * DAY // 20
        after = practised(learner, own, None, item, mark(item, {}), {}, seconds=2.0, hint=False, now=at)
        learner, own = after.learner, after.memory
        body = msgspec.json.encode(after.review)
        rows.append(ReviewRow(person=name, number=learner.answered, at=at, body=body))
    kept = {MEMORY + MBS: memory, LEARNER: learner}
    writes = [
        LearningWrite(person=name, kind=kind, expected=0, body=msgspec.json.encode(one))
        for kind, one in kept.items()
    ]
    house.hall.engine.store.keep_learning(writes, rows)


def main() -> None:
    """Milliseconds from the request to the whole answer."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder) / "house.db", pages=school.PAGES) as house,
    ):
        everybody = [f"Dealer{number}" for number in range(MOST)]
        names = everybody[:MEMBERS]
        people = [Asking(house, house.account(name, "dealer")) for name in everybody]
        for name in everybody:
            learnt(house, name)
        mei, ada = people[0], Asking(house, house.account("Ada", "trainer"))
        print(f"{'milliseconds':44}{'median':>8}{'95%':>8}{'worst':>8}")

        def answer() -> httpx.Response:
            item = mei.get(f"/api/school/next/{MBS}").json()["item"]["name"]
            begin = time.perf_counter()
            given = mei.post("/api/school/answers", {"item": item, "answers": {}, "seconds": 1.5})
            took.append((time.perf_counter() - begin) * 1000)
            return given

        took: list[float] = []
        for _ in range(sized(10, 1)):
            answer()  # what is made once for all
        took.clear()
        measured("GET next", lambda: mei.get(f"/api/school/next/{MBS}"))
        measured("GET next, POST answers", answer)
        cuts = quantiles(took, n=100)
        print(f"{'POST answers':44}{cuts[49]:8.1f}{cuts[94]:8.1f}{max(took):8.1f}")
        measured("GET items, one", lambda: mei.get(f"/api/school/items/{MBS}/pay", seed="x"))
        measured("GET progress", lambda: mei.get("/api/school/progress"))
        measured("GET progress of a rulebook", lambda: mei.get(f"/api/school/progress/{MBS}"))
        for members in (names, everybody):
            body = {"title": "Intake", "rulebook": MBS, "layout": "A", "members": members}
            ada.post("/api/school/classes/intake", body, method="PUT")
            begin = time.perf_counter()
            ada.get("/api/school/classes/intake")
            print(f"{f'GET a class of {len(members)}, once':44}{(time.perf_counter() - begin) * 1000:8.1f}")
            measured(f"GET a class of {len(members)}", lambda: ada.get("/api/school/classes/intake"))
            behind = "/api/school/classes/intake/items?paragraph=3.15"
            measured(f"GET items behind a tile of {len(members)}", lambda: ada.get(behind))  # noqa: B023
        now = house.hall.clock.wall()
        plan = ada.get(f"/api/school/exams/plan/{MBS}").json()
        asked = {"plan": plan, "people": {names[0]: 0}, "opens": now, "closes": now + 10**10}
        exam = f"/api/school/exams/{ada.post('/api/school/exams', asked).json()['id']}"
        measured("GET an exam", lambda: mei.get(exam))
        mei.post(f"{exam}/begin")
        measured("GET an item of an exam", lambda: mei.get(f"{exam}/items/7"))
        measured(
            "PUT an answer of an exam", lambda: mei.post(f"{exam}/items/7", {"answers": {}}, method="PUT")
        )
        begin = time.perf_counter()
        mei.post(f"{exam}/finish")
        print(f"{'POST finish, 60 items marked, once':44}{(time.perf_counter() - begin) * 1000:8.1f}")
        number = exam.rpartition("/")[2]
        for page in ("/school", "/school/drill/third-card", f"/school/exams/{number}"):
            measured(f"GET {page.replace(number, 'ID')}", lambda: mei.get(page))  # noqa: B023
        measured("GET /school/class", lambda: ada.get("/school/class"))


if __name__ == "__main__":
    main()
