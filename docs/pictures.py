"""Draw the pictures of README and docs anew (`make docs`)."""

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text
from rooms import drawn

HERE = Path(__file__).parent
WIDTH = 104
PICTURES = {
    "settle.svg": 'settle rws-tiger-buffalo-commission-v2 --layout A --cards "6C 3D KH AS 3C" '
    "--bet player=100 --bet banker-char-siu=10 --insure player:1=40",
}


def terminal(command: str) -> str:
    """What a command prints, as a picture of a terminal that asks nothing of the network."""
    shown = os.environ | {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH)}
    arguments = [sys.executable, "-m", "thirdcard", *shlex.split(command)]
    printed = subprocess.run(arguments, capture_output=True, text=True, check=True, env=shown).stdout
    console = Console(record=True, width=WIDTH, force_terminal=True, file=io.StringIO())
    console.print(Text(f"$ thirdcard {command}\n", style="bold"))
    console.print(Text.from_ansi(printed))
    svg = console.export_svg(title="thirdcard")
    return re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)


for name, picture in {**{n: terminal(c) for n, c in PICTURES.items()}, "rooms.svg": drawn()}.items():
    (HERE / name).write_text(picture, encoding="utf-8")
    sys.stdout.write(f"{name}\n")
