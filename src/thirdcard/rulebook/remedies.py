"""What a ruling can bring about. One remedy is one row; the table carries it out under the same name."""

from typing import Final

import msgspec


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """A remedy in words, and what it needs.

    `options` are what it lets people choose between. `bets` says what becomes of Player and Banker bets, of
    side bets and of insurance. `asks` names what the ruling must or may say for it (`table.state.Inputs`).
    `alters` is false where nothing on the table changes: the remedy says that things stay as they are.
    `at_discretion` marks what no document orders: only a decision brings it about.
    """

    name: str
    sentence: str
    options: tuple[str, ...] = ()
    bets: tuple[str, str, str] | None = None
    asks: tuple[str, ...] = ()
    alters: bool = True
    at_discretion: bool = False


def _same(what: str) -> tuple[str, str, str]:
    return (what, what, what)


IN_PLAY: Final = _same("settled as the cards fall")

ROWS: Final = (
    Remedy(
        name="void",
        sentence="The round is void: every bet goes back, whatever its kind.",
        bets=_same("returned"),
    ),
    Remedy(name="continue", sentence="The round goes on; every bet stays in play.", alters=False),
    Remedy(
        name="stand",
        sentence="Outcome and settlement stand; nothing is paid or collected again.",
        bets=_same("settled as it was"),
        alters=False,
    ),
    Remedy(
        name="reconstruct",
        sentence="The cards are laid to the hands they belong to, in the order drawn.",
    ),
    Remedy(
        name="keep-for-next-round",
        sentence="Cards that the round does not need stay in order and begin the next round.",
        asks=("order",),
    ),
    Remedy(
        name="as-they-lie",
        sentence="The cards cannot be put in order: they count as they lie, and decide no bet before players chose.",
        asks=("order",),
    ),
    Remedy(
        name="options",
        sentence="Every player chooses: go on, or have the bets returned that are not yet won or lost.",
        options=("continue", "return undecided bets"),
        bets=(
            "the player's choice while undecided",
            "settled if decided, else the player's choice",
            "goes with its original bet",
        ),
    ),
    Remedy(
        name="withdraw",
        sentence="Players may withdraw wagers, one by one, that are not yet won or lost.",
        options=("continue", "withdraw single wagers"),
        bets=_same("may be withdrawn while undecided"),
    ),
    Remedy(
        name="withdraw-all",
        sentence="Players may withdraw all of their wagers that are not yet won or lost, or none.",
        options=("continue", "withdraw all wagers"),
        bets=_same("may be withdrawn while undecided, all or none"),
    ),
    Remedy(
        name="settle-decided",
        sentence="Wagers that are already won or lost are settled.",
        bets=_same("settled if already won or lost"),
    ),
    Remedy(
        name="decide-order",
        sentence="The deciding rank says which card counts first.",
        asks=("order",),
    ),
    Remedy(
        name="replace-cards",
        sentence="The cards may be replaced with a new set.",
        asks=("replace_cards",),
    ),
    Remedy(name="new-cards", sentence="The cards are replaced before the next round."),
    Remedy(
        name="substitute-cards",
        sentence="Two cards are set aside; the missing ones are determined and replaced from a deck.",
        asks=("substitutes",),
    ),
    Remedy(
        name="reject",
        sentence="Bets in excess go back: standing players first, the latest placed first.",
        bets=("the excess is returned", "not affected", "not yet on offer"),
    ),
    Remedy(
        name="pro-rata",
        sentence="The heavier hand plays for its share of what is allowed; the rest of each stake goes back.",
        bets=("plays for its share, the rest is returned", "not affected", "within the cap of that share"),
    ),
    Remedy(
        name="raise-or-withdraw",
        sentence="The player makes the bet good or takes it back before the close.",
        options=("raise", "withdraw"),
        bets=_same("raised or taken back"),
    ),
    Remedy(name="settle", sentence="The bet wins or loses as it lay at the close.", alters=False),
    Remedy(
        name="settle-once",
        sentence="It wins or loses the first time; later ones by the same player go back.",
        bets=_same("settled once, later returned"),
        alters=False,
    ),
    Remedy(
        name="to-maximum",
        sentence="The wager plays for the maximum; the rest goes back.",
        bets=_same("plays for the maximum, the rest is returned"),
    ),
    Remedy(
        name="remove",
        sentence="The heavier hand is asked to decrease, the lighter may increase; then wagers are removed.",
        bets=("decreased, increased or removed", "not affected", ""),
    ),
    Remedy(
        name="remove-named",
        sentence="The deciding rank names the wagers of the heavier hand that come off.",
        bets=("removed where named", "not affected", "goes with its original bet"),
        asks=("stakes", "amounts"),
    ),
    Remedy(
        name="refuse",
        sentence="It has no effect: bets stay as they were at the close.",
        bets=_same("as it lay at the close"),
    ),
    Remedy(name="pass-on", sentence="The cards are retrieved and passed to the right person."),
    Remedy(
        name="ascertain",
        sentence="The cards count as the device or surveillance shows them.",
        asks=("names",),
    ),
    Remedy(name="dealer-exposes", sentence="The dealer turns the cards.", asks=("names",)),
    Remedy(
        name="reopen",
        sentence="After the reset betting opens again until the dealer closes it anew.",
    ),
    Remedy(
        name="offer",
        sentence="The window is offered now, in the ordinary way; nothing is returned.",
        options=("insure", "decline"),
        bets=("stays in play", "stays in play", "offered now"),
    ),
    Remedy(
        name="late-insurance",
        sentence="The insurance is offered now, at the row that was neglected; its winnings are at most the original bet.",
        options=("insure", "decline"),
        bets=("stays in play", "stays in play", "offered now"),
    ),
    Remedy(
        name="return-original",
        sentence="The original bet goes back to who meant to insure if that insurance would have won.",
        bets=(
            "returned if its insurance would have won",
            "settled as the cards fall",
            "what was bought is settled",
        ),
        asks=("intended",),
    ),
    Remedy(
        name="forgo-insurance",
        sentence="Who walked away has forgone insurance for the round; the bets stay.",
        bets=("settled as the cards fall", "settled as the cards fall", "no more for the round"),
    ),
    Remedy(
        name="correct-display",
        sentence="The display is corrected; the outcome at the table is not touched.",
    ),
    Remedy(
        name="decide",
        sentence="The deciding rank resolves it, with a recorded reason.",
        bets=_same("as decided"),
        asks=("action",),
    ),
    Remedy(
        name="return-stakes",
        sentence="The stakes that are named go back, with the insurance on them.",
        bets=_same("returned where named"),
        asks=("stakes",),
        at_discretion=True,
    ),
    Remedy(
        name="cut-to-maximum",
        sentence="The stakes that are named play for the maximum; the rest goes back.",
        bets=_same("cut where named"),
        asks=("stakes",),
        at_discretion=True,
    ),
    Remedy(
        name="cut-stakes",
        sentence="The stakes that are named play for the amounts that are named; the rest goes back.",
        bets=_same("cut where named"),
        asks=("stakes", "amounts"),
        at_discretion=True,
    ),
    Remedy(
        name="let-stand",
        sentence="The stakes that are named play in full, whatever the limits.",
        bets=_same("stands where named"),
        asks=("stakes",),
        at_discretion=True,
    ),
    Remedy(
        name="fix-order",
        sentence="The cards count in the order that is named.",
        asks=("order",),
        at_discretion=True,
    ),
)
REMEDIES: Final[dict[str, Remedy]] = {row.name: row for row in ROWS}
