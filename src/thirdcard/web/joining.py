"""Modules and style sheets joined with all that they import: a page comes in a few answers, not in seventy.

`joined/table.js` is `js/table.js` with every module that it imports, each in a block of its own, in the order
in which a browser runs them. What a script asks for later (`import("./help.js")`) stays a file of its own
beside it and takes the modules that they share from it, so that each runs once. A style sheet has those that
it imports in their place. Remarks are left out; they are read in `js/` and `css/`.
"""

import re
from collections.abc import Iterator, Mapping

Files = Mapping[str, bytes]

IMPORT = re.compile(r'^import (?:\{ ([^{}]+) \} from )?"\./([a-z-]+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*?|const|class) ([\w$]+)", re.MULTILINE)
UNKNOWN = re.compile(r"^(?:import|export)\b(?!\().*", re.MULTILINE)  # once those above are gone
NAMED = re.compile(r'"\./([a-z-]+)\.js"')
REMARK = re.compile(r"^[ \t]*(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)  # on lines of its own
SHEET_REMARK = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
SHEET = re.compile(r'^@import "([a-z-]+\.css)";$', re.MULTILINE)


def joined_sheet(files: Files, name: str) -> bytes:
    """`css/NAME.css` with the sheets that it imports."""
    text = SHEET.sub(lambda found: files[f"css/{found[1]}"].decode(), files[f"css/{name}.css"].decode())
    return SHEET_REMARK.sub("", text).encode()


def joined_script(files: Files, name: str) -> dict[str, bytes]:
    """`joined/NAME.js`, and beside it each module that it can ask for later."""
    within = list(_within(files, name, {}))
    blocks = "".join(f"{{ // {one}.js\n{_block(files, one)}}}\n" for one in within)
    scripts = {f"joined/{name}.js": f"export const modules = {{}};\n{blocks}".encode()}
    scripts |= {
        f"joined/{one}.js": _beside(files, one, name, within) for one in sorted(_later(files, within))
    }
    return scripts


def _text(files: Files, name: str) -> str:
    return REMARK.sub("", files[f"js/{name}.js"].decode())


def _within(files: Files, name: str, seen: dict[str, bool]) -> Iterator[str]:
    """The module after all that it imports; `seen` says of each whether it is done."""
    seen[name] = False
    for _, other in IMPORT.findall(_text(files, name)):
        if other not in seen:
            yield from _within(files, other, seen)
        elif not seen[other]:
            raise ValueError(
                f"{name}.js and {other}.js import each other: put what they share in a module of its own"
            )
    seen[name] = True
    yield name


def _block(files: Files, name: str) -> str:
    text = IMPORT.sub(_taken, _text(files, name))
    given = ", ".join(found[1] for found in EXPORT.findall(text))
    text = EXPORT.sub(r"\1 \2", text)
    unknown = UNKNOWN.search(text)
    if unknown:
        raise ValueError(
            f'{name}.js has "{unknown[0]}": write import {{ … }} from "./…", export function, const or class'
        )
    return f'{text}modules["{name}"] = {{ {given} }};\n'


def _taken(found: re.Match[str]) -> str:
    return f'const {{ {found[1].replace(" as ", ": ")} }} = modules["{found[2]}"];' if found[1] else ""


def _later(files: Files, within: list[str]) -> set[str]:
    """Modules that those in `within` name and do not hold, and all that these name."""
    later: set[str] = set()
    asked = list(within)
    while asked:
        named = set(NAMED.findall(_text(files, asked.pop())))
        asked += named - later - set(within)
        later |= named - set(within)
    return later


def _beside(files: Files, name: str, host: str, within: list[str]) -> bytes:
    text = IMPORT.sub(lambda found: _taken(found) if found[2] in within else found[0], _text(files, name))
    return f'import {{ modules }} from "./{host}.js";\n{text}'.encode()
