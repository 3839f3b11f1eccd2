"""Write the rulebooks' golden files anew (`make transcripts`); review the difference before you commit it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from transcripts.rulebooks.scripts import everything, file_of, told

for name in everything():
    file, after = file_of(name), told(name)
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    file.write_text(after, encoding="utf-8")
    sys.stdout.write(f"rulebooks/{file.name}: {'as before' if after == before else 'changed'}\n")
