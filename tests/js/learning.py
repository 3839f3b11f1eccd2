"""Tapes of the school: a drill of each kind, right and wrong, replays, a whole set, an exam."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from js.playing import Floor
from js.tape import Tape
from service.houses import TBC
from thirdcard.school.item_types import KINDS, Item, ItemPart, SpotFacts
from thirdcard.school.items import make

MBS = "mbs-tiger-v2"
SET = 20
DAY = 86_400_000_000  # microseconds


def made_again(name: dict[str, Any]) -> Item:
    """The item that the server sent, with its answers."""
    return make(
        name["kind"], name["rulebook"], name["seed"], name["number"],
        layout=name["layout"], decks=name["decks"], skill=name["skill"], level=name["level"],
    )  # fmt: skip


def other(one: ItemPart) -> Any:  # noqa: ANN401
    """A wrong answer to a part."""
    if one.form == "cents":
        assert isinstance(one.answer, int)
        return one.answer + 500
    if one.form == "several":
        return () if one.answer else (one.choices[0].key,)
    return next(choice.key for choice in one.choices if choice.key != one.answer)


class Drill:
    """Somebody at a drill, item by item."""

    def __init__(self, floor: Floor, name: str, kind: str, book: str = TBC) -> None:
        self.who = floor.house.as_(floor.house.account(name, "dealer"))
        self.kind, self.book = kind, book
        self.next = f"/api/school/next/{book}?lang=en&kind={kind}"
        self.tape = Tape(floor.house, self.who, f"/school/drill/{kind}?rulebook={book}")
        self.tape.notes["items"] = []
        self.item: dict[str, Any] = {}

    def comes(self, address: str = "", *, given: dict[str, Any] | None = None) -> Item:
        """The item that is asked next, which the page fetches by its own address."""
        answer = self.who.get(address or self.next)
        if address and given is None:
            found = answer.json()
            item = found.get("item") or found["items"][0]
        else:
            item = answer.json()["item"]
        text = (
            answer.text
            if "item" in answer.json()
            else f'{{"due": 0, "item": {msgspec.json.encode(item).decode()}}}'
        )
        self.tape.steps[-1].setdefault("answers", {})[self.next] = {"status": 200, "text": text}
        self.item = item
        question = item["question"]
        if question["kind"] in ("result", "pay"):
            self.tape.gets(f"/school/felt/{question['rulebook']}/{question['layout']}")
        return made_again(item["name"])

    def answers(self, given: dict[str, Any], **more: object) -> dict[str, Any]:
        """What was answered is marked."""
        lines = [part["name"] for part in self.item["question"]["parts"] if part["name"].startswith("line-")]
        order = {"order": more.pop("order", lines)} if self.item["question"].get("order") else {}
        body = {
            "item": self.item["name"],
            "answers": given,
            "hint": False,
            "looked_back": False,
            "seconds": 2.0,
        }
        self.tape.notes["items"].append({"answers": given})
        loose = ["seconds", *more.pop("loose", ())]  # type: ignore[misc]
        marked: dict[str, Any] = self.tape.posts(
            "/api/school/answers?lang=en", {**body, **order, **more}, loose=loose
        )
        return marked

    def learned(self) -> None:
        """What a page looks up once a cell of the table of play was missed."""
        self.tape.gets(f"/api/school/progress/{self.book}")
        self.tape.gets(f"/api/rules/{self.book}")


def right(item: Item) -> dict[str, Any]:
    return {part.name: part.answer for part in item.parts}


def wrong(item: Item) -> dict[str, Any]:
    """Wrong in the part that is asked first."""
    first = item.parts[0]
    return {**right(item), first.name: other(first)}


def drills(floor: Floor, folder: Path) -> None:
    """One right, one wrong, of each kind."""
    for kind in KINDS:
        drill = Drill(floor, f"Drill-{kind}", kind)
        drill.answers(right(drill.comes()))
        item = drill.comes()
        if kind == "spot":
            error = right(item)
            drill.answers({**error, item.parts[1].name: other(item.parts[1])})
        else:
            drill.answers(wrong(item))
        drill.learned()
        drill.comes()
        drill.tape.write(folder, f"drill-{kind}")


def replays(floor: Floor, folder: Path) -> None:
    """A replay stopped in time, too late, and not at all; one look back."""
    for name in ("in-time", "late", "never", "looked"):
        drill = Drill(floor, f"Replay-{name}", "spot")
        item = drill.comes()
        facts = item.facts
        assert isinstance(facts, SpotFacts)
        step, what = item.parts
        error = facts.steps[int(str(step.answer)) - 1].at_ms
        late = {"in-time": 100, "late": 4_100, "looked": 500}.get(name)
        answers = (
            {step.name: "nothing", what.name: "nothing"}
            if late is None
            else {step.name: error + late, what.name: what.answer}
        )
        drill.tape.notes |= {
            "error": error,
            "end": facts.steps[-1].at_ms + 4_000,
            "first": next(one for one in facts.steps if one.card).at_ms,
            "what": [choice.key for choice in what.choices].index(str(what.answer)),
        }
        drill.answers(answers, looked_back=name == "looked", loose=("answers",))
        drill.tape.write(folder, f"replay-{name}")


def cell(floor: Floor, folder: Path) -> None:
    """3.15: a cell of the Banker's row is missed; then the whole row."""
    drill = Drill(floor, "Cell", "third-card")
    asked = "seed=w11&level=1&count=1&lang=en&skill=third-card/banker/5/4"
    item = drill.comes(f"/api/school/items/{TBC}/third-card?{asked}")
    drill.answers({item.parts[0].name: "stand"})
    drill.learned()
    name = drill.item["name"]
    drill.tape.gets(f"/api/school/kinds/{TBC}?layout={name['layout']}")
    kinds = drill.who.get(f"/api/school/kinds/{TBC}?layout={name['layout']}").json()["kinds"]
    skills = next(one for one in kinds if one["kind"] == "third-card")["skills"]
    row = [one for one in skills if one.startswith("third-card/banker/5/")]
    again = drill.who.get(
        f"/api/school/items/{TBC}/third-card?seed=row&level=1&count=1&lang=en&skill={row[0]}&solved=false"
    )
    drill.tape.keep(f"/api/school/items/{TBC}/third-card?seed=again-*", again)
    drill.tape.notes["row"] = len(row)
    drill.tape.write(folder, "cell")


def whole_set(floor: Floor, folder: Path) -> None:
    """Twenty items, the fourth and the last missed; what was missed comes once more, and is missed again."""
    drill = Drill(floor, "Set", "third-card")
    last: dict[str, bool] = {}
    for number in range(SET):
        item = drill.comes()
        missed = number in {3, SET - 1}
        drill.answers(wrong(item) if missed else right(item))
        drill.learned()
        last[drill.item["name"]["skill"]] = missed
    name = drill.item["name"]
    asked = f"seed=again&layout={name['layout']}&decks={name['decks']}&skill={name['skill']}&level={name['level']}&solved=false&lang=en"
    again = drill.who.get(f"/api/school/items/{TBC}/third-card?{asked}")
    drill.tape.keep(f"/api/school/items/{TBC}/third-card?seed=again-*", again)
    drill.item = again.json()["items"][0]
    asked_before = len(drill.tape.notes["items"])
    for _ in range(sum(last.values())):
        drill.answers(wrong(made_again(drill.item["name"])))
        drill.learned()
    drill.tape.notes["again"] = drill.tape.notes["items"][asked_before:]
    del drill.tape.notes["items"][asked_before:]
    drill.tape.write(folder, "set")


def disputed(floor: Floor, folder: Path) -> None:
    drill = Drill(floor, "Doubt", "third-card")
    marked = drill.answers(wrong(drill.comes()))
    drill.learned()
    drill.tape.posts(
        f"/api/school/answers/{marked['then']['answered']}/dispute?lang=en",
        {"reason": "Enter and R are letters here"},
    )
    drill.tape.write(folder, "disputed")


def box_order(floor: Floor, folder: Path) -> None:
    """1.1.7: a box is settled in an order, which is marked."""
    for name, sign in (("taken-first", 1), ("paid-first", -1)):
        drill = Drill(floor, f"Box-{name}", "pay", MBS)
        while True:
            item = drill.comes(f"{drill.next}&level=6", given={})
            nets = {part.name: int(part.answer) for part in item.parts if part.form == "cents"}  # type: ignore[arg-type]
            if min(nets.values()) < 0 < max(nets.values()):
                break
        order = sorted(nets, key=lambda one: sign * nets[one])
        drill.tape.notes |= {"nets": nets, "order": order}
        drill.answers(right(item), order=order)
        drill.tape.write(folder, f"box-{name}")


def exam(floor: Floor, folder: Path) -> None:
    """Set by a trainer, sat by a learner: some right, one not answered, handed in twice to be sure."""
    trainer = floor.house.as_(floor.house.account("Tom", "trainer"))
    learner = floor.house.as_(floor.house.account("Lea", "dealer"))
    plan = trainer.get(f"/api/school/exams/plan/{TBC}?layout=A").json()
    plan |= {"title": "First steps", "minutes": 10, "pass_mark": 50}
    plan["parts"] = [{"kind": "third-card", "items": 3, "least": 0}]
    opens = int(time.time() * 1_000_000) - 60_000_000
    made = trainer.post(
        "/api/school/exams", {"plan": plan, "people": {"Lea": 0}, "opens": opens, "closes": opens + DAY}
    )
    assert made.is_success, made.text
    at = f"/api/school/exams/{made.json()['id']}"
    with Tape(floor.house, learner, f"/school/exams/{made.json()['id']}", looks=(at,)) as tape:
        tape.posts(f"{at}/begin")
        items = [tape.gets(f"{at}/items/{number}?lang=en") for number in (1, 2, 3)]
        for number, item in enumerate(items[:2], 1):
            given = {part["name"]: part["choices"][0]["key"] for part in item["question"]["parts"]}
            tape.posts(f"{at}/items/{number}", {"answers": given}, "PUT")
        tape.posts(f"{at}/finish")
        found = tape.gets(f"{at}/result")
        for one in found["result"]["wrong"] if found["open"] else ():
            tape.gets(f"{at}/set/{one['place']}?lang=en")
        tape.notes |= {"right": found["result"]["right"], "items": found["result"]["items"]}
        tape.write(folder, "exam")


SCENES: tuple[Callable[[Floor, Path], None], ...] = (
    drills,
    replays,
    cell,
    whole_set,
    disputed,
    box_order,
    exam,
)
