"""JSON from outside: what is wrong with it is said in words."""

import msgspec
import pytest

from thirdcard.errors import BadInput
from thirdcard.service.api.bodies import decode
from thirdcard.table.commands import AnyCommand

COMMAND = msgspec.json.Decoder(AnyCommand, strict=True)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('{"command":"rule","by":"sue","inputs":{"substitutes":{"1":"10S"}}}', "'10S' is not a card"),
        ('{"command":"expose","by":"dee","cards":[1],"names":["10S"]}', "did you mean TS?"),
        ('{"command":"reveal-first","by":"dee","hand":"10S"}', "at `$.hand`"),
        ('{"command":"draw","by":"dee","place":1,"place":2}', "twice"),
    ],
)
def test_what_cannot_be_read_is_said_in_words(body: str, told: str) -> None:
    with pytest.raises(BadInput) as wrong:
        decode(body.encode(), COMMAND)
    assert told in str(wrong.value)
