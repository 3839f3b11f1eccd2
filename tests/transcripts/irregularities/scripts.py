"""Every case of every document as a round at a table: what is common, and what goes wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transcripts.irregularities.wording import as_script

HERE = Path(__file__).parent

TBC = "rws-tiger-buffalo-commission-v2"
V3 = "rws-tiger-buffalo-non-commission-v3"
V4 = "rws-tiger-buffalo-non-commission-v4"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"
RWS = (TBC, V3, V4, CBI)

STAFF = {
    **{
        slug: {"dee": "dealer", "sue": "pit-supervisor", "pam": "pit-manager", "sam": "shift-manager"}
        for slug in RWS
    },
    MBS: {
        "dee": "dealer",
        "sue": "pit-supervisor",
        "pam": "pit-manager",
        "sam": "gaming-shift-manager",
        "ada": "assistant-casino-manager",
    },
}
FACE_DOWN = {"method": "face-down"}
METHOD_A = {"method": "A"}
METHOD_C = {"method": "C", "device": "reader", "high_limit": True}

PEOPLE = """
ann joins
ann buys 2000
ann sits at 1
bob joins
bob buys 2000
bob sits at 2
cat joins
cat buys 2000
dee shuffles
""".strip()
BETS = """
dee opens
ann bets player 100
bob bets banker 100
""".strip()
NEXT = """
dee opens
ann bets player 100
dee closes
""".strip()
PLAYER_WINS = "dee draws 9C 4H KD 2S"  # a natural 9 against 6
TO_COME = "dee draws 2C 4H 3D KS"  # Player 5 draws, Banker 4
UNSEEN = "dee draws ? ? ? ?"


@dataclass(frozen=True)
class Situation:
    """A round that goes wrong. `numbers` are its paragraph in TBC, TBN and CBI, or in MBS alone.

    The sentences come after the people; `{bets}` and the like stand for what is common.
    """

    name: str
    case: str
    numbers: tuple[str, ...]
    sentences: str
    setup: dict[str, Any] = field(default_factory=dict)

    def paragraph(self, slug: str) -> str:
        """Empty where this is not for the document."""
        places = {TBC: 0, V3: 1, V4: 1, CBI: 2} if len(self.numbers) == 3 else {MBS: 0}
        return self.numbers[places[slug]] if slug in places else ""

    def script(self, slug: str) -> str:
        setup = {
            "rulebook": slug,
            "layout": "A",
            "positions": 3,
            "limits": {"*": {"min": 1000, "max": 100_000}},
            "differential": 100_000,
            "staff": STAFF[slug],
            **self.setup,
        }
        common = {
            "bets": BETS,
            "next": NEXT,
            "player_wins": PLAYER_WINS,
            "to_come": TO_COME,
            "unseen": UNSEEN,
        }
        text = PEOPLE + "\n" + self.sentences.strip().format(**common)
        return as_script(setup, text.splitlines())


def everything() -> Iterator[tuple[str, Situation]]:
    for slug in (*RWS, MBS):
        for situation in (*SHARED, *OF_MBS):
            if situation.paragraph(slug):
                yield slug, situation


def file_of(slug: str, situation: Situation) -> Path:
    return HERE / slug / f"{situation.paragraph(slug)}-{situation.name}.jsonl"


def alike(number: str) -> tuple[str, str, str]:
    """The same paragraph in all four RWS documents."""
    return (number, number, number)


# RWS ------------------------------------------------------------------------------------------------------

SHARED = (
    Situation(
        "excess-rejected",
        "over-differential",
        alike("5.1"),
        """
dee opens
ann bets player 300
dee records cat player 900
dee reports over-differential box=1
ann rules
dee rules
dee closes
{player_wins}
dee settles
""",
    ),
    Situation(
        "excess-played-pro-rata",
        "over-differential",
        alike("5.1.1"),
        """
dee opens
ann bets player 300
dee records cat player 900
dee closes
dee reports over-differential box=1
dee rules
{player_wins}
dee settles
""",
    ),
    Situation(
        "under-minimum-in-a-box-over-the-differential",
        "over-differential",
        alike("5.1.2"),
        """
dan joins
dan buys 100
dee opens
ann bets player 300
dee records cat player 900
dee records dan player 5
dee closes
{player_wins}
dee reports over-differential box=1
dee rules
dee settles
""",
    ),
    Situation(
        "under-minimum-noticed",
        "under-minimum",
        alike("5.2"),
        """
dee opens
ann bets player 100
dee records bob banker 5
dee reports under-minimum box=2
dee rules
dee closes
bob bets banker 5
dee closes
{player_wins}
dee settles
""",
    ),
    Situation(
        "under-minimum-overlooked",
        "under-minimum",
        alike("5.2.1"),
        """
dee opens
ann bets player 100
dee records bob banker 5
dee closes
dee reports under-minimum box=2
dee rules
{player_wins}
dee settles
""",
    ),
    Situation(
        "player-walks-away",
        "walks-away",
        alike("5.3"),
        """
{bets}
dee closes
{to_come}
dee reports walks-away
dee reports walks-away players=ann
dee rules
ann insures player 10
bob declines
dee draws 4D 2S
dee settles
""",
    ),
    Situation(
        "interruption-with-an-outcome",
        "technical-interruption",
        alike("5.4.1"),
        """
{bets}
dee closes
dee draws 2C 4H 3D
dee reports technical-interruption
dee draws KS
dee rules
sue rules
dee draws KS 4D 2S
dee settles
""",
    ),
    Situation(
        "interruption-without-an-outcome",
        "technical-interruption",
        alike("5.4.2"),
        """
{bets}
dee closes
dee draws 2C 4H
dee reports technical-interruption
sue rules
dee opens
""",
    ),
    Situation(
        "foreign-card",
        "foreign-card",
        alike("5.5.1"),
        """
{bets}
ann bets tie 10
dee closes
{to_come}
ann insures player 20
dee reports foreign-card
dee rules
sue rules
dee opens
dee shuffles
dee opens
""",
    ),
    Situation(
        "cards-missing-after-settlement",
        "card-count",
        alike("5.5.2"),
        """
{bets}
dee closes
{player_wins}
dee settles
dee reports card-count
sue rules
dee opens
""",
    ),
    Situation(
        "wrong-number-of-cards",
        "wrong-number-of-cards",
        alike("5.5.3"),
        """
{bets}
dee closes
{player_wins}
dee settles
dee reports wrong-number-of-cards
dee reports wrong-number-of-cards drawn=5H
sue rules reconstructable=no
""",
    ),
    Situation(
        "wrong-number-noticed-in-the-next-round",
        "wrong-number-of-cards",
        ("5.12", "5.12", "5.11"),
        """
{bets}
dee closes
{player_wins}
dee settles
dee opens
ann bets player 50
dee reports wrong-number-of-cards round=1
sue rules
dee closes
dee draws 9D 4S KC 2H
dee settles
""",
    ),
    Situation(
        "wrong-number-reconstructed",
        "wrong-number-of-cards",
        ("5.13.2", "5.13.2", "5.12.2"),
        """
{bets}
dee closes
{unseen}
dee reports wrong-number-of-cards drawn=?
sue rules reconstructable=yes
ann continues
bob returns
dee exposes 1:9C 2:4H 3:KD 4:2S
dee settles
{next}
dee draws 5H
{unseen}
dee exposes 1:5H 2:4C 3:3D 4:4S
dee settles
""",
        FACE_DOWN,
    ),
    Situation(
        "too-few-cards",
        "too-few-cards",
        alike("5.5.4"),
        """
{bets}
dee closes
dee draws 2C 4H 3D
dee reports too-few-cards
dee draws KS 2D 5S
dee settles
""",
    ),
    Situation(
        "unshuffled-cards",
        "unshuffled-cards",
        alike("5.5.5"),
        """
{bets}
dee reports unshuffled-cards
sue rules
dee opens
""",
    ),
    Situation(
        "late-bets-refused",
        "late-bet",
        ("5.7", "5.7", "5.6"),
        """
{bets}
dee closes
cat bets player 100
bob withdraws banker 50
dee reports late-bet players=cat
dee notes-late cat player 100
dee notes-late bob banker -50
dee notes-late ann player 20
dee reports late-bet players=cat,bob
dee rules
{player_wins}
dee settles
""",
    ),
    Situation(
        "excess-card-begins-the-next-round",
        "excess-or-exposed-cards",
        ("5.8", "5.8", "5.7"),
        """
{bets}
dee closes
{player_wins}
dee reports excess-or-exposed-cards drawn=5H
dee rules
sue rules
dee settles
{next}
dee draws KC
dee draws 5H 4C 3D 4S
dee settles
""",
    ),
    Situation(
        "excess-card-belongs-to-the-round",
        "excess-or-exposed-cards",
        ("5.8", "5.8", "5.7"),
        """
{bets}
dee closes
dee draws 2C 4H 3D
dee reports excess-or-exposed-cards drawn=KS,4D
sue rules
dee draws 2S
dee settles
""",
    ),
    Situation(
        "excess-card-before-any-outcome",
        "excess-or-exposed-cards",
        ("5.8.1", "5.8.1", "5.7.1"),
        """
{bets}
bob bets tie 10
dee closes
{unseen}
dee reports excess-or-exposed-cards drawn=5H shown=5
sue rules
dee exposes 1:9C
bob returns 2/tie
bob returns
ann continues
dee exposes 1:9C 2:4H 3:KD 4:2S
dee settles
""",
        FACE_DOWN,
    ),
    Situation(
        "excess-card-beyond-reconstruction",
        "excess-or-exposed-cards",
        ("5.13.1", "5.13.1", "5.12.1"),
        """
{bets}
dee closes
{unseen}
dee reports excess-or-exposed-cards drawn=5H,6H
sue rules reconstructable=no order=6H,7H
sue rules reconstructable=no order=6H,5H
bob returns
ann continues
dee exposes 1:9C 2:4H 3:KD 4:2S
dee settles
{next}
{unseen}
dee exposes 3:3D 4:3S
dee settles
""",
        FACE_DOWN,
    ),
    Situation(
        "wrong-area-after-an-outcome",
        "wrong-area-or-person",
        ("5.9", "5.9", "5.8"),
        """
{bets}
dee closes
{to_come}
dee reports wrong-area-or-person drawn=4D
sue rules
dee draws 2S
dee settles
""",
    ),
    Situation(
        "wrong-area-before-an-outcome",
        "wrong-area-or-person",
        ("5.9.1", "5.9.1", "5.8.1"),
        """
{bets}
dee closes
dee draws 9C
dee reports wrong-area-or-person drawn=4H
sue rules
ann continues
bob returns
dee draws KD 2S
dee settles
""",
    ),
    Situation(
        "wrong-area-beyond-reconstruction-after-settlement",
        "wrong-area-or-person",
        ("5.9.1", "5.9.1", "5.8.1"),
        """
{bets}
bob bets player-pair 10
dee closes
{player_wins}
dee settles
dee reports wrong-area-or-person cards=1,2,3
sue rules reconstructable=no
ann continues
bob returns
""",
    ),
    Situation(
        "wrong-person-cards-passed-on",
        "wrong-area-or-person",
        ("5.9.2", "5.9.2", "5.8.2"),
        """
dee opens
ann bets player 200
bob bets banker 100
dee closes
ann asks-to-squeeze 1 3
sue lets-squeeze 1 3 to ann
{unseen}
dee hands 1 3 to bob
dee reports wrong-area-or-person players=bob
dee hands-wrongly 1 3 to bob
dee reports wrong-area-or-person players=bob
sue rules
ann continues
bob returns
dee exposes 1:9C 3:KD for ann
dee exposes 2:4H 4:2S
dee settles
""",
        FACE_DOWN,
    ),
    Situation(
        "card-dealt-face-up",
        "face-up-card",
        ("5.10", "5.10", "5.9"),
        """
{bets}
dee closes
dee draws ?
dee reports face-up-card
dee reports face-up-card drawn=4H shown=2
dee rules
sue rules
ann continues
bob returns
dee draws ? ?
dee exposes 1:9C 3:KD 4:2S
dee settles
""",
        FACE_DOWN,
    ),
    Situation(
        "cards-dealt-face-up-after-an-outcome",
        "face-up-card",
        ("5.10", "5.10", "5.9"),
        """
{bets}
dee closes
{unseen}
dee reports face-up-card shown=1,3 names=1:9C,3:KD
sue rules
dee exposes 2:4H 4:2S
dee settles
""",
        FACE_DOWN,
    ),
    Situation(
        "drawn-together-order-unknown",
        "drawn-together",
        ("5.11", "5.11", "5.10"),
        """
{bets}
dee closes
{to_come}
dee reports drawn-together drawn=4D,2S order_known=no
dee rules order=2S,4D
sue rules order=2S,2S
sue rules order=2S,4D
ann continues
bob returns
dee draws 4D
dee settles
""",
    ),
    Situation(
        "drawn-together-order-unknown-face-down",
        "drawn-together",
        ("5.11", "5.11", "5.10"),
        """
{bets}
bob bets player-pair 10
dee closes
{unseen}
dee exposes 1:2C 2:4H 3:3D 4:KS
dee reports drawn-together drawn=? order_known=no
dee reports drawn-together drawn=?,? order_known=no
sue rules order=2S,4D
sue rules order=2,1
ann continues
bob returns
dee exposes 5:2S
dee draws ?
dee exposes 6:4D
dee settles
""",
        FACE_DOWN,
    ),
    Situation(
        "drawn-together-order-known",
        "drawn-together",
        ("5.11.1", "5.11.1", "5.10.1"),
        """
{bets}
bob bets tie 10
dee closes
dee draws 2C 4H
dee reports drawn-together drawn=3D,KS order_known=yes
sue rules
bob returns
ann continues
dee draws 4D 2S
dee settles
""",
    ),
    Situation(
        "drawn-together-cards-replaced",
        "drawn-together",
        ("5.11.2", "5.11.2", "5.10.2"),
        """
{bets}
dee closes
dee draws 2C
dee reports drawn-together drawn=4H,3D order_known=yes
sue rules replace_cards=yes
ann continues
bob returns
dee draws KS 4D 2S
dee settles
dee opens
dee shuffles
dee opens
""",
    ),
    Situation(
        "error-noticed-a-round-later",
        "noticed-later",
        ("5.12", "5.12", "5.11"),
        """
{bets}
dee closes
{player_wins}
dee settles
{next}
dee reports foreign-card round=1
dee reports noticed-later round=2
dee reports noticed-later round=1
sue rules
dee draws 9D 4S KC 2H
dee settles
""",
    ),
    Situation(
        "other-dealing-error",
        "other-dealing-error",
        ("5.13", "5.13", "5.12"),
        """
{bets}
bob bets player-pair 10
dee closes
{to_come}
dee reports other-dealing-error
dee rules
sue rules reconstructable=no
cat bets player 10
ann continues
bob returns
dee draws 4D 2S
dee settles
""",
    ),
    Situation(
        "bet-returned-with-its-insurance",
        "other-dealing-error",
        ("5.13.3", "", "5.12.3"),
        """
{bets}
dee closes
{to_come}
ann insures player 20
dee reports other-dealing-error
sue rules
ann returns
bob continues
dee draws 4D 2S
dee settles
""",
    ),
    Situation(
        "neglected-offer-still-open",
        "neglected-insurance",
        ("5.14.1", "", "5.13"),
        """
{bets}
dee closes
{to_come}
dee reports neglected-insurance players=ann
pam rules intended=ann
pam rules
ann insures player 50
dee draws 2D 5S
dee settles
""",
    ),
    Situation(
        "neglected-offer-made-late",
        "neglected-insurance",
        ("5.14.1", "", ""),
        """
{bets}
dee closes
{to_come}
bob declines
dee draws 4D
dee reports neglected-insurance players=ann window=1
sue rules
pam rules
ann insures player 67 in 1 window 1
ann insures player 66 in 1 window 1
ann insures player 10
dee draws 5S
dee settles
""",
    ),
    Situation(
        "neglected-offer-noticed-too-late",
        "neglected-insurance",
        ("5.14.2", "", "5.13"),
        """
dee opens
ann bets player 100
cat bets player 100
bob bets banker 100
dee closes
{to_come}
dee draws 2D 5S
dee reports neglected-insurance players=ann,cat
sue rules
pam rules intended=ann
dee settles
""",
    ),
    Situation(
        "neglected-offer-noticed-after-settlement",
        "neglected-insurance",
        ("5.14.2", "", "5.13"),
        """
{bets}
dee closes
{to_come}
dee draws 2D 5S
dee settles
dee reports neglected-insurance players=ann
pam rules intended=ann
""",
    ),
    Situation(
        "no-neglect-where-none-is-offered",
        "neglected-insurance",
        ("5.14.2", "", "5.13"),
        """
{bets}
dee closes
{to_come}
dee reports neglected-insurance players=ann
dee draws 2D 5S
dee settles
""",
        {"insurance": False, "private": True},
    ),
    Situation(
        "chips-stay-where-they-lie",
        "misplaced-chips",
        ("5.15", "5.14", "5.14"),
        """
{bets}
dee closes
dee reports misplaced-chips players=bob
dee rules
{player_wins}
dee settles
""",
    ),
    Situation(
        "display-corrected",
        "display-error",
        ("5.16", "5.15", "5.15"),
        """
{bets}
dee closes
{player_wins}
dee settles
dee reports display-error displayed=player
dee reports display-error displayed=banker
dee rules
dee opens
""",
    ),
    Situation(
        "not-covered-void",
        "not-covered",
        ("5.19", "5.18", "5.18"),
        """
{bets}
dee closes
{player_wins}
dee settles
dee reports not-covered
pam rules action=void reason=fire alarm
sam rules action=void
sam rules action=void reason=fire alarm
""",
    ),
    Situation(
        "not-covered-goes-on",
        "not-covered",
        ("5.19", "5.18", "5.18"),
        """
{bets}
dee closes
dee draws 9C 4H
dee reports not-covered
dee reports technical-interruption
sam dismisses technical-interruption reason=the lights only flickered
sam rules action=continue reason=a drink was spilt
dee draws KD 2S
dee settles
""",
    ),
    Situation(
        "over-a-maximum-that-no-rule-speaks-of",
        "not-covered",
        ("5.19", "5.18", "5.18"),
        """
{bets}
dee records ann tie 1500
dee closes
dee draws 2C 4H 4D 2S
dee settles
dee reports not-covered
sam rules action=cut-to-maximum stakes=bob/2/banker reason=over the maximum
sam rules action=cut-to-maximum stakes=ann/1/tie reason=over the maximum
dee settles
""",
    ),
    Situation(
        "reading-set-aside",
        "drawn-together",
        ("5.19", "5.18", "5.18"),
        """
{bets}
dee closes
dee draws 2C 4H
dee reports drawn-together drawn=3D,KS order_known=yes
sue rules overrides=25 action=continue reason=the tape shows the order
sam rules overrides=25 reason=the tape shows the order
sam rules overrides=25 action=continue reason=the tape shows the order
dee draws 4D 2S
dee settles
""",
    ),
)

# MBS ------------------------------------------------------------------------------------------------------

OF_MBS = (
    Situation(
        "missing-card",
        "extra-or-missing-cards",
        ("5.1",),
        """
{bets}
dee closes
{to_come}
dee reports extra-or-missing-cards
dee rules
pam rules
dee opens
""",
    ),
    Situation(
        "foreign-card-cards-replaced",
        "foreign-card",
        ("5.1.1",),
        """
{bets}
dee closes
{player_wins}
dee settles
dee opens
ann bets player 50
dee closes
dee draws 9D
dee reports foreign-card
pam rules
dee opens
dee shuffles
dee opens
""",
    ),
    Situation(
        "unshuffled-cards",
        "unshuffled-cards",
        ("5.1.2",),
        """
{bets}
dee closes
{player_wins}
dee settles
dee reports unshuffled-cards
dee opens
ann bets player 50
dee reports unshuffled-cards
pam rules
""",
    ),
    Situation(
        "order-altered-beyond-reconstruction",
        "order-altered",
        ("5.2",),
        """
{bets}
dee closes
{to_come}
dee reports order-altered
pam rules reconstructable=no
""",
    ),
    Situation(
        "order-put-right",
        "order-altered",
        ("5.2",),
        """
{bets}
dee closes
{to_come}
dee reports order-altered
pam rules reconstructable=yes
dee draws 4D 2S
dee settles
""",
    ),
    Situation(
        "too-few-cards",
        "too-few-cards",
        ("5.3",),
        """
{bets}
dee closes
{to_come}
dee reports too-few-cards
dee draws 2D 5S
dee settles
""",
    ),
    Situation(
        "late-wager",
        "late-wager",
        ("5.4",),
        """
{bets}
dee closes
cat bets player 100
dee reports late-wager players=cat
dee notes-late cat player 100
dee reports late-wager players=cat
dee rules
{player_wins}
dee settles
""",
    ),
    Situation(
        "withdrawn-wager-still-plays",
        "withdrawn-wager",
        ("5.5",),
        """
{bets}
dee closes
bob withdraws banker 100
dee notes-late bob banker -100
dee reports withdrawn-wager players=bob
dee rules
{player_wins}
dee settles
""",
    ),
    Situation(
        "face-up-card-in-the-device",
        "face-up-in-device",
        ("5.6",),
        """
{bets}
dee closes
dee reports face-up-in-device
dee draws 9C
dee reports face-up-in-device drawn=4H
dee rules
dee draws KD 2S
dee settles
""",
    ),
    Situation(
        "wrong-order-reconstructed",
        "wrong-order",
        ("5.7",),
        """
{bets}
dee closes
{to_come}
dee reports wrong-order drawn=4D,2S
dee rules
dee settles
""",
    ),
    Situation(
        "wrong-person",
        "wrong-person",
        ("5.7",),
        """
{bets}
dee closes
{unseen}
dee hands-wrongly 1 3 to bob
dee reports wrong-person players=bob
dee rules
dee exposes 1:9C 3:KD for ann
dee hands 2 4 to bob
dee exposes 2:4H 4:2S for bob
dee settles
""",
        METHOD_A,
    ),
    Situation(
        "shown-in-error-is-no-wrong-delivery",
        "not-wrong-delivery",
        ("5.7.1",),
        """
{bets}
dee closes
dee draws ?
dee reports not-wrong-delivery drawn=4H
dee rules
dee draws ? ?
dee exposes 1:9C 3:KD
dee exposes 4:2S
dee settles
""",
        METHOD_A,
    ),
    Situation(
        "drawn-together-order-known",
        "drawn-together",
        ("5.8.1",),
        """
{bets}
bob bets tie 10
dee closes
dee draws 2C
dee reports drawn-together drawn=4H,3D order_known=yes
dee rules
pam rules
bob returns 2/tie
ann continues
dee draws KS 4D 2S
dee settles
""",
    ),
    Situation(
        "drawn-together-unknown-in-the-initial-deal",
        "drawn-together",
        ("5.8.2.1",),
        """
{bets}
dee closes
dee draws 2C 4H 3D KS 4D
dee reports drawn-together cards=3,4 order_known=no
pam rules
""",
    ),
    Situation(
        "drawn-together-unknown-later",
        "drawn-together",
        ("5.8.2.2",),
        """
{bets}
bob bets tie 10
bob bets tiger-pair 10
dee closes
{to_come}
dee reports drawn-together drawn=4D,2S order_known=no
sue rules order=2S,4D
pam rules order=2S,4D
bob returns
ann continues
dee settles
""",
    ),
    Situation(
        "drawn-together-unknown-face-down",
        "drawn-together",
        ("5.8.2.2",),
        """
{bets}
bob bets tie 10
bob bets tiger-pair 10
dee closes
{unseen}
dee exposes 1:2C 2:4H 3:3D 4:KS
dee reports drawn-together drawn=?,? order_known=no
pam rules order=2,1
bob returns 2/tie
bob returns
ann continues
dee exposes 5:2S
dee draws ?
dee exposes 6:4D
dee settles
""",
        METHOD_A,
    ),
    Situation(
        "device-reset-and-bets-reopened",
        "device-reset",
        ("5.9",),
        """
{bets}
bob bets tie 10
bob bets tiger-pair 10
dee reports device-reset
dee closes
dee draws 2C 4H 2D KS
dee reports device-reset
dee rules
bob returns 2/tie
ann continues
cat bets player 50
dee closes
{player_wins}
dee settles
""",
        {"device": "reader"},
    ),
    Situation(
        "handler-not-there",
        "absent-handler",
        ("5.10",),
        """
{bets}
dee closes
{unseen}
dee hands 1 3 to ann
dee exposes 1:2C 3:3D
dee reports absent-handler players=ann
dee rules
dee rules names=1:2C,3:3D
dee exposes 2:4H 4:KS
dee draws ?
dee hands 5 to ann
dee exposes 5:4D
dee draws ?
dee exposes 6:2S
dee settles
""",
        METHOD_A,
    ),
    Situation(
        "left-with-cards-values-known",
        "left-with-cards",
        ("5.11",),
        """
{bets}
dee closes
{unseen}
dee hands 1 3 to ann
dee reports left-with-cards players=ann values_known=yes
sue rules
sue rules names=1:9C,3:KD
dee exposes 2:4H 4:2S
dee settles
""",
        METHOD_A,
    ),
    Situation(
        "left-with-cards-values-unknown",
        "left-with-cards",
        ("5.11.1",),
        """
{bets}
dee closes
{unseen}
dee hands 1 3 to ann
dee reports left-with-cards players=ann values_known=no
pam rules substitutes=1:2C,3:3D
ada rules substitutes=1:2C,3:3D
sam rules
sam rules substitutes=1:2C,3:3D
dee exposes 1:9C 3:3D
dee exposes 1:2C 2:4H 3:3D 4:KS
dee draws ?
dee exposes 5:4D
dee draws ?
dee exposes 6:2S
dee settles
dee opens
dee shuffles
dee opens
""",
        METHOD_A,
    ),
    Situation(
        "exposed-while-the-device-moved",
        "exposed-moving-device",
        ("5.12.1",),
        """
{bets}
dee gives-device to ann
dee closes
ann draws 9C
dee reports exposed-moving-device drawn=4H shown=2
dee rules
ann draws KD 2S
dee exposes 1 3
dee exposes 4
dee settles
""",
        METHOD_C,
    ),
    Situation(
        "altered-while-the-device-moved",
        "altered-moving-device",
        ("5.12.2",),
        """
{bets}
dee gives-device to ann
dee closes
ann draws 9C
dee reports altered-moving-device
pam rules reconstructable=no
dee opens
""",
        METHOD_C,
    ),
    Situation(
        "under-minimum-once",
        "under-minimum",
        ("5.14",),
        """
dee opens
ann bets player 100
dee records bob banker 5
dee closes
dee reports under-minimum players=bob
dee rules
{player_wins}
dee settles
dee opens
dee records bob banker 5
dee closes
dee draws 4C 9H 2D KS
dee settles
""",
    ),
    Situation(
        "over-maximum",
        "over-maximum",
        ("5.15",),
        """
dee opens
dee records ann player 1500
bob bets banker 800
dee closes
dee reports over-maximum players=ann
dee rules
{player_wins}
dee settles
""",
    ),
    Situation(
        "earlier-wagers-are-settled",
        "over-maximum",
        ("5.16",),
        """
dee opens
dee records ann player 1500
bob bets banker 800
dee closes
{player_wins}
dee settles
dee opens
dee reports over-maximum players=ann round=1
dee rules
dee closes
""",
    ),
    Situation(
        "power-failure-without-an-outcome",
        "power-failure",
        ("5.17.1",),
        """
{bets}
bob bets tie 10
dee closes
dee draws 2C 4H
dee reports power-failure
dee rules
bob returns 2/tie
bob returns
ann continues
dee draws 3D KS 4D 2S
dee settles
""",
    ),
    Situation(
        "power-failure-with-an-outcome",
        "power-failure",
        ("5.17.2",),
        """
{bets}
dee closes
{to_come}
dee reports power-failure
dee rules
dee draws 4D 2S
dee settles
""",
    ),
    Situation(
        "table-differential",
        "over-differential",
        ("5.18",),
        """
dee opens
ann bets player 900
cat bets player 500
bob bets banker 100
dee reports over-differential
dee rules
cat bets player 10
cat bets banker 10
ann withdraws player 100
bob bets banker 50 in 2
dee closes
dee removes cat player 100
pam removes cat player 150
dee closes
{player_wins}
dee settles
""",
    ),
    Situation(
        "not-covered",
        "not-covered",
        ("6.1",),
        """
{bets}
dee closes
{player_wins}
dee settles
dee reports foreign-card
dee reports not-covered
ada rules action=void reason=the cards were marked
sam rules action=void reason=the cards were marked
""",
    ),
    Situation(
        "display-corrected",
        "display-error",
        ("6.3",),
        """
{bets}
dee closes
{player_wins}
dee settles
dee reports display-error displayed=tie
dee rules
""",
    ),
)
