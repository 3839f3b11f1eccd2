"""The key of the house and where its logs end, for anybody to keep."""

import msgspec
import pytest

from service.api.serving import NOBODY, Served
from thirdcard.service.log.anchor import SignedHeads, heads_of

pytestmark = pytest.mark.server


def test_anybody_is_given_the_key_and_where_the_logs_end(served: Served) -> None:
    nobody = served.as_(NOBODY)
    key = nobody.get("/api/house").json()["key"]
    signed = msgspec.convert(nobody.get("/api/heads").json(), SignedHeads)
    assert heads_of(signed, key)["one"] == served.hall.engine.store.heads()["one"]
