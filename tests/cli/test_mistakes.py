"""Mistakes on the command line: each is one sentence on standard error, status 2, and nothing is done."""

from pathlib import Path

import pytest

from cli.running import here
from each import each

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
MBS, CBI = "mbs-tiger-v2", "rws-commission-insurance-v5"
SCRIPT = str(ROOT / "docs" / "table-example.jsonl")
AT = ("settle", MBS, "--layout", "A")
ROUND = (*AT, "--cards", "9C 9H 9D 9S")
SESSIONS = ("simulate", MBS, "--sessions", "2", "--rounds", "5")
MISTAKES: tuple[tuple[tuple[str, ...], str], ...] = (
    # names, numbers and notation
    (("nothing",), "No such command 'nothing'"),
    (("settle", "mbs-tigger-v2", "--layout", "A", "--cards", "9C"), "did you mean mbs-tiger-v2"),
    (("settle", "mbs-tigger-v2", "--cards", "9C"), "did you mean mbs-tiger-v2"),
    (AT, "no cards given"),
    (("settle", MBS, "--layout", "Z", "--cards", "9C 9H 9D 9S"), "has no layout 'Z'"),
    ((*AT, "--cards", "9C 9H 9D 1S"), "1S"),
    ((*AT, "--cards", "9C 9H 9D"), "cards"),
    ((*ROUND, "--bet", "banker"), "expected NAME=DOLLARS"),
    ((*ROUND, "--bet", "bankr=5"), "did you mean banker"),
    ((*ROUND, "--bet", "banker=5", "--bet", "banker=6"), "is given twice"),
    ((*ROUND, "--bet", "banker=five"), "five"),
    ((*ROUND, "--bet", "banker=1.005"), "1.005"),
    ((*ROUND, "--insure", "player=5"), "expected HAND:WINDOW=DOLLARS"),
    ((*ROUND, "--decks", "99"), "is played with"),
    ((*ROUND, "--decks", "eight"), "--decks"),
    ((*ROUND, "--chip-unit", "0"), "unit"),
    (("odds", MBS, "--plan", "banker=1,banker=2"), "twice"),
    (("odds", MBS, "--rounds", "5"), "--rounds needs a plan"),
    (("odds", MBS, "--seen", "9C " * 9), "9C"),
    (("insurance", MBS), "insurance"),
    (("insurance", CBI, "--cards", "9C"), "card"),
    (("roads", "BPX"), "X"),
    (("ruling", MBS, "drawn-togther"), "did you mean drawn-together"),
    (("rules", "show", "/no/such/file.toml"), "/no/such/file.toml"),
    (("rules", "new", "x.toml", "--game", "nothing", "--yes"), "there is no game 'nothing'"),
    (("rules", "list", "--rulebooks", "/no/such/folder"), "/no/such/folder"),
    (("report", MBS, "--out", "/no/such/folder/page.html"), "there is no directory /no/such/folder"),
    (("simulate", MBS, "--rounds", "0"), "rounds"),
    (("simulate", MBS, "--cut", "9999"), "cut"),
    (("simulate", MBS, "--workers", "0"), "workers"),
    ((*SESSIONS, "--plan", "doubling"), "doubling"),
    ((*SESSIONS, "--plot", "picture.gif"), "picture.gif"),
    (("table", "run", "/no/such/script"), "cannot read /no/such/script"),
    (("table", "replay", SCRIPT), "holds no table"),
    (("audit", "/no/such.db"), "/no/such.db"),
    (("account", "add", "Ada", "--role", "king", "--db", "{folder}/a.db", "--password-stdin"), "king"),
    (("account", "add", "Ada", "--role", "auditor", "--db", "{folder}/a.db", "--password-stdin"), "password"),
    (("account", "unlock", "Ada", "--db", "{folder}/a.db"), "there is no database"),
    (("schema", "settl"), "did you mean settle"),
    (("protect", MBS, "--tags", "1 2 3"), "is not a count"),
    (("protect", MBS, "--level", "9"), "there is no level '9'"),
    (("protect", "radar", "{folder}/stakes.csv"), "give --rulebook"),
    # options that would change nothing
    ((*AT, "--jsonl", "--cards", "9C"), "leave out --cards"),
    ((*AT, "--jsonl", "--json"), "leave out --json"),
    ((*AT, "--in", "a.csv", "--out", "b.csv", "--bet", "banker=5"), "leave out --bet"),
    ((*AT, "--out", "b.csv"), "a table needs both"),
    ((*ROUND, "--lenient"), "--lenient goes with"),
    (("rules", "trace", "--markdown", "--json"), "leave out --markdown"),
    (("ruling", MBS, "--order-known"), "leave out --order-known"),
    (("ruling", MBS, "drawn-together", "--layout", "A"), "leave out --layout"),
    (("ruling", MBS, "drawn-together", "--layout", "A", "--cards", "9C", "--no-outcome"), "leave out --outcome-established"),
    (("table", "run", SCRIPT, "--lang", "zh"), "leave out --lang"),
    (("table", "run", SCRIPT, "--transcript", "--json"), "leave out --json"),
    (("table", "replay", SCRIPT, "--lang", "zh"), "leave out --lang"),
    (("protect", MBS, "--count", "--level", "1"), "leave out --level"),
    (("protect", MBS, "--tags", "0 0 0 0 0 0 0 0 0 1", "--count"), "leave out --level and --count"),
    (("protect", MBS, "--where", "--all", "--json"), "leave out --where and --all"),
    (("protect", "price", MBS, "--readings", "--layout", "A"), "leave out --layout"),
    (("protect", "radar", "{folder}/stakes.csv", "--rulebook", MBS, "--table", "one"), "leave out --table"),
    (("simulate", MBS, "--workers", "1", "--cluster", "tcp://127.0.0.1:1"), "leave one of them out"),
    ((*SESSIONS, "--line", "1,2"), "line"),
    ((*SESSIONS, "--share", "1/10"), "share"),
    (("serve", "--no-rate-limits", "--seats", "4"), "leave out --seats"),
)  # fmt: skip


@each(("arguments", "told"), MISTAKES, ids=[" ".join(one) for one, _ in MISTAKES])
def test_a_mistake_is_one_sentence(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    status, out, err = here(*(one.format(folder=tmp_path) for one in arguments), stdin="passwordpassword\n")
    assert (status, out) == (2, ""), err
    assert err.startswith("thirdcard: ")
    assert err.count("\n") == 1
    assert told in err
    assert list(tmp_path.iterdir()) == []
