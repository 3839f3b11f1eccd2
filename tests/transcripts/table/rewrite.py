"""Write the golden tables anew (`make transcripts`); review the difference before you commit it.

With a number only so many, from the first on.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from transcripts.table.scripts import golden, scripts, told


def main() -> None:
    for script in scripts()[: int(sys.argv[1]) if len(sys.argv) > 1 else None]:
        file = golden(script)
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        after = told(script)
        file.write_text(after, encoding="utf-8")
        sys.stdout.write(f"table/{file.name}: {'as before' if after == before else 'changed'}\n")


if __name__ == "__main__":
    main()
