"""The command line on any system and any terminal: what is missing, narrow, full or closed is no traceback."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer.main

from cli.running import here
from cli.test_schemas import commands, wrong
from thirdcard.cli import LISTED, app
from thirdcard.service.files import hold_beside

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
MBS, CBI = "mbs-tiger-v2", "rws-commission-insurance-v5"
V3, V4 = "rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4"
PATIENCE = 300.0  # seconds; only a guard
# Blocks modules for everybody, or for this package alone where a library can do without them by itself.
BLOCKED = """
import builtins, sys
everybody, ours = {everybody!r}, {ours!r}
real = builtins.__import__
def blocking(name, globals=None, locals=None, fromlist=(), level=0):
    top, asks = name.partition(".")[0], (globals or {{}}).get("__name__", "")
    if level == 0 and (top in everybody or (top in ours and asks.partition(".")[0] == "thirdcard")):
        raise ModuleNotFoundError(f"No module named {{top!r}}", name=top)
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = blocking
"""
RUN = """
import sys
from thirdcard.cli import main
sys.argv = ["thirdcard", *{arguments!r}]
main()
"""


def without(
    modules: tuple[str, ...], *arguments: str, cwd: Path, ours: tuple[str, ...] = (), before: str = ""
) -> subprocess.CompletedProcess[str]:
    """The program in an environment where these modules cannot be imported."""
    code = BLOCKED.format(everybody=modules, ours=ours) + before + RUN.format(arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=cwd
    )


# ---- extras -----------------------------------------------------------------------------------------------

SERVING = (
    "argon2", "cryptography", "filelock", "httptools", "jinja2", "litestar", "markupsafe", "prometheus_client", "psycopg",
    "pyotp", "segno", "uvicorn", "uvloop", "websockets", "zxcvbn",
)  # fmt: skip
ANALYSIS, DATA = ("numba", "numpy"), ("numpy", "pyarrow")


@pytest.mark.gate("modules1-", "modules9", "modules12", "modules13", "modules14", "modules15")
@pytest.mark.parametrize(
    ("modules", "extra", "arguments"),
    [
        (SERVING, "serve", ("serve", "--port", "0")),
        (SERVING, "serve", ("audit", "house.db")),
        (SERVING, "serve", ("restore", "a.backup", "b.db")),
        (SERVING, "serve", ("backup", "house.db", "a.backup")),
        (SERVING, "serve", ("key", "house.db")),
        (SERVING, "serve", ("account", "list")),
        (SERVING, "serve", ("account", "unlock", "Ada")),
        (SERVING, "serve", ("rulebook", "list")),
        (SERVING, "report", ("report", MBS, "--out", "page.html")),
        (SERVING, "report", ("rules", "diff", V3, V4, "--html", "page.html")),
        (ANALYSIS, "analysis", ("simulate", MBS, "--rounds", "100")),
        (ANALYSIS, "analysis", ("protect", MBS, "--shoes", "10")),
        (("numba",), "analysis", ("simulate", MBS, "--rounds", "100")),
        (("distributed", "dask"), "cluster", ("simulate", MBS, "--rounds", "100", "--cluster", "tcp://127.0.0.1:1")),
        (DATA, "data", ("settle", MBS, "--layout", "A", "--in", "rounds.csv", "--out", "settled.csv")),
        (("resvg_py",), "plot", ("simulate", MBS, "--plan", "flat", "--sessions", "2", "--rounds", "5", "--plot", "a.png")),
    ],
)  # fmt: skip
def test_a_missing_extra_is_told_in_a_sentence(
    modules: tuple[str, ...], extra: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "rounds.csv").write_text("cards,banker\n9C 9H 9D 9S,100\n", encoding="utf-8")
    done = without(modules, *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    assert f"thirdcard[{extra}]" in done.stderr
    assert "install" in done.stderr


def test_what_no_extra_brings_is_a_fault_of_ours(tmp_path: Path) -> None:
    done = without(("tomllib",), "rules", "list", cwd=tmp_path)
    assert done.returncode == 1
    assert "ModuleNotFoundError" in done.stderr


# ---- other systems ----------------------------------------------------------------------------------------

ONLY_UNIX = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
AS_ELSEWHERE = """
import asyncio, os
for name in ("getuid", "geteuid", "fork", "sched_getaffinity", "O_CLOEXEC", "fchmod", "getpgid", "setsid"):
    if hasattr(os, name):
        delattr(os, name)
def no_handlers(*_):
    raise NotImplementedError
asyncio.SelectorEventLoop.add_signal_handler = asyncio.SelectorEventLoop.remove_signal_handler = no_handlers
"""


@pytest.mark.gate("arguments0", "arguments1")
@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "list"),
        ("odds", MBS),
        ("simulate", MBS, "--rounds", "1000", "--json"),
        ("table", "run", str(ROOT / "docs" / "table-example.jsonl"), "--transcript"),
    ],
)
def test_commands_need_nothing_that_only_unix_has(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = without(("uvloop",), *arguments, cwd=tmp_path, ours=ONLY_UNIX, before=AS_ELSEWHERE)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.whole
def test_a_house_is_served_without_what_only_unix_has(tmp_path: Path) -> None:
    """Opened, asked, stopped by a signal, audited: with the loop, the locks and the modules that are everywhere."""
    code = (
        BLOCKED.format(everybody=("uvloop",), ours=ONLY_UNIX)
        + AS_ELSEWHERE
        + RUN.format(arguments=("serve", "--port", "0", "--json"))
    )
    serving = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    try:
        assert serving.stdout is not None
        told = ""
        while not told.endswith("\n}\n"):
            line = serving.stdout.readline()
            assert line, serving.communicate()
            told += line
        ready = json.loads(told)
        assert wrong("serve", ready) == []
        metrics = httpx.get(f"{ready['address']}metrics", timeout=PATIENCE).text
        assert f"thirdcard_tables {float(ready['tables'])}" in metrics
        assert "memory_bytes" not in metrics
        refused = without(("uvloop",), "serve", "--port", "0", cwd=tmp_path, ours=ONLY_UNIX)
        assert (refused.returncode, "another process serves it" in refused.stderr) == (2, True)
        serving.send_signal(signal.SIGTERM)
        _, err = serving.communicate(timeout=PATIENCE)
        assert (serving.returncode, [line for line in err.splitlines() if "stood still" not in line]) == (
            0,
            [],
        )
    finally:
        serving.kill()
        serving.wait()
    audited = without(("uvloop",), "audit", "thirdcard.db", cwd=tmp_path, ours=ONLY_UNIX)
    assert (audited.returncode, audited.stderr) == (0, "")


def test_a_lock_goes_with_the_process_that_was_killed(tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom thirdcard.service.files import hold_beside\n"
        "print(hold_beside('thing') is not None, flush=True)\ntime.sleep(1000)"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as holding:
        assert holding.stdout is not None
        assert holding.stdout.readline() == "True\n"
        assert hold_beside(tmp_path / "thing") is None
        holding.kill()
        holding.wait()
        mine = hold_beside(tmp_path / "thing")
        assert mine is not None
        os.close(mine)


# ---- consoles ---------------------------------------------------------------------------------------------

SHOWN = (
    ("rules", "diff", V3, V4),
    ("rules", "show", CBI),
    ("settle", MBS, "--layout", "A", "--cards", "9C 9H 9D 9S", "--bet", "tiger-pair=5"),
    ("protect", "--help"),
    ("table", "run", str(ROOT / "docs" / "table-example.jsonl"), "--transcript", "--lang", "zh"),
    ("rules", "show", "→ ♣ é 中"),
)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("arguments", SHOWN)
def test_a_console_that_cannot_show_a_sign_gets_another(arguments: tuple[str, ...], encoding: str) -> None:
    status, out, err = here(*arguments, encoding=encoding)
    assert status == (2 if "→ ♣ é 中" in arguments else 0)
    assert "�" not in out + err
    if arguments[1] == "diff":
        assert " -> " in out
    if status == 2:
        assert "-> C " in err
        assert r"\u4e2d" in err


def test_the_encoding_that_python_is_told_is_kept_to() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "thirdcard", "rules", "diff", V3, V4],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b" -> " in done.stdout


# ---- terminals --------------------------------------------------------------------------------------------

WIDE = (
    ("odds", MBS),
    ("odds", CBI, "--effects", "--compare-decks"),
    ("rules", "show", MBS),
    ("rules", "list"),
    ("rules", "diff", V3, V4),
    ("settle", MBS, "--layout", "A", "--cards", "9C 9H 9D 9S", "--bet", "tiger-pair=5", "--bet", "banker=10"),
    ("ruling", MBS),
    ("schema",),
    ("simulate", MBS, "--rounds", "1000"),
    ("simulate", MBS, "--plan", "flat", "--sessions", "5", "--rounds", "10"),
    ("protect", MBS, "--shoes", "8", "--bet", "banker", "--bet", "big-tiger", "--count", "--where"),
    ("protect", "known", MBS, "--bet", "banker"),
    ("roads", "BTBPPPBPBBPPBBBTTP"),
)
FLOWING = ("settle", "odds", "insurance")  # titles and sentences that the terminal itself breaks
NEVER_THE_SAME = re.compile(r"[0-9.]+ s,|[0-9.]+ million a second")


def words(text: str) -> list[str]:
    """Every word of letters and digits, whatever stands around it and in whatever order."""
    return sorted({*re.findall(r"[A-Za-z0-9][A-Za-z0-9.,:/-]*", NEVER_THE_SAME.sub("", text))})


@pytest.mark.gate("odds mbs", "protect known", "roads", "rules", "settle")
@pytest.mark.parametrize("arguments", WIDE, ids=" ".join)
def test_a_narrow_terminal_shows_every_word_that_a_wide_one_does(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {}
    for columns in (400, 60, 40):
        monkeypatch.setenv("COLUMNS", str(columns))
        status, told[columns], err = here(*arguments)
        assert (status, err) == (0, "")
    for columns in (60, 40):
        assert max(map(len, told[columns].splitlines())) <= columns or arguments[0] in FLOWING
        assert [word for word in words(told[400]) if word not in words(told[columns])] == []
        letters = [
            line for line in told[columns].splitlines() if len(line.strip()) == 1 and line.strip().isalpha()
        ]
        assert letters == []


def test_names_with_brackets_are_shown_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of people, of tables of a house, of folders and files; rulebooks may have none in theirs."""
    monkeypatch.setenv("COLUMNS", "300")
    name = "[bold]Wei[x][nothing]"
    script = (ROOT / "docs" / "table-example.jsonl").read_text(encoding="utf-8")
    (tmp_path / "script.jsonl").write_text(script.replace('"ann"', f'"{name}"'), encoding="utf-8")
    status, log, _ = here("table", "run", tmp_path / "script.jsonl")
    assert status == 0
    (tmp_path / "log.jsonl").write_text(log, encoding="utf-8")
    for more in ((), (name,)):
        status, out, err = here("table", "statement", tmp_path / "log.jsonl", *more)
        assert (status, err) == (0, "")
        assert name in out
    assert name in here("table", "replay", tmp_path / "log.jsonl", "--transcript")[1]
    odd = tmp_path / "a[bold]folder[x]"
    odd.mkdir()
    for arguments in (
        ("rules", "new", str(odd / "mine.toml"), "--yes"),
        ("rules", "list", "--rulebooks", str(odd)),
        ("rules", "check", str(odd / "mine.toml")),
        ("report", MBS, "--out", str(odd / "page.html")),
    ):
        status, out, err = here(*arguments)
        assert (status, err) == (0, "")
        assert odd.name in out, arguments
    assert "x[/nothing].toml" in here("rules", "check", tmp_path / "x[/nothing].toml")[2]


def test_help_is_whole_and_plain() -> None:
    """What stands in brackets is no markup, and any console can show it."""
    assert "[the better of 1 and 2]" in " ".join(here("protect", "perfect", "--help")[1].split())
    for command in commands(typer.main.get_command(app)):
        status, out, _ = here(*command.split(), "--help")
        assert (status, out.isascii()) == (0, True), command


def test_what_help_says_of_commands_is_what_they_say_of_themselves() -> None:
    """The lines of `--help` are written down, so that no command is imported for them."""
    group: Any = typer.main.get_command(app)
    assert [*group.commands] == [*LISTED]
    for name, command in group.commands.items():
        assert LISTED[name].told == command.get_short_help_str(limit=1000), name


# ---- outputs and statuses ---------------------------------------------------------------------------------


def piped(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    script = command.replace("thirdcard", f"{sys.executable} -m thirdcard")
    return subprocess.run(
        ["/bin/bash", "-c", script], capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=cwd
    )


FULL = "thirdcard: cannot use the output: No space left on device\n"


@pytest.mark.parametrize(
    ("command", "status", "told"),
    [
        ("thirdcard rules trace | head -1; exit ${PIPESTATUS[0]}", 141, ""),  # more than a pipe holds
        (
            f"yes '{{}}' | thirdcard settle {MBS} --layout A --jsonl | head -1; exit ${{PIPESTATUS[1]}}",
            141,
            "",
        ),
        ("thirdcard rules list > /dev/full", 2, FULL),
        ("thirdcard rules list --json > /dev/full", 2, FULL),
        ("thirdcard --help > /dev/full", 2, FULL),
        (f"echo '{{}}' | thirdcard settle {MBS} --layout A --jsonl > /dev/full", 2, FULL),
        ("thirdcard rules list >&-", 2, "thirdcard: there is no standard output to write to: it is closed\n"),
        ("thirdcard nothing 2> /dev/full", 2, ""),
        ("thirdcard nothing 2>&-", 2, ""),
    ],
)
def test_an_output_that_is_full_or_closed_is_a_sentence_or_silence(
    command: str, status: int, told: str, tmp_path: Path
) -> None:
    done = piped(command, tmp_path)
    assert (done.returncode, done.stderr) == (status, told)


def test_no_arguments_are_a_question_and_ctrl_c_is_130(tmp_path: Path) -> None:
    """`thirdcard` alone says what there is; a command that needs arguments is not fooled by an empty variable."""
    status, out, err = here()
    assert (status, err) == (0, "")
    assert out.startswith("Usage: thirdcard")
    for name in (name for name, listed in LISTED.items() if not listed.bare):
        status, out, err = here(name)
        assert (status, out) == (2, ""), name
        assert "Usage: thirdcard" in err, name
    for arguments in (("rules", "check"), ("rules", "diff"), ("account", "add"), ("protect", "known")):
        assert here(*arguments)[0] == 2
    waiting = subprocess.Popen(
        [sys.executable, "-m", "thirdcard", "settle", MBS, "--layout", "A", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert waiting.stdin is not None
    assert waiting.stdout is not None
    waiting.stdin.write('{"cards": "9C 9H 9D 9S"}\n')
    waiting.stdin.flush()
    assert waiting.stdout.readline()
    waiting.send_signal(signal.SIGINT)
    assert (*waiting.communicate(timeout=PATIENCE), waiting.returncode) == ("", "", 130)
