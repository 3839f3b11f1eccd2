"""All compiled code, in one file because Numba keeps it until that file changes.

**Shoes.** ShoeKind `number` of `stream` is one fixed shuffle for a seed, whoever computes it and when. The
generator is SplitMix64 read by position: word `k` of a stream is `mix(start + k * GOLDEN)`, so any word is
had without those before it, and four fit a vector register. `GOLDEN` is odd and `mix` is a bijection, so
the words of a seed are 2^64 different ones in a fixed order. Stream `c` owns those from c * 2^32 on: streams
never overlap. Its lower half shuffles, its upper half redraws what was rejected.

Each word gives four lanes of 16 bits, and each lane one draw: multiplied by the number of cards left, its
high half is the card picked (0 to left - 1). That alone would favour some cards by one in 65,536 parts
or so; a lane whose low half is below 2^16 mod left is rejected and drawn again, after which every card has
exactly floor(2^16 / left) lanes that pick it.

**Rounds** are dealt without a branch, by tables made from the rulebook. **Sessions** are one loop in the
order of a round; whatever differs from plan to plan is in tables too.

**Tiers** that look at ranks by place or at suits are dealt from shoes whose cards have suits, in the same
order; all others need neither, and pay nothing for them.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.simulate.compiled import (
    Bytes,
    Counts,
    Integers,
    Lanes,
    RandomWords,
    Whole,
    compiled,
    inner,
    np,
)
from thirdcard.simulate.session_plans import LONGEST_LINE

DEALING = 1  # raised whenever a run would deal other cards than before

U64 = np.uint64
U32 = np.uint32
U16 = np.uint16
U8 = np.uint8
GOLDEN = U64(0x9E3779B97F4A7C15)
FIRST_MIX = U64(0xBF58476D1CE4E5B9)
SECOND_MIX = U64(0x94D049BB133111EB)
REDRAWN = U64(1 << 31)
LANES = 4  # draws in a word
BYTES = 8  # cards in a word
POINTS = U32(15)  # the bits of a card that are its points
FOUR_BITS, FIVE_BITS = U8(15), U8(31)  # the same of a card, and of two that are added up, in vectors of bytes
TEN_POINTS = U8(10)
RANK = U8(111)  # those of its rank; the other two are its suit, the highest of them its colour
NO_CARD = U8(127)  # the rank at the place of a card that was not drawn
NINE, TEN = 9, 10  # ranks; above them come jack, queen and king, told apart by the higher bits
KINDS = 5  # of pairs, as classes are numbered

TIE, PLAYER, BANKER = range(3)  # winners, as numbers
NEVER, ALWAYS, POSITIVE = range(3)  # insurance policies
BY_ROUNDS, BY_TARGET, BY_FLOOR, BY_RUIN = range(4)  # how a session ended
NO_SUCH_BET = -1  # the same, of a strategy that chose a bet which is not there
NET, ROUNDS, TURNOVER, DRAWDOWN, END, INSURED, INSURANCE_NET = range(7)  # what is kept of a session


class ShoeKind(NamedTuple):
    """A kind of shoe, as the kernels take it.

    `last` is the last position at which a round may begin: where the cut card lies. `bounds` are the cards
    left for each draw, and `floors` what a lane's low half must reach. `steps` lead from a shoe's first word
    to each of its words: multiplied anew, they would cost a third of the generator.
    """

    fresh: Bytes
    bounds: Lanes
    floors: Lanes
    steps: RandomWords
    last: int
    drawn: int


class Room(NamedTuple):
    """Room for shuffling and dealing; the second of each pair is another view of the first.

    Made here and not in the kernels, which would take half as long again to compile.
    """

    cards: Bytes  # a shoe as it is drawn from
    words: RandomWords
    lanes: Lanes
    picks: Lanes
    fours: RandomWords
    rejected: Bytes
    flags: RandomWords
    eights: RandomWords
    dealt: Bytes  # two shoes in the order drawn
    keys: Lanes  # of two shoes, what a round that begins at a place looks up first
    key_bytes: Bytes
    rests: Bytes  # and then
    classes: Lanes  # of the rounds of two shoes


class Play(NamedTuple):
    """The Table of Play.

    `replies[x, y, z]`, x and y being the points of each hand's two cards added up and z those of the
    fifth card, holds the number of cards in the round (its low three bits) and a row of `endings`; the row
    has the class without pairs for each sixth card. Both are flat: indices are shifted together.
    """

    replies: Lanes
    endings: Lanes
    winners: Integers  # of each class


class PlannedBets(NamedTuple):
    """Bets and limits as the kernel takes them: one row for each bet that the plan may place."""

    unit: int
    chip: int
    minimum: int
    bankroll: int
    target: int
    floor: int
    rounds: int
    every: int  # rounds from one point of a path to the next
    sides: int
    side_net: Integers  # of all side bets together, by class
    after: Integers  # the row to bet after each winner
    hands: Integers  # the hand that a row bets on, or TIE
    most: Integers
    highest: int  # of them
    pays: Integers  # [row, numerator or denominator, class]
    steps: Integers
    on_win: Integers
    on_lose: Integers
    line: Integers
    share: Integers  # numerator and denominator; 0/1 for none


class Cover(NamedTuple):
    """Insurance as the kernel takes it; caps are numerator and denominator, -1/1 for none."""

    policy: int
    offers: Integers  # [hand, window - 1, Player's points, Banker's points]: an offer or -1
    odds: Integers  # [offer, numerator or denominator]
    tie_paid: Integers
    long_cap: Integers  # the most that may be staked on each offer, by its odds
    per_window: Integers
    winnings: Integers


class Tiers(NamedTuple):
    """Tiers and pushes that look at single cards: a round fits if every table and every sum says so.

    The first that fits is the only one of its bet.
    """

    endings: Bytes  # [tier, class without pairs]
    pairs: Bytes  # [tier, kind of pairs and of suits]
    ranks: Bytes  # [tier, place, rank]
    bets: Integers  # of each tier
    sums: Integers  # where the sums of each tier begin, and the end of the last
    counts: Bytes  # [sum, place, card]
    right: Bytes  # [sum, what it may come to]


class Laid(NamedTuple):
    """Room for a round laid out: ranks in the order drawn, ranks by place, and cards by place."""

    drawn: Bytes
    places: Bytes
    cards: Bytes


class Staked(NamedTuple):
    """Such tiers of the bets of a plan, each of a row of the book or of a side bet, and room for a round."""

    tiers: Tiers
    rows: Integers  # the row that the tier is of, or -1
    pays: Integers  # [tier, numerator or denominator]
    side_net: Integers  # what the tier brings beyond the side bet's loss
    laid: Laid


class Known(NamedTuple):
    """What a player at the table knows before a round; strategies of one's own decide by it alone.

    Money is in cents. Arrays hold one number for each round played in this session, the first one first, and
    cannot be written to. Nothing of cards that are still in the shoe can be known.

    >>> from thirdcard.simulate import nothing_known
    >>> nothing_known(unit=500).unit
    500
    """

    rounds: int  # played in this session
    shoes: int  # begun before the one in use
    shoe_rounds: int  # played from the shoe in use
    cards_left: int  # in the shoe, with those behind the cut card
    cards_to_cut: int  # before the cut card comes
    bankroll: int
    unit: int
    chip: int  # stakes are rounded down to a multiple of it
    minimum: int
    maximum: int  # the highest that the limits allow on any of the bets
    seen: Integers  # cards of the shoe in use, by rank: seen[1] aces to seen[13] kings
    winners: Integers  # 0 for a tie, 1 for the Player, 2 for the Banker
    bets: Integers  # the bet that was chosen, counted from 0
    stakes: Integers  # 0 where the round was sat out
    nets: Integers  # what the bet won or lost; side bets and insurance are not in it


Own: TypeAlias = Callable[[Known], tuple[int, int]]  # the bet to make, counted from 0, and the stake


class Past(NamedTuple):
    """The arrays of `Known`, of all rounds: as the kernel writes them, or as strategies read them."""

    seen: Integers
    winners: Integers
    bets: Integers
    stakes: Integers
    nets: Integers


class Workspace(NamedTuple):
    """Room for a session: the line of a Labouchère, the cards left by points, a round's points."""

    line: Integers
    left: Integers
    fresh: Integers
    points: Integers
    cards: int  # in a whole shoe


@inner
def mix(z: np.uint64) -> np.uint64:
    """SplitMix64's finisher: every bit of the result depends on every bit of `z`."""
    z = (z ^ (z >> U64(30))) * FIRST_MIX
    z = (z ^ (z >> U64(27))) * SECOND_MIX
    return z ^ (z >> U64(31))


@inner
def start_of(seed: np.uint64, stream: int) -> np.uint64:
    """Where a stream of a seed starts."""
    return mix(seed + GOLDEN) + (U64(stream) << U64(32)) * GOLDEN


@inner
def draw(lanes: Lanes, bounds: Lanes, floors: Lanes, picks: Lanes, rejected: Bytes) -> None:
    """A pick below its bound from each lane, and whether it must be drawn again.

    High and low half are two multiplications of 16 bits, which a vector register does 16 at a time; taken
    from one product of 32 bits they would cost five times as much.
    """
    for k in range(lanes.size):
        picks[k] = (U32(lanes[k]) * U32(bounds[k])) >> U32(16)
        rejected[k] = U16(lanes[k] * bounds[k]) < floors[k]


@inner
def redraw(start: np.uint64, lane: np.uint64, bound: np.uint16, floor: np.uint16) -> np.uint16:
    """The pick of a rejected lane, from a word of its own."""
    word = mix(start + (REDRAWN + lane) * GOLDEN)
    while U16(U32(word & U64(0xFFFF)) * U32(bound)) < floor:
        word = mix(word + GOLDEN)
    return U16((U32(word & U64(0xFFFF)) * U32(bound)) >> U32(16))


@inner
def shuffle(which: int, shoe: ShoeKind, start: np.uint64, number: np.uint64, room: Room) -> None:
    """Lay out shoe `number` of a stream in `room.dealt[which]`, as far as cards may be dealt.

    A card that is drawn goes to a word of eight, and only the one that takes its place is written: a
    processor that writes once in a cycle would spend its time on writing.
    """
    words = room.words
    begin = start + number * U64(words.size) * GOLDEN
    for k in range(words.size):
        words[k] = mix(begin + shoe.steps[k])
    picks = room.picks
    draw(room.lanes, shoe.bounds, shoe.floors, picks, room.rejected)
    for word in range(room.flags.size):
        if room.flags[word]:
            for k in range(word * BYTES, (word + 1) * BYTES):
                if room.rejected[k]:
                    lane = number * U64(picks.size) + U64(k)
                    picks[k] = redraw(start, lane, shoe.bounds[k], shoe.floors[k])
    cards, fours, drawn = room.cards, room.fours, room.eights[which]
    for k in range(cards.size):
        cards[k] = shoe.fresh[k]
    for word in range(drawn.size):
        eight = U64(0)
        for half in range(2):
            four = fours[U64(2 * word + half)]  # unsigned, or each index would be checked for being negative
            for k in range(LANES):
                at = U64(BYTES * word + LANES * half + k)
                other = at + ((four >> U64(16 * k)) & U64(0xFFFF))
                eight |= U64(cards[other]) << U64(8 * (LANES * half + k))
                cards[other] = cards[at]
        drawn[word] = eight


@compiled
def lay_out(  # noqa: PLR0913, PLR0917 - arrays, as a kernel takes them
    shoe: ShoeKind, seed: np.uint64, stream: int, first: int, room: Room, out: Bytes
) -> None:
    """Some shoes of a stream, one row each."""
    start = start_of(seed, stream)
    for k in range(len(out)):
        shuffle(0, shoe, start, U64(first + k), room)
        for at in range(out.shape[1]):
            out[k, at] = room.dealt[0, at]


@inner
def play_round(cards: Bytes, at: np.uint64, play: Play) -> tuple[np.uint32, np.uint64]:
    """The class of the round that begins there, and where the next one begins.

    Nothing branches: six cards are looked at, and the tables know how many of them are played.
    """
    first, second = U32(cards[at]), U32(cards[at + U64(1)])
    third, fourth = U32(cards[at + U64(2)]), U32(cards[at + U64(3)])
    fifth, sixth = U32(cards[at + U64(4)]) & POINTS, U32(cards[at + U64(5)]) & POINTS
    player = (first & POINTS) + (third & POINTS)
    banker = (second & POINTS) + (fourth & POINTS)
    reply = U32(play.replies[(player << U32(5) | banker) << U32(4) | fifth])
    number = U32(play.endings[(reply >> U32(3)) << U32(4) | sixth])
    player_pair, banker_pair = U32(first == third), U32(second == fourth)
    twin = player_pair & banker_pair & U32(first == second)
    return number + player_pair + banker_pair + banker_pair + twin, at + U64(reply & U32(7))


@inner
def survey(cards: Bytes, keys: Bytes, rests: Bytes) -> None:
    """For a round that begins at any place, what its first five cards ask for and what the others add.

    A round begins at one place in five, but 32 places are done at a time, for which all is in bytes: a key is
    its low byte and its high one, as an index of `replies`. The sixth card's points are the low four bits of
    `rests`, and the number of the pairs is above them. Points lose their ten, so that a third of `replies` is
    asked and stays near the processor.
    """
    for k in range(rests.size):
        first, second, third, fourth = cards[k], cards[k + 1], cards[k + 2], cards[k + 3]
        player, banker = U8(first + third) & FIVE_BITS, U8(second + fourth) & FIVE_BITS
        player = min(player, U8(player - TEN_POINTS))  # wraps below ten
        banker = min(banker, U8(banker - TEN_POINTS))
        keys[2 * k] = U8(banker << U8(4)) | cards[k + 4] & FOUR_BITS
        keys[2 * k + 1] = U8(player + player)
        player_pair, banker_pair = U8(first == third), U8(second == fourth)
        twin = U8(player_pair & banker_pair & U8(first == second))
        pairs = U8(player_pair + banker_pair + banker_pair + twin)
        rests[k] = U8(pairs << U8(4)) | cards[k + 5] & FOUR_BITS


@inner
def next_round(keys: Lanes, rests: Bytes, at: np.uint64, play: Play) -> tuple[np.uint32, np.uint64]:
    """As `play_round`, of a shoe that was surveyed."""
    reply, rest = U32(play.replies[keys[at]]), U32(rests[at])
    number = U32(play.endings[(reply >> U32(3)) << U32(4) | rest & POINTS]) + (rest >> U32(4))
    return number, at + U64(reply & U32(7))


@compiled
def tally_stream(  # noqa: PLR0913, PLR0917 - arrays, as a kernel takes them
    seed: np.uint64, stream: int, rounds: int, shoe: ShoeKind, play: Play, room: Room, tally: Counts
) -> None:
    """Add that many rounds of a stream to `tally`, from its first shoe on.

    Two shoes are dealt side by side, because a round's place is known only when the one before it has been
    looked up and the processor would wait; the last few are dealt singly, to stop at the very round. Classes
    are noted and then counted: counted at once, one round in ten would wait for the last one of its class.
    """
    start = start_of(seed, stream)
    keys, rests, classes = room.keys, room.rests, room.classes
    last = U64(shoe.last)
    most = shoe.last // INITIAL + 1  # rounds in a shoe, if each takes four cards
    dealt = U64(0)
    while rounds > 0:
        shoes = 2 if rounds >= 2 * most else 1
        for which in range(shoes):
            shuffle(which, shoe, start, dealt, room)
            survey(room.dealt[which], room.key_bytes[which], rests[which])
            dealt += U64(1)
        noted = U64(0)
        here = there = U64(0)
        if shoes > 1:
            while max(here, there) <= last:
                number, here = next_round(keys[0], rests[0], here, play)
                classes[noted] = number
                number, there = next_round(keys[1], rests[1], there, play)
                classes[noted + U64(1)] = number
                noted += U64(2)
        begins = here, there
        for which in range(shoes):
            at = begins[which]
            while at <= last:
                number, at = next_round(keys[which], rests[which], at, play)
                classes[noted] = number
                noted += U64(1)
        noted = min(noted, U64(rounds))
        for k in range(noted):
            tally[classes[U64(k)]] += U32(1)
        rounds -= np.int64(noted)  # type: ignore[assignment]


@inner
def lay(cards: Bytes, at: np.uint64, play: Play, laid: Laid) -> tuple[np.uint32, np.uint64, np.uint32]:
    """As `play_round`, of cards with suits, and the round's kind of pairs and of suits.

    Two suits differ in neither bit, in the lower one alone (two suits of a colour), or in the higher one.
    """
    for k in range(LONGEST):
        laid.drawn[k] = cards[at + U64(k)] & RANK
    number, cards_played = play_round(laid.drawn, U64(0), play)
    drew = number // U32(KINDS)  # its lowest bit is the Banker's third card, the next one the Player's
    places, drawn = laid.places, laid.drawn
    places[0], places[1], places[3], places[4] = drawn[0], drawn[2], drawn[1], drawn[3]
    places[2] = drawn[4] if drew & U32(2) else NO_CARD
    places[5] = drawn[5 if drew & U32(2) else 4] if drew & U32(1) else NO_CARD
    for place in range(LONGEST):
        laid.cards[place] = NO_CARD
    for k in range(INITIAL):
        laid.cards[3 * (k % 2) + k // 2] = cards[at + U64(k)]
    if drew & U32(2):
        laid.cards[2] = cards[at + U64(4)]
    if drew & U32(1):
        laid.cards[5] = cards[at + U64(5 if drew & U32(2) else 4)]
    kind = number % U32(KINDS)
    for hand in range(2):
        differ = U32(cards[at + U64(hand)] ^ cards[at + U64(hand + 2)])
        kind = kind << U32(2) | differ >> U32(6) & U32(2) | differ >> U32(4) & U32(1)
    return number, at + cards_played, kind


@inner
def fits(tiers: Tiers, tier: int, number: np.uint32, kind: np.uint32, laid: Laid) -> bool:
    """Whether a tier is the result of a round that was laid out."""
    if not (tiers.endings[tier, number // U32(KINDS)] and tiers.pairs[tier, kind]):
        return False
    for place in range(LONGEST):
        if not tiers.ranks[tier, place, laid.places[place]]:
            return False
    for one in range(tiers.sums[tier], tiers.sums[tier + 1]):
        total = U32(0)
        for place in range(LONGEST):
            total += U32(tiers.counts[one, place, laid.cards[place]])
        if not tiers.right[one, total]:
            return False
    return True


@compiled
def tally_tiers(  # noqa: PLR0913, PLR0917 - arrays, as a kernel takes them
    seed: np.uint64,
    stream: int,
    rounds: int,
    shoe: ShoeKind,
    play: Play,
    tiers: Tiers,
    room: Room,
    laid: Laid,
    tally: Counts,
    by_tier: Counts,
) -> None:
    """As `tally_stream`, of the same rounds; `by_tier` gets those that fit each tier."""
    start = start_of(seed, stream)
    cards = room.dealt[0]
    dealt, at = U64(0), U64(shoe.last + 1)
    for _ in range(rounds):
        if at > U64(shoe.last):
            shuffle(0, shoe, start, dealt, room)
            dealt += U64(1)
            at = U64(0)
        number, at, kind = lay(cards, at, play, laid)
        tally[number] += U32(1)
        settled = np.int64(-1)
        for tier in range(len(by_tier)):
            if tiers.bets[tier] != settled and fits(tiers, tier, number, kind, laid):
                by_tier[tier] += U32(1)
                settled = tiers.bets[tier]


@inner
def worth(  # noqa: PLR0913, PLR0917 - what the value depends on
    play: Play, cover: Cover, offer: int, hand: int, sums: int, fifth: int, left: Integers
) -> int:
    """The exact value of an offer on the cards left in the shoe, times a positive number.

    `sums` are both hands' two-card sums as `replies` is indexed. `fifth` is the Player's third card in the
    second window; below zero in the first, when it is still to come. A third card that is drawn after
    another is drawn from one card less.
    """
    win, lose, total = 0, 0, 0
    for drawn in range(10):
        total += left[drawn]
    first, last = (0, 9) if fifth < 0 else (fifth, fifth)
    for drawn in range(first, last + 1):
        ways = left[drawn] if fifth < 0 else 1
        taken = 1 if fifth < 0 else 0
        reply = play.replies[U32(sums << 4 | drawn)]
        row = (reply >> 3) << 4
        sixths = 10 if reply & 7 == LONGEST else 1  # where no sixth card is due, any one stands for all
        for sixth in range(sixths):
            weight = ways * (left[sixth] - (taken if sixth == drawn else 0) if sixths > 1 else total - 1)
            winner = play.winners[play.endings[U32(row | sixth)]]
            if winner == hand:
                lose += weight
            elif winner != TIE or cover.tie_paid[offer]:
                win += weight
    return int(win * cover.odds[offer, 0] - lose * cover.odds[offer, 1])


@inner
def cap(cover: Cover, offer: int, original: int, earlier: Whole, bought: Whole) -> int:
    """The most that may be staked on an offer; `bought` is the stake on offer `earlier` of this round.

    `thirdcard.play.insurance.cap` in whole numbers, before it is rounded down to the chip unit.
    """
    most = cover.long_cap[offer]
    if cover.per_window[0] >= 0:
        most = min(most, original * cover.per_window[0] // cover.per_window[1])
    if cover.winnings[0] >= 0:
        before = max(earlier, 0)
        part = cover.winnings[1] * cover.odds[before, 1]
        spare = original * cover.winnings[0] * cover.odds[before, 1]
        spare -= bought * cover.odds[before, 0] * cover.winnings[1]
        most = min(most, max(spare, 0) * cover.odds[offer, 1] // (part * cover.odds[offer, 0]))
    return int(most)


@inner
def insure(  # noqa: PLR0913, PLR0917 - what the offers and their caps depend on
    play: Play,
    book: PlannedBets,
    cover: Cover,
    points: Integers,
    drawn: Whole,
    number: Whole,
    row: int,
    stake: int,
    spare: int,
    left: Integers,
) -> tuple[int, int]:
    """What the policy stakes on insurance in a round, and what that gains or loses.

    It buys all that the caps allow and the bankroll still covers. `points` are those of the round's six
    cards, `left` those left in the shoe once its first four are out.
    """
    staked, net = 0, 0
    hand, winner = book.hands[row], play.winners[number]
    player, banker, fifth = points[0] + points[2], points[1] + points[3], points[4]
    sums = player << 5 | banker
    earlier: Whole = np.int64(0)
    before: Whole = np.int64(0)
    for window in range(2):
        if drawn < 5 + window:  # nobody is to draw, so the window is not open
            break
        offer = cover.offers[hand, window, (player + window * fifth) % 10, banker % 10]
        if offer < 0:
            continue
        if cover.policy == POSITIVE:
            left[fifth] -= window
            value = worth(play, cover, offer, hand, sums, fifth if window else -1, left)
            left[fifth] += window
            if value <= 0:
                continue
        bought = min(cap(cover, offer, stake, earlier, before), spare - staked)
        bought = max(bought // book.chip * book.chip, 0)
        staked += bought
        if winner == hand:
            net -= bought
        elif winner != TIE or cover.tie_paid[offer]:
            net += bought * cover.odds[offer, 0] // cover.odds[offer, 1]
        earlier, before = offer, bought
    return staked, net


@compiled
def play_sessions(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - one loop of a kernel, in the order of a round
    seed: np.uint64,
    first: int,
    shoe: ShoeKind,
    play: Play,
    book: PlannedBets,
    cover: Cover,
    room: Room,
    desk: Workspace,
    out: Integers,
    paths: Integers,
    staked: Staked | None,
    own: Own | None,
    past: Past | None,
    shown: Past | None,
) -> None:
    """Play as many sessions as `out` has rows; each gets its `FIELDS`.

    The first of them, as far as `paths` has rows, also get their bankroll at intervals. Where nothing is
    `staked` on ranks or suits, what asks for it is not compiled; nor is what a strategy of one's `own` needs,
    where there is none. Interpreted, it plays the same: that is how strategies in plain Python are played.
    """
    cards, line, left, points = room.dealt[0], desk.line, desk.left, desk.points
    for session in range(len(out)):
        start = U64(start_of(seed, first + session))
        dealt, at = U64(0), U64(shoe.last + 1)
        shoe_rounds = 0
        bankroll = peak = book.bankroll
        drawdown = turnover = insured = insurance_net = played = 0
        winner, step, end = TIE, np.int64(0), BY_ROUNDS
        head, tail = 0, 0
        while played < book.rounds:
            if at > U64(shoe.last):
                shuffle(0, shoe, start, dealt, room)
                dealt += U64(1)
                at = U64(0)
                for k in range(left.size):
                    left[k] = desk.fresh[k]
                shoe_rounds = 0
                if past is not None:
                    for k in range(past.seen.size):
                        past.seen[k] = 0
            if head >= tail:  # the line is crossed off, or not yet begun
                head, tail = 0, book.line.size
                for k in range(tail):
                    line[k] = book.line[k]

            row = book.after[winner]
            wish = book.steps[step]
            if tail > 0:
                wish = line[head] + (line[tail - 1] if tail - head > 1 else 0)
            stake = wish * book.unit
            if book.share[0] > 0:
                stake = bankroll * book.share[0] // book.share[1] // book.chip * book.chip
            bets = True
            if own is not None and shown is not None:
                known = Known(
                    played,
                    np.int64(dealt) - 1,  # type: ignore[arg-type]
                    shoe_rounds,
                    desk.cards - np.int64(at),  # type: ignore[arg-type]
                    shoe.last - np.int64(at),  # type: ignore[arg-type]
                    bankroll,
                    book.unit,
                    book.chip,
                    book.minimum,
                    book.highest,
                    shown.seen,
                    shown.winners[:played],
                    shown.bets[:played],
                    shown.stakes[:played],
                    shown.nets[:played],
                )
                row, stake = own(known)
                if not 0 <= row < book.hands.size:
                    out[session, END] = NO_SUCH_BET
                    return
                bets = stake > 0
                stake = stake // book.chip * book.chip
            stake = max(min(stake, book.most[row]), book.minimum)
            stake = min(stake, (bankroll - book.sides) // book.chip * book.chip) if bets else 0
            sides = book.sides if bets else 0

            begin = U64(at)
            if staked is None:
                number, at = play_round(cards, begin, play)
            else:
                number, at, kind = lay(cards, begin, play, staked.laid)
            insurance, gained = 0, 0
            if cover.policy != NEVER:
                drawn = np.int64(at - begin)
                for k in range(6):
                    points[k] = cards[begin + U64(k)] & POINTS
                for k in range(4):
                    left[points[k]] -= 1
                if bets and book.hands[row] != TIE:
                    spare = bankroll - book.sides - stake
                    insurance, gained = insure(
                        play, book, cover, points, drawn, number, row, stake, spare, left
                    )
                for k in range(4, drawn):
                    left[points[k]] -= 1

            net = -stake
            if book.pays[row, 0, number] >= 0:
                net = stake * book.pays[row, 0, number] // book.pays[row, 1, number]
            if staked is not None and bets:
                settled = np.int64(-1)
                for tier in range(staked.rows.size):
                    bet = staked.tiers.bets[tier]
                    if bet != settled and fits(staked.tiers, tier, number, kind, staked.laid):
                        settled = bet
                        bankroll += staked.side_net[tier]
                        if staked.rows[tier] == row:
                            net = stake * staked.pays[tier, 0] // staked.pays[tier, 1]
            bankroll += net + gained + (book.side_net[number] if bets else 0)
            insured += insurance
            insurance_net += gained
            turnover += stake + insurance + sides
            if past is not None:
                past.winners[played], past.bets[played] = play.winners[number], row
                past.stakes[played], past.nets[played] = stake, net
                for k in range(np.int64(at) - np.int64(begin)):
                    rank = np.int64(cards[begin + U64(k)] & RANK)
                    past.seen[rank if 0 < rank <= NINE else TEN + (rank >> 5)] += 1
            shoe_rounds += 1
            played += 1
            peak = max(peak, bankroll)
            drawdown = max(drawdown, peak - bankroll)
            if play.winners[number] != TIE:
                winner = play.winners[number]
            if net > 0:
                step = book.on_win[step]
                head, tail = head + 1, tail - 1
            elif net < 0:
                step = book.on_lose[step]
                if tail > 0:
                    if tail == line.size:  # make room by moving the line to the front
                        for k in range(tail - head):
                            line[k] = line[head + k]
                        head, tail = 0, tail - head
                    line[tail] = wish
                    tail += 1
                    if tail - head > LONGEST_LINE:
                        head = tail
            if played % book.every == 0 and session < len(paths):
                paths[session, played // book.every] = bankroll
            if bankroll >= book.target:
                end = BY_TARGET
            elif bankroll <= book.floor:
                end = BY_FLOOR
            elif bankroll < book.minimum + book.sides:
                end = BY_RUIN
            if end != BY_ROUNDS:
                break
        if session < len(paths):
            paths[session, 0] = book.bankroll
            for k in range(-(-played // book.every), paths.shape[1]):
                paths[session, k] = bankroll
        out[session, NET] = bankroll - book.bankroll
        out[session, ROUNDS] = played
        out[session, TURNOVER] = turnover
        out[session, DRAWDOWN] = drawdown
        out[session, END] = end
        out[session, INSURED] = insured
        out[session, INSURANCE_NET] = insurance_net
