"""Writes the pages and tapes that the tests in Node play: what the server itself makes of them, to `build/js`."""

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from browser.house import House, table  # noqa: E402
from js import dealing_desk, learning, office, pit_floor, playing, visiting  # noqa: E402
from thirdcard.web import assets  # noqa: E402

FOLDER = ROOT / "build" / "js"
TAPED = (playing, dealing_desk, learning, pit_floor, visiting, office)
SCENES = [scene for module in TAPED for scene in module.SCENES]


def main(*names: str) -> None:
    (FOLDER / "static" / "words").mkdir(parents=True, exist_ok=True)
    for path, one in assets.assets().items():
        if path.startswith("words/"):
            (FOLDER / "static" / path).write_bytes(one.body)
    with tempfile.TemporaryDirectory() as folder, House(Path(folder) / "house.db", table("salon")) as house:
        floor = playing.Floor(house)
        for scene in SCENES:
            if not names or scene.__name__ in names:
                began = time.perf_counter()
                scene(floor, FOLDER)
                if names:
                    sys.stdout.write(f"{scene.__name__}: {time.perf_counter() - began:.2f} s\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
