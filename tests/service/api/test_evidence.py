"""Evidence over HTTP: for those who may see names, and on record."""

import io
import zipfile
from pathlib import Path

import pytest

from service.api.serving import Served
from service.houses import KEY
from thirdcard.service.evidence.verify import verified
from thirdcard.service.keys import public_key, signing_key
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import EVIDENCE_MADE, Noted
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server

ADDRESS = "/api/tables/one/rounds/1/evidence"


def test_evidence_is_for_those_who_may_see_names_and_goes_on_record(tmp_path: Path) -> None:
    with Served(tmp_path / "house.db", pages=PAGES) as house:
        dee = house.as_("dealer")
        for name in ("new-shoe", "open", "close"):
            dee.does(name)
        for card in ("9C", "4H", "KD", "2S"):
            dee.does("draw", card=card)
        auditor, pit = house.as_("auditor"), house.as_("pit-supervisor")
        assert auditor.get(ADDRESS).json()["detail"] == "round 1 of one is not over yet"
        dee.does("settle")
        found = auditor.get(ADDRESS).json()
        assert (found["schema"], found["round"], found["phase"]) == ("thirdcard.evidence.1", 1, "settled")
        assert [one["card"] for one in found["cards"]] == ["9C", "4H", "KD", "2S"]
        assert pit.get(ADDRESS).json()["records"] == found["records"]
        for role in ("player", "guest", "dealer"):
            assert house.as_(role).get(ADDRESS).status_code == 403
        assert auditor.get("/api/tables/one/rounds/2/evidence").status_code == 404
        page = pit.get("/audit/one/rounds/1/evidence")
        assert page.headers["cache-control"] == "no-store"
        assert "<style" not in page.text
        data = pit.get("/audit/one/rounds/1/evidence.zip")
        assert data.headers["content-type"] == "application/zip"
        assert verified(data.content, public_key(signing_key(KEY))).ok
        with zipfile.ZipFile(io.BytesIO(data.content)) as archive:
            assert b"<style" in archive.read("evidence.html"), "whole by itself"
        notes = [event_of(one) for one in house.hall.engine.store.read(JOURNAL)]
        taken = [one.facts for one in notes if isinstance(one, Noted) and one.kind == EVIDENCE_MADE]
        assert len(taken) == 4
        assert {(one["table"], one["round"]) for one in taken} == {("one", 1)}
        assert len({one["by"] for one in taken}) == 2
