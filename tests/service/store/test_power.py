"""No power cut takes away what was acknowledged; it would, if SQLite synced less.

`THIRDCARD_SOAK_IMAGES=10000` for a longer look.
"""

import os

import pytest

from service.store.power import cut_power

pytestmark = pytest.mark.slow

IMAGES = int(os.environ.get("THIRDCARD_SOAK_IMAGES", "300"))


def test_no_power_cut_loses_what_was_acknowledged() -> None:
    assert [told for told in cut_power(IMAGES, "FULL", progress=IMAGES > 1000) if told] == []


def test_with_fewer_syncs_power_cuts_lose_much_of_it() -> None:
    """The control: the same cuts, the same checks."""
    found = cut_power(60, "NORMAL")
    lost = [told for told in found if any("lost what was acknowledged" in text for text in told)]
    assert len(lost) > 20
