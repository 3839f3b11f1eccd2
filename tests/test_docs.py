"""Generated documents are current, and what the README shows works."""

import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from typer.main import get_command

from each import each
from service.api.routes import app_of, routes
from service.playing import KEY, logged, table_log
from table.tables import TBC, Table
from thirdcard.cards import format_cards
from thirdcard.cli import app as program
from thirdcard.rulebook.trace import markdown, trace
from thirdcard.service.log.floor_events import Seed, ShoeSealed
from thirdcard.service.log.store import open_store
from thirdcard.service.tables.sealed_shoes import order, promise
from thirdcard.simulate import run_sessions
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_rules_md_is_what_the_trace_says_now() -> None:
    """`make docs` writes it."""
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == markdown(trace())


@pytest.fixture(scope="module")
def rooms() -> ModuleType:
    """What draws the picture of the rooms."""
    spec = importlib.util.spec_from_file_location("rooms", ROOT / "docs" / "rooms.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_picture_of_the_rooms_is_what_is_drawn_now(rooms: ModuleType) -> None:
    """`make docs` writes it."""
    assert (ROOT / "docs" / "rooms.svg").read_text(encoding="utf-8") == rooms.drawn()


def test_what_the_picture_puts_into_a_room_is_in_it(rooms: ModuleType) -> None:
    service = ROOT / "src" / "thirdcard" / "service"
    seen = []
    for _, written in rooms.ROOMS:
        name, _, *lines = (line.strip() for line in written.splitlines())
        for line in lines if (service / name).is_dir() else ():
            names = re.sub(r"^\d+ |:.*|,$| …$", "", line)
            seen += [service / name / one for one in names.split(", ") if one]
    assert len(seen) > 20
    assert [one for one in seen if not one.is_dir() and not one.with_suffix(".py").exists()] == []


def test_the_bill_of_materials_lists_what_is_pinned() -> None:
    bill = json.loads((ROOT / "docs" / "bill.cdx.json").read_text(encoding="utf-8"))
    listed = {part["name"]: part["version"] for part in bill["components"]}
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = re.findall(r"^(\S+)==(\S+)", lock, re.MULTILINE)
    brought = {one.parent.name for one in (ROOT / "src/thirdcard/web/static/js/vendor").glob("*/*.js")}
    assert {name: listed.pop(name, "") for name in brought} == {"lit-html": "3.3.3"}
    assert listed == {name.replace("_", "-").lower(): version for name, version in pinned}
    scopes = {part["name"]: part["scope"] for part in bill["components"]}
    assert [scopes[name] for name in ("msgspec", "litestar", "pytest")] == [
        "required",
        "optional",
        "excluded",
    ]


def test_what_serving_installs_is_pinned_as_everything_is() -> None:
    """`make run` installs the one, `make test` adds the other: nothing is installed twice."""
    locks = ("requirements-serve.lock", "requirements.lock")
    texts = ((ROOT / name).read_text(encoding="utf-8") for name in locks)
    serving, everything = (set(re.findall(r"^(\S+==\S+)", text, re.MULTILINE)) for text in texts)
    assert 40 < len(serving) < len(everything)
    assert serving <= everything
    names = {one.partition("==")[0] for one in serving}
    assert {"litestar", "msgspec", "uvicorn"} <= names
    assert not {"dask", "hypothesis", "numba", "numpy", "pyarrow", "zensical"} & names


def test_a_release_has_one_number() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert told["version"] == project["version"]
    assert told["license"] == project["license"]
    for name in ("CHANGELOG.md", "docs/stability.md"):
        assert re.search(
            rf"(?:^## |\*\*){re.escape(project['version'])}\b", (ROOT / name).read_text("utf-8"), re.MULTILINE
        )
    bill = json.loads((ROOT / "docs" / "bill.cdx.json").read_text(encoding="utf-8"))
    assert bill["metadata"]["component"]["version"] == project["version"]


def commands() -> list[str]:
    """The README's examples that end by themselves, one a line, continued lines joined."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    lines = "\n".join(block for kind, block in blocks if not kind).replace("\\\n", " ").splitlines()
    return [line for line in lines if "thirdcard " in line]


def test_the_readme_has_examples() -> None:
    assert len(commands()) >= 8


def of_a_house() -> list[str]:
    """The README's examples on the database of a house that end by themselves."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    asking = ("thirdcard find", "thirdcard evidence")
    return [line for block in blocks for line in block.splitlines() if line.startswith(asking)]


def test_the_examples_of_a_house_work(tmp_path: Path) -> None:
    """On a table where box 3 had 500 on Banker yesterday at ten, in the 42nd round."""
    table = Table(TBC, seats={"ann": 3})
    for number in range(1, 43):
        table.open()
        if number == 42:
            table.place("ann", "banker", 500_00)
        table.close()
        first, second, third, fourth = ("492K", "58AQ")[number % 2]  # 6 to a natural, by either
        suit = "CDHS"[number // 2 % 4]
        table.show(f"{first}{suit} {second}{suit} {third}{suit} {fourth}{suit}")
        table.settle()
    ten = datetime.now().astimezone().replace(hour=10, minute=0) - timedelta(days=1)
    began = round(ten.timestamp()) * 1_000_000
    log = [(event, began + place * 1_000, by) for place, (event, _, by) in enumerate(table_log(table.log))]
    with closing(open_store(str(tmp_path / "thirdcard.db"))) as store:
        store.commit([logged("tiger", log)])
    key = tmp_path / "thirdcard.db.key"
    key.write_text(KEY.hex() + "\n", encoding="ascii")
    key.chmod(0o600)
    program = tmp_path / "thirdcard"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m thirdcard "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    assert len(of_a_house()) == 2, "find, then evidence and verify"
    said = {}
    for line in of_a_house():
        done = subprocess.run(
            ["/bin/sh", "-c", line.replace("TABLE", "tiger")],
            cwd=tmp_path,
            env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "COLUMNS": "200"},
            capture_output=True,
            check=False,
            timeout=300,
            encoding="utf-8",
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        said[line.split()[1]] = done.stdout
    assert "tiger round 42" in said["find"]
    assert "box 3: ann banker 500" in said["find"]
    assert "round 41" not in said["find"]
    assert "Round 42 of tiger: all of it holds." in said["evidence"]


@pytest.mark.parametrize("line", commands())
def test_an_example_of_the_readme_works(line: str, tmp_path: Path) -> None:
    stdin = b""
    if line.startswith("echo "):
        echoed, _, line = line.partition(" | ")
        stdin = (shlex.split(echoed)[1] + "\n").encode()
    arguments = shlex.split(line, comments=True)
    assert arguments[0] == "thirdcard"
    for name in re.findall(r"(?:docs|examples)/[\w./-]+", line):
        source = ROOT / name
        if source.exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(source.read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        input=stdin,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout or "--out" in arguments or "--svg" in arguments


def test_what_an_index_shows_needs_nothing_of_the_repository() -> None:
    """Pictures and links beside it would lead nowhere there; the example is the README's."""
    shown = (ROOT / "PACKAGE.md").read_text(encoding="utf-8")
    assert "](" not in shown
    assert examples("PACKAGE.md") == examples("README.md")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - {"dev", "docs"}
    assert set(re.findall(r"^\| `(\w+)` \|", shown, re.MULTILINE)) == extras


def test_the_library_example_of_the_readme_works() -> None:
    (code,) = examples("README.md")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.startswith("50000 ")


def test_links_of_the_documents_lead_somewhere() -> None:
    """Pages that only the site has are linked from pages that the site has."""
    made = {ROOT / "docs" / "cli.md", ROOT / "docs" / "reference.md"}
    pages = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").rglob("*.md"),
    ]
    for page in pages:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            there = (page.parent / target).resolve()
            assert there.exists() or there in made, f"{page.name}: {target}"


def examples(document: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL)


def test_the_table_that_one_can_hold_works_as_shown() -> None:
    (code,) = examples("docs/table.md")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.startswith("2375\n")


def test_why_at_a_table_is_told_as_shown() -> None:
    text = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    asked = re.findall(r"^\$ thirdcard (table why .*)\n((?:(?:yes|no) .*\n)+)", text, flags=re.MULTILINE)
    assert len(asked) == 2
    for command, told in asked:
        called = [sys.executable, "-m", "thirdcard", *command.split()]
        done = subprocess.run(called, capture_output=True, text=True, check=True, timeout=300, cwd=ROOT)
        assert done.stdout == told


def test_the_library_works_as_shown() -> None:
    code = "\n".join(examples("docs/library.md"))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    settled, sheet, table = done.stdout.splitlines()
    assert settled.startswith("50000 ")
    assert sheet.startswith("['bet', 'name', 'ev', ")
    assert table == "[50000, -1000]"


def test_the_strategy_and_the_ladder_of_the_simulator_work_as_shown(tmp_path: Path) -> None:
    (strategy,) = examples("docs/simulate.md")
    (ladder,) = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs" / "simulate.md").read_text(encoding="utf-8"), re.DOTALL
    )
    (tmp_path / "my.py").write_text(strategy)
    (tmp_path / "my.toml").write_text(ladder)
    played = run_sessions("mbs-tiger-v2", 60, 90, strategy=f"{tmp_path / 'my.py'}", bets=["banker"])
    assert set((played.fields[:, 2] // 1000).tolist()) != {90}, "it stakes more than a unit now and then"
    by_ladder, by_plan = (
        run_sessions("mbs-tiger-v2", 20, 90, **one)
        for one in ({"ladder": tmp_path / "my.toml"}, {"plan": "1-3-2-6"})
    )
    assert (by_ladder.fields == by_plan.fields).all()


def test_the_verifier_of_shoes_gives_the_example_and_every_order_of_ours() -> None:
    page = (ROOT / "docs" / "shoes.md").read_text(encoding="utf-8")
    (code,) = examples("docs/shoes.md")
    theirs: dict[str, Any] = {}
    exec(code, theirs)  # noqa: S102 - our own
    salt, seeds = bytes(range(32)), (("Wei", "eight is lucky"), ("梅", "發 8888"))
    added = tuple(Seed(player=player, seed=seed) for player, seed in seeds)
    told = [theirs["promise"]("tiger", 7, salt), theirs["order"]("tiger", 7, 1, seeds, salt)]
    assert promise("tiger", 7, salt) == told[0]
    for decks, given, ours in ((1, seeds, added), (8, seeds, added), (8, (), ())):
        sealed = ShoeSealed(shoe=7, commitment="", decks=decks, seeds=ours)
        found = theirs["order"]("tiger", 7, decks, given, salt)
        assert found == format_cards(order(salt, "tiger", sealed))
        told += [sha256(found.encode()).hexdigest()] if decks > 1 else []
    rows = re.findall(r"^\| (?!key).+ \| `([\w ]+)` \|$", page.partition("## An example")[2], re.MULTILINE)
    assert rows == told


FOLDERS = ("src", "tests", "docs", "bench")


@pytest.mark.parametrize("document", ["docs/ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_files_that_the_map_names_are_there(document: str) -> None:
    there = [f"/{one.relative_to(ROOT)}" for folder in FOLDERS for one in (ROOT / folder).rglob("*.*")]
    named = re.findall(r"`([\w./-]+\.(?:py|toml|js|html))`", (ROOT / document).read_text(encoding="utf-8"))
    assert len(named) > 20
    missing = {name for name in named if not any(one.endswith(f"/{name}") for one in there)}
    assert {name for name in missing if not (ROOT / name).exists() and "SLUG" not in name} == set()


# What addresses call their parts in the documentation.
PARTS = {
    "table": "ID", "number": "N", "player": "NAME", "name": "NAME", "given": "VERSION", "path": "FILE",
}  # fmt: skip


def test_every_request_has_its_cost() -> None:
    costs = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").partition("## What a request costs")[2]
    told = set()
    for row in re.findall(r"^\| (`.*?) \|", costs, flags=re.MULTILINE):
        method = ""
        for given, path in re.findall(r"`(?:([A-Z]+) )?(/[^`]*)`", row):
            method = given or method
            told.add(f"{method} {path}")
    offered = {
        f"{one.method} {re.sub('{(.*?)}', lambda found: PARTS.get(found[1], found[1].upper()), one.path)}"
        for one in routes(app_of(*PAGES))
    }
    assert told == offered - {"GET /FILE"}  # what there is not


def called(text: str) -> Iterator[list[str]]:
    """The words of each `thirdcard …` in the blocks of commands of a document."""
    for block in re.findall(r"^```(?:sh|console)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r"\||&&|;", line.partition("#")[0]):
                with suppress(ValueError):  # a quotation goes on elsewhere
                    words = shlex.split(part.replace("'", " ").replace('"', " "))
                    if "thirdcard" in words:
                        yield words[words.index("thirdcard") + 1 :]


@each("document", lambda: [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "PACKAGE.md"], ids=str)
def test_commands_in_documents_have_the_options_that_they_are_given(document: Path) -> None:
    for words in called(document.read_text(encoding="utf-8")):
        command: Any = get_command(program)
        rest = list(words)
        while rest and hasattr(command, "commands") and rest[0] in command.commands:
            command = command.commands[rest.pop(0)]
        meant = getattr(command, "commands", {"": command}).values()  # of a group, whichever it takes
        options = [option for one in meant for option in one.params]
        known = {name for option in options for name in (*option.opts, *option.secondary_opts)}
        given = {word.partition("=")[0] for word in rest if re.fullmatch("--[a-z][a-z-]*(=.*)?", word)}
        assert given <= known | {"--help", "--install-completion"}, words
