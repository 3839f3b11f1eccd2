"""A table for every case of every document at which that case has come up, and is reported."""

from collections.abc import Callable
from typing import Any

from irregularities.situations import FACE_DOWN, MBS, PLAYER_WINS, TO_COME, Scene
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Procedure
from thirdcard.table import commands

METHOD_C: dict[str, Any] = {"method": "C", "device": "reader", "high_limit": True}
EVERY_CASE = [(slug, procedure.case) for slug in slugs() for procedure in load(slug).procedures]


def procedure_of(slug: str, case: str) -> Procedure:
    return next(one for one in load(slug).procedures if one.case == case)


def in_a_round(text: str = "2C 4H", report: str = "", **details: Any) -> Callable[[str], Scene]:  # noqa: ANN401
    """A plain round, dealt so far."""

    def made(slug: str) -> Scene:
        table = Scene(slug)
        table.dealt(text)
        if report:
            table.report(report, **details)
        return table

    return made


def _over_differential(slug: str) -> Scene:
    table = Scene(slug)
    table.bets(("ann", "player", 900_00))
    table.record("cat", "player", 900_00)
    table.report("over-differential")
    return table


def _outside(case: str, cents: int) -> Callable[[str], Scene]:
    def made(slug: str) -> Scene:
        table = Scene(slug, differential=None if slug == MBS else 10_000_00)
        table.open()
        table.record("bob", "player", cents)
        table.report(case)
        return table

    return made


def _late(case: str, cents: int) -> Callable[[str], Scene]:
    def made(slug: str) -> Scene:
        table = Scene(slug)
        table.dealt("2C 4H")
        table.late("ann", "player", cents)
        table.report(case)
        return table

    return made


def _too_few(slug: str) -> Scene:
    table = Scene(slug, decks=4, cut=0)
    table.run_down(keep=f"{TO_COME} 2D")
    table.dealt(f"{TO_COME} 2D")
    table.report("too-few-cards")
    return table


def _later(slug: str) -> Scene:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.bets()
    table.report("noticed-later", round=1)
    return table


def _face_down(case: str, drawn: str = "4H", **details: Any) -> Callable[[str], Scene]:  # noqa: ANN401
    def made(slug: str) -> Scene:
        table = Scene(slug, **FACE_DOWN[slug])
        table.dealt("9C")
        table.report(case, drawn, shown=(2,), **details)
        return table

    return made


def _handed(case: str, *, wrongly: bool = False, **details: Any) -> Callable[[str], Scene]:  # noqa: ANN401
    def made(slug: str) -> Scene:
        table = Scene(slug, **FACE_DOWN[slug])
        table.dealt(PLAYER_WINS)
        player = "bob" if wrongly else "ann"
        table.do(commands.HandOver(by="dee", cards=(1, 3), player=player, wrongly=wrongly))
        table.report(case, players=(player,), **details)
        return table

    return made


def _method_c(case: str) -> Callable[[str], Scene]:
    def made(slug: str) -> Scene:
        table = Scene(slug, **METHOD_C)
        table.bets()
        table.do(commands.GiveDevice(by="dee", player="ann"))
        table.close()
        table.deal("9C", by="ann")
        table.report(case)
        return table

    return made


def _reader(slug: str) -> Scene:
    table = Scene(slug, device="reader")
    table.dealt("2C 4H")
    table.report("device-reset")
    return table


def _display(slug: str) -> Scene:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.report("display-error", displayed="banker")
    return table


def _plain(case: str, text: str = "2C 4H", **details: Any) -> Callable[[str], Scene]:  # noqa: ANN401
    return in_a_round(text, case, **details)


REPORTED: dict[str, Callable[[str], Scene]] = {
    "over-differential": _over_differential,
    "under-minimum": _outside("under-minimum", 5_00),
    "over-maximum": _outside("over-maximum", 3_000_00),
    "walks-away": _plain("walks-away", players=("ann",)),
    "technical-interruption": _plain("technical-interruption"),
    "power-failure": _plain("power-failure"),
    "foreign-card": _plain("foreign-card"),
    "card-count": _plain("card-count"),
    "extra-or-missing-cards": _plain("extra-or-missing-cards"),
    "unshuffled-cards": _plain("unshuffled-cards"),
    "order-altered": _plain("order-altered"),
    "wrong-number-of-cards": _plain("wrong-number-of-cards", PLAYER_WINS, drawn="5H"),
    "too-few-cards": _too_few,
    "late-bet": _late("late-bet", 50_00),
    "late-wager": _late("late-wager", 50_00),
    "withdrawn-wager": _late("withdrawn-wager", -50_00),
    "excess-or-exposed-cards": _plain("excess-or-exposed-cards", PLAYER_WINS, drawn="5H"),
    "wrong-area-or-person": _plain("wrong-area-or-person", drawn="3D"),
    "wrong-order": _plain("wrong-order", drawn="3D"),
    "wrong-person": _handed("wrong-person", wrongly=True),
    "face-up-card": _face_down("face-up-card"),
    "face-up-in-device": _face_down("face-up-in-device"),
    "not-wrong-delivery": _face_down("not-wrong-delivery"),
    "drawn-together": _plain("drawn-together", drawn="3D KS", order_known=True),
    "absent-handler": _handed("absent-handler"),
    "left-with-cards": _handed("left-with-cards", values_known=False),
    "device-reset": _reader,
    "exposed-moving-device": _method_c("exposed-moving-device"),
    "altered-moving-device": _method_c("altered-moving-device"),
    "noticed-later": _later,
    "other-dealing-error": _plain("other-dealing-error"),
    "neglected-insurance": _plain("neglected-insurance", TO_COME),
    "misplaced-chips": _plain("misplaced-chips"),
    "display-error": _display,
    "not-covered": _plain("not-covered"),
}


def reported(slug: str, case: str) -> Scene:
    """The round is held up by that case."""
    table = REPORTED[case](slug)
    assert table.pending.case == case
    return table
