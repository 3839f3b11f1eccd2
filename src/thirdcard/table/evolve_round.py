"""What an event changes in its round and nowhere else: of each kind of event, the round after it."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

import msgspec

from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.state import Absence, Chosen, DrawnCard, Offering, Purchase, Round, stake_key

replace = msgspec.structs.replace
RoundChange: TypeAlias = Callable[[Round, Any], Round]


def pending_changed(current: Round, **changes: Any) -> Round:  # noqa: ANN401 - fields of Pending
    """The round with changes in the irregularity that holds it up."""
    assert current.pending is not None
    return replace(current, pending=replace(current.pending, **changes))


def each(current: Round, places: Iterable[int], **changes: Any) -> tuple[DrawnCard, ...]:  # noqa: ANN401 - fields of DrawnCard
    """The round's cards with the same change at each of these places."""
    chosen = frozenset(places)
    return tuple(
        replace(card, **changes) if place in chosen else card
        for place, card in enumerate(current.drawn, start=1)
    )


def absent(current: Round, player: str, *, back: bool = False) -> Round:
    """The round with somebody who walked away now, and may be back at once."""
    return replace(current, absences=(*current.absences, Absence(player, len(current.drawn), back)))


def _late_chips(current: Round, event: events.LateChipsRecorded) -> Round:
    before = current.late.get(event.late.key)
    late = replace(event.late, cents=event.late.cents + (before.cents if before else 0))
    rest = {key: stake for key, stake in current.late.items() if key != late.key}
    return replace(current, late={**rest, late.key: late} if late.cents else rest)


def _put_right(current: Round, event: events.ChipsPutRight) -> Round:
    late = {key: stake for key, stake in current.late.items() if key not in event.stakes}
    return replace(current, late=late)


def _requested(current: Round, event: events.SqueezeRequested) -> Round:
    places = tuple(sorted({*current.requests.get(event.player, ()), *event.places}))
    return replace(current, requests={**current.requests, event.player: places})


def _handed(current: Round, event: events.CardsHanded) -> Round:
    return replace(
        current,
        drawn=tuple(
            replace(
                card,
                holder=event.player,
                seen_by=tuple(dict.fromkeys((*card.seen_by, event.player))),
                squeezer="" if event.wrongly else event.player,
            )
            if place in event.places
            else card
            for place, card in enumerate(current.drawn, start=1)
        ),
    )


def _offered(current: Round, event: events.InsuranceOpened) -> Round:
    offering = Offering(window=event.window, offers=event.offers)
    return replace(current, offerings=(*current.offerings, offering))


def _offerings(
    current: Round, chosen: Callable[[Offering], bool], change: Callable[[Offering], Offering]
) -> Round:
    """The round with a change in those of its offers of insurance."""
    offerings = (change(offering) if chosen(offering) else offering for offering in current.offerings)
    return replace(current, offerings=tuple(offerings))


def _declined(current: Round, event: events.InsuranceDeclined) -> Round:
    """A no is to everything that is on offer to that person at the moment."""
    return _offerings(
        current,
        lambda offering: not offering.over and (not offering.people or event.player in offering.people),
        lambda offering: replace(offering, declined=(*offering.declined, event.player)),
    )


def _window_closed(current: Round, event: events.InsuranceClosed) -> Round:
    """In logs of 0.1.0 a late offer may have been closed as if it were an ordinary one."""
    there = [
        offering for offering in current.offerings if not offering.over and offering.window == event.window
    ]
    meant = [offering for offering in there if bool(offering.people) == event.late] or there
    return _offerings(
        current,
        lambda offering: offering in meant,
        lambda offering: replace(
            offering,
            over=True,
            silent=tuple(who for who in event.forgone if not offering.people or who in offering.people),
        ),
    )


def _decided_settled(current: Round, event: events.DecidedSettled) -> Round:
    keys = {stake_key(line.player, line.box, line.bet) for line in event.lines if line.window is None}
    return replace(
        current,
        stakes={key: stake for key, stake in current.stakes.items() if key not in keys},
        purchases=_kept(current, keys),
        early=(*current.early, *event.lines),
        early_paid=(*current.early_paid, *event.postings),
    )


def _kept(current: Round, gone: Iterable[str]) -> tuple[Purchase, ...]:
    """The insurance that is left when these stakes are no more."""
    keys = frozenset(gone)
    return tuple(p for p in current.purchases if stake_key(p.player, p.box, p.hand) not in keys)


def _report_ended(current: Round, event: events.ReportEnded) -> Round:
    every = (current.pending, *current.reported)
    return replace(current, reported=every[1 : event.number] + every[event.number + 1 :])


def _chosen(current: Round, event: events.ChoiceMade) -> Round:
    """Who goes on where that is an option of all accepts every later card of the round."""
    pending = current.pending
    assert pending is not None
    accepts = event.choice == "continue" and pending.remedies[:1] == ("options",)
    return replace(
        current,
        stakes={key: stake for key, stake in current.stakes.items() if key not in event.returned},
        purchases=_kept(current, event.returned),
        pending=replace(pending, chosen=(*pending.chosen, Chosen(event.player, event.choice))),
        accepted=(*current.accepted, event.player) if accepts else current.accepted,
        withdrew=(*current.withdrew, event.player) if event.returned else current.withdrew,
    )


def _remedied(current: Round, _event: events.RemedyDone | events.RemedyNeedless) -> Round:
    assert current.pending is not None
    return pending_changed(current, remedies=current.pending.remedies[1:])


def _over(current: Round, _event: events.IrregularityClosed) -> Round:
    """The next one that was reported has its turn; cards in doubt count from now on as they lie."""
    drawn = current.drawn
    if any(card.doubtful for card in drawn):
        drawn = each(current, range(1, len(drawn) + 1), doubtful=False)
    first, rest = (current.reported[0], current.reported[1:]) if current.reported else (None, ())
    return replace(current, pending=first, reported=rest, drawn=drawn)


def _forgo(current: Round, event: events.InsuranceForgone) -> Round:
    for player in event.players:
        current = absent(current, player, back=True)
    return current


def _unasked(current: Round, event: events.NeglectFound | events.LateInsuranceOpened) -> Round:
    """Nobody is silent about an offer that was never made (interpretation 14)."""
    return _offerings(
        current,
        lambda offering: offering.window == event.window and offering.over and not offering.people,
        lambda offering: replace(offering, unasked=(*offering.unasked, *event.players)),
    )


def _offered_late(current: Round, event: events.LateInsuranceOpened) -> Round:
    """Logs of 0.1.0 say only here that these people had not been silent."""
    current = _unasked(current, event)
    late = Offering(window=event.window, offers=event.offers, people=event.players)
    return replace(
        current,
        offerings=(*current.offerings, late),
        accepted=(*current.accepted, *event.players),
    )


def _field(name: str, value: object) -> RoundChange:
    """A fact of the round that is so from now on."""
    return lambda current, _: replace(current, **{name: value})


ROUND_CHANGES: Final[dict[type[AnyEvent], RoundChange]] = {
    events.WalkedAway: lambda current, event: absent(current, event.player),
    events.DifferentialExceeded: _field("phase", "adjusting"),
    events.BetsClosed: lambda current, event: replace(
        current, phase="dealing", played=event.played, closed=current.stakes
    ),
    events.PlayedChanged: lambda current, event: replace(
        current, played=event.played, purchases=event.purchases, amended=True
    ),
    events.LateChipsRecorded: _late_chips,
    events.ChipsPutRight: _put_right,
    events.WithdrawalAllowed: _field("withdrawal", value=True),
    events.FirstHandChosen: lambda current, event: replace(current, first_hand=event.hand),
    events.SqueezeRequested: _requested,
    events.CardsHanded: _handed,
    events.ThirdCardRequested: lambda current, event: replace(current, third_request=event.player),
    events.ThirdCardsReversed: _field("reversed", value=True),
    events.InsuranceOpened: _offered,
    events.InsuranceBought: lambda current, event: replace(
        current, purchases=(*current.purchases, event.purchase)
    ),
    events.InsuranceDeclined: _declined,
    events.InsuranceClosed: _window_closed,
    events.DecidedSettled: _decided_settled,
    events.AmendmentProposed: lambda current, event: replace(current, proposal=event.proposal),
    events.AmendmentDropped: _field("proposal", None),
    events.ReportEnded: _report_ended,
    events.ChoicesOffered: lambda current, event: pending_changed(
        current, asked=event.players, singly=event.singly
    ),
    events.ChoiceMade: _chosen,
    events.RemedyDone: _remedied,
    events.RemedyNeedless: _remedied,
    events.StakesDecided: lambda current, event: replace(
        current, decided=(*current.decided, *event.stakes), freed=(*current.freed, *event.freed)
    ),
    events.IrregularityClosed: _over,
    # Who has cards taken away squeezes those no more.
    events.CardsRetrieved: lambda current, event: replace(
        current, drawn=each(current, event.places, holder="", squeezer="")
    ),
    events.RaiseDemanded: lambda current, event: replace(
        current, must_raise=tuple(dict.fromkeys((*current.must_raise, *event.stakes)))
    ),
    events.InsuranceForgone: _forgo,
    events.LateInsuranceOpened: _offered_late,
    events.NeglectFound: _unasked,
    events.NeglectRecorded: lambda current, event: replace(
        current, neglected={**current.neglected, **event.rows}
    ),
}
