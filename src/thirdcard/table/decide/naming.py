"""Whether a command names a card on record that nobody has seen: taken or refused, a guess would tell it."""

from thirdcard.cards import Card
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide.laying import in_question
from thirdcard.table.state import DrawnCard, State
from thirdcard.table.unseen import came_out


def names_unseen(state: State, command: AnyCommand) -> bool:
    """People at a table say what they see; over a network nobody can tell whether they do."""
    current, waiting = state.round, state.shoe.waiting if state.shoe else ()
    match command:
        case commands.Draw(card=card):
            return card is not None and any(map(_unseen, waiting[:1]))
        case commands.Report(drawn=drawn):
            return any(name is not None and _unseen(card) for name, card in zip(drawn, waiting, strict=False))
        case commands.Expose(names=names, cards=places) if names and current is not None:
            return any(_unseen(card) for n, card in enumerate(current.drawn, start=1) if n in places)
        case commands.Rule(inputs=inputs) if current is not None and current.pending is not None:
            cards = (*current.drawn, *came_out(current, current.pending))
            by_name = any(isinstance(one, Card) for one in inputs.order)
            return by_name and any(_unseen(cards[n - 1]) for n in in_question(current, current.pending))
    return False


def _unseen(card: DrawnCard) -> bool:
    return card.name is not None and not card.face_up
