"""Write the lists of what can be reached anew (`make transcripts`); a line that goes is something lost.

With the name of a list print all of that list instead.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from transcripts.face.face import WHOLE, file_of, told

if sys.argv[1:] and not sys.argv[1].isdigit():
    sys.stdout.write("".join(f"{line}\n" for line in sorted(set(WHOLE[sys.argv[1]]()))))
else:
    for name in WHOLE:
        file_of(name).write_text(told(name), encoding="utf-8")
    sys.stdout.write(f"face: {len(WHOLE)} lists\n")
