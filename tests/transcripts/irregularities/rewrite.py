"""Write scripts and transcripts anew (`make transcripts`); review the difference before you commit it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from transcripts.irregularities.scripts import HERE, everything, file_of
from transcripts.irregularities.wording import told

written = set()
changed = 0
for slug, situation in everything():
    file = file_of(slug, situation)
    file.parent.mkdir(exist_ok=True)
    script = situation.script(slug)
    for path, text in ((file, script), (file.with_suffix(".txt"), told(script))):
        changed += not path.exists() or path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        written.add(path)
for path in (*HERE.glob("*/*.jsonl"), *HERE.glob("*/*.txt")):
    if path not in written:
        path.unlink()
        changed += 1
sys.stdout.write(f"irregularities: {len(written)} files, {changed} changed\n")
