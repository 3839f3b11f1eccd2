"""What the Tiger Baccarat document wants staff to see."""

from table.tables import Table
from thirdcard.table import commands
from thirdcard.table.events import CardDrawn
from thirdcard.table.transcript import transcript

SLUGS = ("mbs-tiger-v2",)


def test_3_12_4_staff_see_every_draw() -> None:
    """Method C: each draw is on record with who drew, and lies in the staff's view at once."""
    table = Table("mbs-tiger-v2", method="C", device="reader", high_limit=True)
    table.open()
    table.place("ann", "player", 100_00)
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    for number, card in enumerate(["9C", "4H", "KD", "2S"], start=1):
        (drawn,) = [event for event in table.deal(card, by="ann") if isinstance(event, CardDrawn)]
        assert (drawn.place, drawn.by) == (number, "ann")
        for person in ("dee", "sue", "pam", "ada"):
            assert len(table.view(person).cards) == number
    assert sum("is dealt a card face down" in line for line in transcript(table.log)) == 4
