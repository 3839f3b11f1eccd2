"""Write the golden tables anew (`make transcripts`); review the difference before you commit it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from transcripts.table.scripts import golden, scripts, told


def main() -> None:
    for script in scripts():
        file = golden(script)
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        after = told(script)
        file.write_text(after, encoding="utf-8")
        sys.stdout.write(f"table/{file.name}: {'as before' if after == before else 'changed'}\n")


if __name__ == "__main__":
    main()
