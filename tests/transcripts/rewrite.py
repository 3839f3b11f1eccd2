"""Write the golden transcripts anew (`make transcripts`); review the difference before you commit it.

With a number only so many, from the first on.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from transcripts.golden import files, replay

for file in files()[: int(sys.argv[1]) if len(sys.argv) > 1 else None]:
    before = file.read_text(encoding="utf-8")
    after = replay(before)
    file.write_text(after, encoding="utf-8")
    sys.stdout.write(f"{file.name}: {'as before' if after == before else 'changed'}\n")
