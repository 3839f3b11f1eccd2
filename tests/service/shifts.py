"""A house with a shift in its logs: rounds of all kinds, walk-ins, floats, a table that was closed for a time."""

from service.clocks import START
from service.playing import DEE, SAM, House, seeded_shoes
from thirdcard.cards import parse_cards
from thirdcard.service.log.store import open_store
from thirdcard.service.log.store.model import MANY
from thirdcard.service.tables import floor_plans, patrons, plans
from thirdcard.table import commands


async def filled(where: str, at: int = START) -> None:
    """Random rounds at three automatic tables; by hand a correction, voids, a walk-in, counts of the float."""
    made = House(open_store(where), seed="shift")
    made.clock.at = at
    async with made as house:
        with seeded_shoes(house.random):
            for name in ("insured", "squeezed", "tiger"):
                await house.play(name, 8)
            hall, sold = house.hall, 0
            while sold < 2:
                await house.play("insured", 4)
                sums = hall.engine.store.sums(0, MANY, ["insured"])
                sold = sum(value for _, name, value in sums if name.startswith("bought:"))
            assert (
                await hall.ask("by-hand", floor_plans.count_float("opening", 5_000_000_00), DEE)
            ).refusal is None
            assert (
                await hall.ask("by-hand", floor_plans.change_float(SAM, "fill", 20_000_00), SAM)
            ).refusal is None
            await house.play_by_hand("by-hand")
            seated = patrons.bring(DEE, "", box=4, cents=5_000_00, kept=plans.NOTHING_KEPT, least=17)
            assert (await hall.ask("by-hand", seated, DEE)).refusal is None
            assert await house.ask("by-hand", DEE, commands.Open(by="Dee"))
            walk_in = house.live("by-hand").table.seats[4]
            placed = commands.Place(by="Dee", player=walk_in, box=4, bet="banker", cents=500_00)
            assert await house.ask("by-hand", DEE, placed)
            house.clock.wait(1_300)  # over the end of a quarter
            assert await house.ask("by-hand", DEE, commands.Close(by="Dee"))
            for card in parse_cards("2C 4H 3D KS 5C 7D"):
                await house.ask("by-hand", DEE, commands.Draw(by="Dee", card=card))
            assert await house.ask("by-hand", DEE, commands.Settle(by="Dee"))
            assert (
                await hall.ask("by-hand", floor_plans.change_float(SAM, "credit", 5_000_00), SAM)
            ).refusal is None
            books = house.live("by-hand").tray.expected(house.live("by-hand").table)
            assert books is not None
            counted = floor_plans.count_float("closing", books - 25_00)
            assert (await hall.ask("by-hand", counted, DEE)).refusal is None
            assert (await hall.ask("tiger", plans.close_table(), SAM)).refusal is None
            house.clock.wait(600)
            assert (await hall.ask("tiger", plans.reopen_table(), SAM)).refusal is None
