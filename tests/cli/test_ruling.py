"""`thirdcard ruling` as other programs call it, and as people read it."""

import json
import os
import pty
import subprocess
import sys
from typing import Any

import pytest

from each import each
from thirdcard.cli import app
from thirdcard.rulebook import load, slugs

pytestmark = pytest.mark.slow

TBC = "rws-tiger-buffalo-commission-v2"
V3 = "rws-tiger-buffalo-non-commission-v3"
V4 = "rws-tiger-buffalo-non-commission-v4"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"

KEYS = {"case", "rules", "authority", "remedy", "options", "notes"}
RETURN = "return undecided bets"

# Case, facts, authority, remedy and paragraphs, as TBC numbers them.
RWS_RULINGS = """
over-differential        --noticed=bets-open                       dealer          reject                                5.1
over-differential        --noticed=bets-closed                     dealer          pro-rata                              5.1.1,5.1.2
over-differential        --noticed=settled                         dealer          pro-rata                              5.1.1,5.1.2
over-differential        --noticed=next-round                      dealer          stand                                 5.6
under-minimum            --noticed=bets-open                       dealer          raise-or-withdraw                     5.2
under-minimum            --noticed=bets-closed                     dealer          settle                                5.2.1
under-minimum            --noticed=next-round                      dealer          stand                                 5.6
walks-away               -                                         dealer          forgo-insurance,settle                5.3,5.3.1
technical-interruption   --outcome-established                     pit-supervisor  continue                              5.4.1
technical-interruption   --no-outcome                              pit-supervisor  void                                  5.4.2,5.17
foreign-card             -                                         pit-supervisor  void,new-cards                        5.5.1,5.17
card-count               -                                         pit-supervisor  void,new-cards                        5.5.2,5.17
wrong-number-of-cards    --noticed=settled,--not-reconstructable   pit-supervisor  void                                  5.5.3,5.17
wrong-number-of-cards    --noticed=settled,--reconstructable       pit-supervisor  reconstruct,options                   5.13,5.13.2,5.13.3
wrong-number-of-cards    --noticed=next-round                      pit-supervisor  stand                                 5.12,5.6
too-few-cards            -                                         pit-supervisor  void,new-cards                        5.5.4,5.17
unshuffled-cards         -                                         pit-supervisor  void,new-cards                        5.5.5,5.17
late-bet                 -                                         dealer          refuse                                5.7
excess-or-exposed-cards  --outcome-established,--reconstructable   pit-supervisor  reconstruct,keep-for-next-round,continue  5.8
excess-or-exposed-cards  --outcome-established,--not-reconstructable  pit-supervisor  keep-for-next-round,continue      5.8
excess-or-exposed-cards  --no-outcome,--reconstructable            pit-supervisor  reconstruct,keep-for-next-round,options   5.8,5.8.1,5.13,5.13.2,5.13.3
excess-or-exposed-cards  --no-outcome,--not-reconstructable        pit-supervisor  keep-for-next-round,options           5.8,5.8.1,5.13,5.13.1,5.13.3
wrong-area-or-person     --outcome-established,--reconstructable   pit-supervisor  reconstruct,pass-on,continue          5.9
wrong-area-or-person     --no-outcome,--reconstructable            pit-supervisor  reconstruct,pass-on,options           5.9,5.13,5.13.2,5.13.3
wrong-area-or-person     --not-reconstructable                     pit-supervisor  as-they-lie,options                   5.9,5.13,5.13.1,5.13.3
face-up-card             --outcome-established                     pit-supervisor  continue                              5.10
face-up-card             --no-outcome                              pit-supervisor  options,continue                      5.10,5.13,5.13.1,5.13.2,5.13.3
drawn-together           --order-known                             pit-supervisor  reconstruct,options,replace-cards     5.11.1,5.11.2,5.13,5.13.2,5.13.3
drawn-together           --order-unknown                           pit-supervisor  decide-order,options,replace-cards    5.11,5.11.1,5.11.2,5.13,5.13.1,5.13.2,5.13.3
noticed-later            -                                         pit-supervisor  stand                                 5.12,5.6
other-dealing-error      --reconstructable                         pit-supervisor  reconstruct,options                   5.13,5.13.2,5.13.3
other-dealing-error      --not-reconstructable                     pit-supervisor  as-they-lie,options                   5.13,5.13.1,5.13.3
neglected-insurance      --still-on-offer                          pit-manager     offer                                 3.12,5.14.1
neglected-insurance      --not-on-offer,--no-outcome               pit-manager     late-insurance                        5.14.1
neglected-insurance      --not-on-offer,--outcome-established      pit-manager     return-original                       5.14.2
misplaced-chips          -                                         dealer          settle                                5.15
display-error            -                                         dealer          correct-display                       5.16
not-covered              -                                         shift-manager   decide                                5.19
"""
MBS_RULINGS = """
extra-or-missing-cards   -                                         pit-manager     void,new-cards                        5.1,5.1.1,5.1.2,5.13
foreign-card             -                                         pit-manager     void,new-cards                        5.1,5.1.1,5.1.2,5.13
unshuffled-cards         -                                         pit-manager     void,new-cards                        5.1,5.1.1,5.1.2,5.13
order-altered            --not-reconstructable                     pit-manager     void,new-cards                        5.2,5.13
order-altered            --reconstructable                         pit-manager     reconstruct,continue                  5.2
too-few-cards            -                                         pit-manager     void,new-cards                        5.3,5.13
late-wager               -                                         dealer          refuse                                5.4
withdrawn-wager          -                                         dealer          settle                                5.5
face-up-in-device        -                                         dealer          continue                              5.6
wrong-order              -                                         dealer          reconstruct,continue                  5.7
wrong-person             -                                         dealer          pass-on,continue                      5.7
not-wrong-delivery       -                                         dealer          stand,continue                        5.7.1
drawn-together           --order-known                             pit-manager     withdraw,reconstruct                  5.8,5.8.1
drawn-together           --order-unknown,--stage=after-initial-deal  pit-manager   decide-order,withdraw-all             5.8.2,5.8.2.2
device-reset             -                                         dealer          settle-decided,withdraw,reopen        5.9
absent-handler           -                                         dealer          dealer-exposes                        5.10
left-with-cards          --values-known                            pit-supervisor  ascertain,continue                    5.11
left-with-cards          --values-unknown                          gaming-shift-manager  substitute-cards,continue,new-cards  5.11.1,5.11.2,5.11.2.1,5.11.3,5.11.4,5.11.5
exposed-moving-device    -                                         dealer          continue                              5.12.1
altered-moving-device    --not-reconstructable                     pit-manager     void,new-cards                        5.12.2
under-minimum            --noticed=bets-closed                     dealer          settle-once                           5.14
under-minimum            --noticed=next-round                      dealer          stand                                 5.16
over-maximum             --noticed=bets-closed                     dealer          to-maximum                            5.15
over-maximum             --noticed=next-round                      dealer          stand                                 5.16
power-failure            --no-outcome                              dealer          withdraw-all,continue                 5.17.1
power-failure            --outcome-established                     dealer          continue                              5.17.2
over-differential        --no-card-drawn                           dealer          remove                                5.18.1,5.18.2,5.18.3
over-differential        --card-drawn,--no-outcome                 pit-manager     remove-named                          5.18.3
over-differential        --card-drawn,--outcome-established        dealer          continue                              5.18
display-error            -                                         dealer          correct-display                       6.3
not-covered              -                                         gaming-shift-manager  decide                          6.1
"""
# What TBC numbers otherwise than the other RWS documents.
IN_TBN = {"5.3.1": "5.3", "5.15": "5.14", "5.16": "5.15", "5.17": "5.16", "5.19": "5.18"}
IN_CBI = {
    "5.6": "5.5",
    "5.7": "5.6",
    "5.8": "5.7",
    "5.8.1": "5.7.1",
    "5.9": "5.8",
    "5.10": "5.9",
    "5.11": "5.10",
    "5.11.1": "5.10.1",
    "5.11.2": "5.10.2",
    "5.12": "5.11",
    "5.13": "5.12",
    "5.13.1": "5.12.1",
    "5.13.2": "5.12.2",
    "5.13.3": "5.12.3",
    "5.14.1": "5.13",
    "5.14.2": "5.13",
    "5.15": "5.14",
    "5.16": "5.15",
    "5.17": "5.16",
    "5.19": "5.18",
}
NUMBERED: dict[str, dict[str, str]] = {TBC: {}, V3: IN_TBN, V4: IN_TBN, CBI: IN_CBI, MBS: {}}


def rows(slug: str) -> list[tuple[str, tuple[str, ...], str, list[str], list[str]]]:
    found = []
    for line in (MBS_RULINGS if slug == MBS else RWS_RULINGS).strip().splitlines():
        case, facts, authority, remedy, rules = line.split()
        given = () if facts == "-" else tuple(facts.split(","))
        remedies = remedy.split(",")
        if case == "neglected-insurance" and (slug in (V3, V4) or (slug == CBI and "--no-outcome" in given)):
            continue  # no insurance there, no late offer here
        if case == "neglected-insurance" and slug == CBI:
            given = given[:1]
        if slug in (V3, V4):
            remedies = [one for one in remedies if one != "forgo-insurance"]
        renumbered = list(dict.fromkeys(NUMBERED[slug].get(rule, rule) for rule in rules.split(",")))
        found.append((case, given, authority, remedies, renumbered))
    return found


RULINGS = [(slug, *row) for slug in (TBC, V3, V4, CBI, MBS) for row in rows(slug)]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401 - a function
    """What a command prints, run in this process."""

    def run(*arguments: str) -> str:
        capsys.readouterr()
        app(["ruling", *arguments], standalone_mode=False)
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


def complaint(*arguments: str) -> str:
    """The one sentence a wrong command ends with."""
    command = [sys.executable, "-m", "thirdcard", "ruling", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300)
    assert (done.returncode, done.stdout) == (2, "")
    (sentence,) = done.stderr.splitlines()
    return sentence


@pytest.mark.parametrize("slug", slugs())
def test_lists_the_cases(printed: Any, slug: str) -> None:  # noqa: ANN401
    listed = json.loads(printed(slug, "--json"))
    assert [one["case"] for one in listed] == list(dict.fromkeys(row[0] for row in rows(slug)))
    paragraphs = load(slug).paragraphs
    for one in listed:
        assert one["title"]
        assert set(one["rules"]) <= set(paragraphs)
    told = printed(slug)
    assert all(one["case"] in told for one in listed)


@each(("slug", "case", "facts", "authority", "remedy", "rules"), RULINGS)
def test_the_ruling(  # noqa: PLR0913, PLR0917 - a row of the table
    printed: Any,  # noqa: ANN401
    slug: str,
    case: str,
    facts: tuple[str, ...],
    authority: str,
    remedy: list[str],
    rules: list[str],
) -> None:
    answer = json.loads(printed(slug, case, *facts, "--json"))
    assert set(answer) >= KEYS
    assert (answer["case"], answer["authority"]) == (case, authority)
    assert (answer["remedy"], answer["rules"]) == (remedy, rules)
    assert answer["open_facts"] == {}
    assert len(answer["notes"]) >= len(remedy)
    assert ("continue" in answer["options"]) == bool({"options", "withdraw", "withdraw-all"} & set(remedy))
    assert (RETURN in answer["options"]) == ("options" in remedy)


@each(("slug", "case"), [(slug, p.case) for slug in slugs() for p in load(slug).procedures])
def test_every_case_without_facts(printed: Any, slug: str, case: str) -> None:  # noqa: ANN401
    """What is left of the rulings while facts are open, for programs and for people."""
    answer = json.loads(printed(slug, case, "--json"))
    assert set(answer) >= KEYS
    assert answer["rules"]
    assert set(answer["rules"]) <= set(load(slug).paragraphs)
    assert bool(answer["open_facts"]) == (len(answer["rulings"]) > 1)
    told = printed(slug, case)
    assert answer["title"] in told
    words = " ".join(told.split())
    for note in answer["notes"]:
        assert note in words
    for rule in answer["rules"]:
        assert rule in told
    titles = {rank.name: rank.title for rank in load(slug).ranks}
    assert titles[answer["authority"]] in told


def test_what_players_may_choose(printed: Any) -> None:  # noqa: ANN401
    def options(*arguments: str) -> list[str]:
        found: list[str] = json.loads(printed(*arguments, "--json"))["options"]
        return found

    assert options(TBC, "other-dealing-error") == ["continue", RETURN]
    assert options(TBC, "under-minimum", "--noticed", "bets-open") == ["raise", "withdraw"]
    assert options(TBC, "neglected-insurance", "--not-on-offer", "--no-outcome") == ["insure", "decline"]
    assert options(CBI, "neglected-insurance", "--still-on-offer") == ["insure", "decline"]
    assert options(TBC, "foreign-card") == []
    assert options(MBS, "drawn-together", "--order-known") == ["continue", "withdraw single wagers"]
    assert options(MBS, "power-failure", "--no-outcome") == ["continue", "withdraw all wagers"]


def test_interpretations_are_named(printed: Any) -> None:  # noqa: ANN401
    assert json.loads(printed(TBC, "excess-or-exposed-cards", "--json"))["interpretations"] == [
        24,
        25,
        26,
        28,
        36,
        38,
    ]
    told = printed(TBC, "excess-or-exposed-cards")
    for number in (24, 25, 26, 28, 36, 38):
        assert f"{number} (" in told


def test_a_ruling_as_people_read_it(printed: Any) -> None:  # noqa: ANN401
    words = " ".join(printed(MBS, "drawn-together", "--order-unknown", "--stage", "initial-deal").split())
    assert words.startswith("Two or more cards drawn together")
    assert "The round is void" in words
    who = "Pit Manager, Gaming Shift Manager or Assistant Casino Manager"
    assert f"Decided by {who}. 5.8.2, 5.8.2.1" in words
    assert "5.8.2.2" not in words


def test_facts_as_people_read_them(printed: Any) -> None:  # noqa: ANN401
    words = " ".join(printed(MBS, "over-differential").split())
    assert "No card drawn: The heavier hand is asked" in words
    assert "Card drawn, no outcome established: The deciding rank names" in words
    assert "No longer on offer: The original bet goes back" in " ".join(
        printed(CBI, "neglected-insurance").split()
    )


def test_what_becomes_of_bets_is_told_for_every_remedy(printed: Any) -> None:  # noqa: ANN401
    bets = json.loads(printed(MBS, "device-reset", "--json"))["bets"]
    told = "settled if already won or lost; may be withdrawn while undecided"
    assert bets == {"Player and Banker bets": told, "side bets": told}


def test_wrong_input_is_one_sentence() -> None:
    assert "no case 'drawn-togeter': did you mean drawn-together" in complaint(MBS, "drawn-togeter")
    assert "no case 'neglected-insurance'" in complaint(V4, "neglected-insurance")
    sentence = complaint(MBS, "foreign-card", "--order-known")
    assert sentence == "thirdcard: order known does not matter to foreign-card: the facts that do are none"
    assert "the facts that do are stage, order_known" in complaint(MBS, "drawn-together", "--values-known")
    assert "there is no rulebook" in complaint("mbs-tiger-v3")
    assert "--noticed" in complaint(TBC, "under-minimum", "--noticed", "yesterday")


def test_facts_are_asked_for_at_a_terminal() -> None:
    """A real terminal: the questions come one by one and end with the one ruling that is left."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "thirdcard", "ruling", TBC, "excess-or-exposed-cards"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as program:
        os.close(theirs)
        os.write(ours, b"y\nn\n")
        told = b""
        try:
            while chunk := os.read(ours, 4096):
                told += chunk
        except OSError:  # how a terminal says that its other end is closed
            pass
        assert program.wait(timeout=300) == 0
    os.close(ours)
    assert b"Is any bet of the layout already certain to win or lose?" in told
    assert b"Can the cards be reconstructed?" in told
    assert b"begin the next round" in told
    assert b"The round goes on" in told
    assert b"Every player chooses" not in told
